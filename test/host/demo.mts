import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { KEYS, type Sandbox } from '../sandbox/index.mts';
import { CUSTOMER } from '../sandbox/site/site.mts';
import { PROJECT, readJson } from './files.mts';
import type { CredentialSource, Login, N8nRest, WorkflowSource } from './rest.mts';

/** The owner's account in the demo's n8n instance. */
export const LOGIN: Login = { email: 'demo@maxun.example', password: 'Sandbox123' };
export const CREDENTIAL_NAME = 'Maxun account';
export const SERVER_CREDENTIAL_NAME = 'Maxun server';
/** The examples' placeholder for the user's site. In the demo, it is the demo shop. */
const EXAMPLE_SITE = 'https://shop.example';

const Source = z.object({ name: z.string() }).passthrough();

/** The workflows in `examples/`, in order of file name. @param site replaces their example site */
async function readExamples(site: string): Promise<WorkflowSource[]> {
	const folder = join(PROJECT, 'examples');
	const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (name) => {
			const text = JSON.stringify(await readJson(join(folder, name)));
			return Source.parse(JSON.parse(text.replaceAll(EXAMPLE_SITE, site)));
		}),
	);
}

type DemoAccess = Pick<Sandbox, 'baseUrl' | 'url' | 'siteUrl'>;

/**
 * Adds the demo's credentials and the examples to n8n if they are missing. Existing workflows aren't changed, because
 * users may have edited them.
 * @returns each example's ID by name
 */
export async function prepareDemo(rest: N8nRest, access: DemoAccess): Promise<Map<string, string>> {
	for (const credential of credentialsFor(access)) await prepareCredential(rest, credential);
	const there = new Map((await rest.workflows()).map(({ name, id }) => [name, id]));
	const ids = new Map<string, string>();
	for (const example of await readExamples(access.siteUrl)) {
		const id = there.get(example.name) ?? (await rest.createWorkflow(example)).id;
		ids.set(example.name, id);
	}
	return ids;
}

const credentialsFor = ({ baseUrl, url }: DemoAccess): CredentialSource[] => [
	{
		name: SERVER_CREDENTIAL_NAME,
		type: 'maxunSelfHostedApi',
		data: { apiKey: KEYS.owner, baseUrl: url, timezone: 'UTC' },
	},
	{
		name: 'Website login',
		type: 'maxunWebsiteLoginApi',
		data: { user: CUSTOMER.email, password: CUSTOMER.password },
	},
	// n8n selects the newest credential for a new node.
	{
		name: CREDENTIAL_NAME,
		type: 'maxunCloudApi',
		data: { apiKey: KEYS.owner, teamId: '', baseUrl },
	},
];

async function prepareCredential(rest: N8nRest, wanted: CredentialSource): Promise<void> {
	const found = (await rest.credentials()).find(
		({ name, type }) => name === wanted.name && type === wanted.type,
	);
	if (found === undefined) await rest.createCredential(wanted);
	else if ((await rest.credentialData(found.id)).baseUrl !== wanted.data.baseUrl) {
		await rest.updateCredential(found.id, wanted);
	}
}

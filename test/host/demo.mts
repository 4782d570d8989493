import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT, readJson } from './files.mts';
import type { Login, N8nRest, WorkflowSource } from './rest.mts';

/** The owner's account of a demo n8n. */
export const LOGIN: Login = { email: 'demo@maxun.example', password: 'Sandbox123' };
/** Under this name the examples look for their credential. */
export const CREDENTIAL_NAME = 'Maxun account';
const CREDENTIAL_TYPE = 'maxunApi';
/** Stands in the examples for a site of the person's own; in the demo it is the demo shop. */
const EXAMPLE_SITE = 'https://shop.example';

const Source = z.object({ name: z.string() }).passthrough();

/**
 * The workflows in `examples/`, by the order of their file names.
 * @param site what their example site is replaced by; it stays when left out
 */
export async function readExamples(site = EXAMPLE_SITE): Promise<WorkflowSource[]> {
	const folder = join(PROJECT, 'examples');
	const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (name) => {
			const text = JSON.stringify(await readJson(join(folder, name)));
			return Source.parse(JSON.parse(text.replaceAll(EXAMPLE_SITE, site)));
		}),
	);
}

/** How the demo reaches its sandbox. */
export interface DemoAccess {
	/** Base URL of the Maxun API. */
	baseUrl: string;
	apiKey: string;
	/** The demo shop. */
	siteUrl: string;
}

/**
 * Puts the demo's credential and the examples into n8n, as far as they are not there. Workflows
 * that are there are left as they are: they may have been changed by hand.
 * @returns the id of each example, by its name
 */
export async function prepareDemo(rest: N8nRest, access: DemoAccess): Promise<Map<string, string>> {
	await prepareCredential(rest, access);
	const there = new Map((await rest.workflows()).map(({ name, id }) => [name, id]));
	const ids = new Map<string, string>();
	for (const example of await readExamples(access.siteUrl)) {
		const id = there.get(example.name) ?? (await rest.createWorkflow(example)).id;
		ids.set(example.name, id);
	}
	return ids;
}

async function prepareCredential(rest: N8nRest, { baseUrl, apiKey }: DemoAccess): Promise<void> {
	const wanted = {
		name: CREDENTIAL_NAME,
		type: CREDENTIAL_TYPE,
		data: { apiKey, teamId: '', baseUrl },
	};
	const found = (await rest.credentials()).find(
		({ name, type }) => name === CREDENTIAL_NAME && type === CREDENTIAL_TYPE,
	);
	if (found === undefined) await rest.createCredential(wanted);
	else if ((await rest.credentialData(found.id)).baseUrl !== baseUrl) {
		await rest.updateCredential(found.id, wanted);
	}
}

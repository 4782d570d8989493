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

const Source = z.object({ name: z.string() }).passthrough();

/** The workflows in `examples/`, by the order of their file names. */
export async function readExamples(): Promise<WorkflowSource[]> {
	const folder = join(PROJECT, 'examples');
	const files = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
	return await Promise.all(
		files.map(async (name) => Source.parse(await readJson(join(folder, name)))),
	);
}

/**
 * Puts the demo's credential and the examples into n8n, as far as they are not there. Workflows
 * that are there are left as they are: they may have been changed by hand.
 * @param access base URL and key of the Maxun API
 * @returns the id of each example, by its name
 */
export async function prepareDemo(
	rest: N8nRest,
	access: { baseUrl: string; apiKey: string },
): Promise<Map<string, string>> {
	await prepareCredential(rest, access);
	const there = new Map((await rest.workflows()).map(({ name, id }) => [name, id]));
	const ids = new Map<string, string>();
	for (const example of await readExamples()) {
		const id = there.get(example.name) ?? (await rest.createWorkflow(example)).id;
		ids.set(example.name, id);
	}
	return ids;
}

async function prepareCredential(
	rest: N8nRest,
	{ baseUrl, apiKey }: { baseUrl: string; apiKey: string },
): Promise<void> {
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

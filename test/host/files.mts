import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The folder of this project, absolute. */
export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Reads a file of JSON; what it holds is for the caller to check.
 * @throws Error when the file is missing or holds no JSON
 */
export async function readJson(path: string): Promise<unknown> {
	return JSON.parse(await readFile(path, 'utf8'));
}

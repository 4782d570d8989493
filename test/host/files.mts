import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Reads a JSON file. The caller must check the content.
 * @throws Error if the file is missing or isn't JSON
 */
export async function readJson(path: string): Promise<unknown> {
	return JSON.parse(await readFile(path, 'utf8'));
}

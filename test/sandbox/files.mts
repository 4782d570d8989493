import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from './store.mts';

/** Stores screenshots and documents in a folder next to the state file, or in memory. */
export class FileStore {
	private readonly memory = new Map<string, Uint8Array>();
	private readonly folder: string | undefined;

	constructor(stateFile: string | undefined) {
		this.folder = stateFile === undefined ? undefined : `${stateFile}.files`;
	}

	/** Stores a file. The name must not be a path. */
	async put(name: string, content: Uint8Array): Promise<void> {
		if (this.folder === undefined) this.memory.set(name, content);
		else await writeAtomically(join(this.folder, name), content);
	}

	async get(name: string): Promise<Uint8Array | undefined> {
		if (!/^[\w.-]+$/.test(name) || name.startsWith('.')) return undefined;
		if (this.folder === undefined) return this.memory.get(name);
		return await readFile(join(this.folder, name)).catch(() => undefined);
	}

	async remove(name: string): Promise<void> {
		if (this.folder === undefined) this.memory.delete(name);
		else await rm(join(this.folder, name), { force: true });
	}
}

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestSandbox } from '../helpers/sandbox.mts';
import { freePort } from '../host/ports.mts';
import type { SandboxOptions } from '../sandbox/index.mts';

/** Origins in the files. Each test replaces them with its own servers' origins. */
export const ORIGINS = { sandbox: 'http://sandbox.invalid', n8n: 'http://n8n.invalid' } as const;

/** The package's versions whose data is stored here. */
export const RELEASED = readdirSync(import.meta.dirname).filter((name) =>
	/^\d+\.\d+\.\d+$/.test(name),
);

const fileOf = (version: string, name: string) =>
	join(import.meta.dirname, version, `${name}.json`);

/** The content of a file that a version has written. @returns JSON, to be parsed with a schema */
export const readText = (version: string, name: string): string =>
	readFileSync(fileOf(version, name), 'utf8');

export function writeText(version: string, name: string, text: string): void {
	writeFileSync(fileOf(version, name), text);
}

/** A sandbox whose state can be stored, or that continues a stored one. */
export class SavedSandbox extends TestSandbox {
	private readonly folder = mkdtempSync(join(tmpdir(), 'upgrades-'));
	private readonly file = join(this.folder, 'state.json');

	private constructor(private readonly ownPort: number) {
		super();
	}

	static async create(): Promise<SavedSandbox> {
		return new SavedSandbox(await freePort());
	}

	/** Known before the sandbox starts. */
	override get url(): string {
		return `http://127.0.0.1:${this.ownPort}`;
	}

	override get baseUrl(): string {
		return `${this.url}/api/v1`;
	}

	/** @param state as `save` returned it */
	async begin(settings: SandboxOptions['settings'], state?: string): Promise<void> {
		if (state !== undefined) writeFileSync(this.file, state);
		await this.start({ settings, stateFile: this.file, port: this.ownPort });
	}

	/** Stops the sandbox. @returns its state as JSON */
	async save(): Promise<string> {
		await this.stop();
		return readFileSync(this.file, 'utf8').replaceAll(this.url, ORIGINS.sandbox);
	}

	async remove(): Promise<void> {
		await this.stop();
		rmSync(this.folder, { recursive: true, force: true });
	}
}

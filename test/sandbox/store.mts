import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type State, stateSchema } from './model.mts';

const DEBOUNCE_MS = 100;

/** The sandbox's in-memory state. Saves to a JSON file shortly after each change. */
export class Store {
	private timer: NodeJS.Timeout | undefined;
	private writing: Promise<void> = Promise.resolve();

	private constructor(
		readonly state: State,
		private readonly file: string | undefined,
	) {}

	static async open(file: string | undefined, initial: () => State): Promise<Store> {
		if (file === undefined || !existsSync(file)) return new Store(initial(), file);
		const result = stateSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
		if (!result.success) {
			const where = result.error.issues[0]?.path.join('.') ?? '';
			throw new Error(`${file} is not a sandbox state (at "${where}"); delete it to start afresh`);
		}
		return new Store(result.data, file);
	}

	/** Updates the URLs of robots and screenshots to the current origin. */
	relocate(origin: string): void {
		const { state } = this;
		const from = `${state.origin}/`;
		const move = <T,>(address: T) =>
			typeof address === 'string' && address.startsWith(from)
				? `${origin}/${address.slice(from.length)}`
				: address;
		for (const robot of state.robots) robot.url = move(robot.url);
		for (const run of state.runs) run.screenshots = run.screenshots.map(move);
		state.origin = origin;
		this.touch();
	}

	touch(): void {
		if (this.file === undefined || this.timer !== undefined) return;
		this.timer = setTimeout(() => {
			this.timer = undefined;
			this.flush().catch((error: unknown) => console.error('The state could not be saved:', error));
		}, DEBOUNCE_MS);
	}

	async flush(): Promise<void> {
		clearTimeout(this.timer);
		this.timer = undefined;
		const { file } = this;
		if (file === undefined) return;
		this.writing = this.writing
			.catch(() => undefined)
			.then(async () => await writeAtomically(file, JSON.stringify(this.state)));
		await this.writing;
	}
}

export async function writeAtomically(file: string, content: string | Uint8Array): Promise<void> {
	await mkdir(dirname(file), { recursive: true });
	const temporary = `${file}.${process.pid}.tmp`;
	await writeFile(temporary, content);
	await rename(temporary, file);
}

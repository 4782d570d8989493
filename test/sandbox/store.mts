import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type State, stateSchema } from './model.mts';

const DEBOUNCE_MS = 100;

/** The sandbox's in-memory state. Saves to a JSON file shortly after each change. */
export class Store {
	private timer: NodeJS.Timeout | undefined;

	private constructor(
		readonly state: State,
		private readonly file: string | undefined,
	) {}

	static open(file: string | undefined, initial: () => State): Store {
		if (file === undefined || !existsSync(file)) return new Store(initial(), file);
		const result = stateSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
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
		if (this.file !== undefined) this.timer ??= setTimeout(() => this.save(), DEBOUNCE_MS);
	}

	save(): void {
		clearTimeout(this.timer);
		this.timer = undefined;
		if (this.file === undefined) return;
		mkdirSync(dirname(this.file), { recursive: true });
		// A killed process leaves a whole file behind.
		writeFileSync(`${this.file}.tmp`, JSON.stringify(this.state));
		renameSync(`${this.file}.tmp`, this.file);
	}
}

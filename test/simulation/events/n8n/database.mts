import type { Clock } from '../../clock.mts';

/** How long an access to a quiet database takes at most, in milliseconds. */
const LONGEST_ACCESS = 300;

const SPREAD = 6;

/** One of a hundred accesses to a small table takes more than 50 ms. Most take 1 ms. */
export const SPREAD_OF_SMALL_TABLES = 200;

/** A time in which the database is slow, and in which it may fail in the end. Epoch milliseconds. */
export interface Trouble {
	from: number;
	/** The longest access, in milliseconds. */
	longest: number;
	/** When it begins to fail; undefined if it only is slow. */
	failsFrom?: number;
	to: number;
}

/** The database of one n8n instance. Each access takes time. */
export class Database {
	readonly troubles: Trouble[] = [];

	constructor(
		private readonly clock: Clock,
		private readonly random: () => number,
	) {}

	/** @param spread how rare long accesses are @throws Error while the database fails */
	async access(spread = SPREAD): Promise<void> {
		const { now } = this.clock;
		const trouble = this.troubles.find(({ from, to }) => from <= now && now < to);
		const longest = trouble?.longest ?? LONGEST_ACCESS;
		const power = trouble ? SPREAD : spread;
		await this.clock.pause(1 + Math.floor(this.random() ** power * longest));
		if (trouble?.failsFrom !== undefined && this.clock.now >= trouble.failsFrom) {
			throw new Error('The database is not ready');
		}
	}
}

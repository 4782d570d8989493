/** When something happened within the last minute, by trigger, in epoch milliseconds. */
const times = new Map<string, number[]>();

const MINUTE = 60_000;

/**
 * Limits what deliveries can cause, because anyone who knows the URL can forge them. It counts per process and minute,
 * so a restart forgets it without harm.
 */
export class MinuteLimit {
	constructor(
		private readonly name: string,
		private readonly perMinute: number,
	) {}

	isReached(triggerKey: string): boolean {
		return this.recent(triggerKey).length >= this.perMinute;
	}

	count(triggerKey: string): void {
		times.set(`${this.name} ${triggerKey}`, [...this.recent(triggerKey), Date.now()]);
	}

	/** A time in the future comes from a clock that has been set back. */
	private recent(triggerKey: string): number[] {
		const all = times.get(`${this.name} ${triggerKey}`) ?? [];
		return all.filter((time) => Math.abs(Date.now() - time) < MINUTE);
	}
}

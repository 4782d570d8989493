import type { INodeExecutionData } from 'n8n-workflow';
import { CONCURRENCY } from '../http/concurrency';
import { RequestLimiter } from '../http/requestLimiter';
import { HOUR, MINUTE } from '../http/time';
import type { OneOf } from '../http/values';

/** The items that start the workflow, why there are none, or why Maxun should send the event again. */
export type Decision = OneOf<
	{ items: INodeExecutionData[] } | { ignored: string } | { retry: string }
>;

/** How many useless deliveries a minute may cause requests, apart from deliveries that are being checked. */
const MOST_USELESS = 30 - CONCURRENCY;

const MOST_REFUSED = 1_000;

/** Anybody with the URL can send deliveries. So a process stores deliveries that would cost the same requests again. */
export class Deliveries {
	/** Deliveries that are being checked. Maxun may send the same delivery twice. */
	private readonly current = new Map<string, Promise<Decision>>();
	/** Deliveries of runs that don't start the workflow, and since when this is known. */
	private readonly refused = new Map<string, number>();
	/** When deliveries were useless, for example because Maxun doesn't have their runs. */
	private useless: number[] = [];
	private readonly limiter = new RequestLimiter();

	/** @param hasRun otherwise, the delivery may mean another run the next time */
	async decide(name: string, check: () => Promise<Decision>, hasRun: boolean): Promise<Decision> {
		if (hasRun && isWithin(HOUR, this.refused.get(name))) return { ignored: 'already checked' };
		const known = this.current.get(name);
		if (known) return structuredClone(await known);
		const checking = this.limiter.run(CONCURRENCY, async () => {
			this.useless = this.useless.filter((time) => isWithin(MINUTE, time));
			if (this.useless.length >= MOST_USELESS) return FLOODED;
			const decision = await check();
			if (hasRun && decision.ignored !== undefined) this.refuse(name);
			else if (!decision.items) this.useless.push(Date.now());
			return decision;
		});
		// The list of an earlier check may not contain the run.
		if (!hasRun) return await checking;
		this.current.set(name, checking);
		return await checking.finally(() => this.current.delete(name));
	}

	private refuse(name: string): void {
		for (const [other, time] of this.refused)
			if (this.refused.size >= MOST_REFUSED || !isWithin(HOUR, time)) this.refused.delete(other);
		this.refused.set(name, Date.now());
	}
}

/** The next poll finds the run of a true event. */
export const FLOODED = { retry: 'too many events do not start the workflow' };

const isWithin = (milliseconds: number, time = -Infinity): boolean =>
	Math.abs(Date.now() - time) < milliseconds;

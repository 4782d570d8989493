import { HOUR } from '../http/time';
import { instant, order } from './dates';

/** A run's fields that show when it started and ended. */
export interface TimedRun {
	id: string;
	startedAt?: unknown;
	finishedAt?: unknown;
	/** The local time that a self-hosted server sent, without a zone. */
	startedAtLocal?: unknown;
	finishedAtLocal?: unknown;
}

const firstTime = (times: unknown[]): number | undefined =>
	times.map(order).find((time) => time > 0);

/**
 * When a run started, in epoch milliseconds of the server's clock; undefined if the run doesn't show it. A self-hosted
 * server's local time counts as UTC, so setting or correcting the time zone later changes nothing.
 */
export const startOf = ({ startedAt, startedAtLocal }: TimedRun): number | undefined =>
	firstTime([startedAtLocal, startedAt]);

/** When a run ended, in the same format. If it has no end time, when it started; undefined if it has neither. */
export const endOf = (run: TimedRun): number | undefined =>
	firstTime([run.finishedAtLocal, run.finishedAt]) ?? startOf(run);

/**
 * How many milliseconds ago a run ended. If the server's time zone is unknown, at least this long.
 *
 * @param now the server's time in epoch milliseconds, because n8n's clock may be wrong
 * @returns undefined if the run has no times
 */
export function ageOf(run: TimedRun, now: number): number | undefined {
	const exact = order(instant(run.finishedAt, undefined));
	const end = endOf(run);
	if (exact > 0) return now - exact;
	// A server's local time may be 12 hours behind UTC.
	return end === undefined ? undefined : now - end - 12 * HOUR;
}

import { HOUR } from '../http/time';
import { instant, order } from './dates';

/** The fields of a run that show when it started and ended. */
export interface TimedRun {
	id: string;
	startedAt?: unknown;
	finishedAt?: unknown;
	/** As a self-hosted server sent them: local time, without a zone. */
	startedAtLocal?: unknown;
	finishedAtLocal?: unknown;
}

const firstTime = (times: unknown[]): number | undefined =>
	times.map(order).find((time) => time > 0);

/**
 * When a run started, in epoch milliseconds by the server's clock; undefined if the run doesn't show it. The local
 * time of a self-hosted server counts as UTC. So a time zone that is set or corrected later changes nothing.
 */
export const startOf = ({ startedAt, startedAtLocal }: TimedRun): number | undefined =>
	firstTime([startedAtLocal, startedAt]);

/** When a run ended, in the same way: its start if it has no end time, undefined if it has neither. */
export const endOf = (run: TimedRun): number | undefined =>
	firstTime([run.finishedAtLocal, run.finishedAt]) ?? startOf(run);

/**
 * How long ago a run ended, in milliseconds: at least this long, if the server's time zone is unknown.
 *
 * @param now the server's time in epoch milliseconds. n8n's clock may be wrong
 * @returns undefined if the run has no times
 */
export function ageOf(run: TimedRun, now: number): number | undefined {
	const exact = order(instant(run.finishedAt, undefined));
	const end = endOf(run);
	if (exact > 0) return now - exact;
	// A server's local time may be 12 hours behind UTC.
	return end === undefined ? undefined : now - end - 12 * HOUR;
}

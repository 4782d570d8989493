import { instant, order } from './selfHosted/dates';

/** The fields of a run that show when it ended. */
export interface TimedRun {
	id: string;
	startedAt?: unknown;
	finishedAt?: unknown;
	/** As a self-hosted server sent it: local time, without a zone. */
	finishedAtLocal?: unknown;
}

/**
 * When a run ended, as epoch milliseconds of the server's clock. The local time of a self-hosted server counts as UTC.
 * So a time zone that is set or corrected later changes nothing.
 *
 * @returns the start if the run has no end time; undefined if it has neither
 */
export function endOf({ startedAt, finishedAt, finishedAtLocal }: TimedRun): number | undefined {
	return [finishedAtLocal, finishedAt, startedAt].map(order).find((time) => time > 0);
}

/**
 * When a run ended, as epoch milliseconds of n8n's clock. It is exact if the server's time zone is known.
 *
 * @returns undefined if the run has no times
 */
export const exactEndOf = (run: TimedRun): number | undefined =>
	order(instant(run.finishedAt, undefined)) || endOf(run);

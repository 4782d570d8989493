import { order } from './selfHosted/dates';

/** The fields of a run that show when it ended. */
export interface TimedRun {
	id: string;
	startedAt?: unknown;
	finishedAt?: unknown;
	/** As a self-hosted server sent it: local time, without a zone. */
	finishedAtLocal?: unknown;
}

/**
 * When a run ended, as epoch milliseconds of the server's clock. For a self-hosted server, its local time counts as UTC,
 * so that a time zone that is set or corrected later in the credential changes nothing.
 *
 * @returns the start if the run has no end time; undefined if it has neither
 */
export function endOf({ startedAt, finishedAt, finishedAtLocal }: TimedRun): number | undefined {
	return [finishedAtLocal, finishedAt, startedAt].map(order).find((time) => time > 0);
}

import { SHORTEST_PAUSE } from '../../n8n/internals';
import { deadlineOf } from '../wait';
import type { PendingRun, WaitSettings } from '../types';

/**
 * A paused execution also checks its runs itself. Webhooks don't report cancelled runs or deleted robots, and a
 * delivery may be lost if n8n is down for long. Each pause is as long as the wait so far, within these limits. A day of
 * waiting takes about fifty checks.
 */
const LOOK = { soonest: 5 * 60_000, latest: 30 * 60_000 };

/**
 * How long the shortest pause takes: until the node tries again to start a run, or until it first checks runs whose
 * webhooks were just registered. A run may have ended before, while Maxun still showed it as active.
 */
const SHORT_PAUSE = SHORTEST_PAUSE + 5_000;

/** An item whose run has not started. */
export interface NotStarted {
	itemIndex: number;
	/** When the node first tried to start it, in epoch milliseconds; undefined if it hasn't. */
	since?: number;
	/** Undefined if the item no longer waits for a run. */
	settings: WaitSettings | undefined;
}

type Waiting = Array<Pick<PendingRun, 'since' | 'settings'>>;

export const earliestDeadline = (runs: Waiting) => Math.min(...runs.map(deadlineOf));

/**
 * When the timer ends the pause of an execution, in epoch milliseconds.
 *
 * @param isNew whether webhooks were registered for this pause
 */
export function pauseUntil(runs: Waiting, notStarted: NotStarted[], isNew: boolean): number {
	if (runs.length === 0) {
		return Math.min(earliestDeadline(attempted(notStarted)), Date.now() + spreadOut(1));
	}
	const waited = Date.now() - Math.min(...runs.map(({ since }) => since));
	const pause = isNew ? spreadOut(0.25) : Math.min(Math.max(waited, LOOK.soonest), LOOK.latest);
	return Math.min(earliestDeadline(runs), Date.now() + pause);
}

/** A short pause with a random part, so that executions that paused together don't resume together. */
const spreadOut = (part: number) => SHORT_PAUSE * (1 + part * Math.random());

/** The items that the node tried to start. */
export const attempted = (notStarted: NotStarted[]): Waiting =>
	notStarted.flatMap(({ since, settings }) => (since && settings ? [{ since, settings }] : []));

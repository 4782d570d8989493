import type { Job, OperationContext } from '../operations/operation';

/** How fast an execution starts its tasks. */
interface Pace {
	/** Maximum number of simultaneous runs. */
	slots: number;
	/** How many tasks start at the same time. */
	atOnce: number;
	/** Milliseconds before each start. */
	delay: number;
}

/** @param parallel whether items may be processed in parallel; otherwise, they keep their order */
export function paceOf(
	job: Job,
	{ concurrency, maxun }: OperationContext,
	parallel: boolean,
): Pace {
	const usual = { slots: Infinity, atOnce: parallel ? concurrency : 1, delay: 0 };
	if (!('settings' in job)) return usual;
	const { maxRuns, maxQueued = Infinity, delayBeforeStart } = job.settings;
	// Overlapping starts can hang such a server.
	if (maxun.features.oneAtATime) {
		return { slots: maxRuns ?? 1, atOnce: 1, delay: delayBeforeStart * 1000 };
	}
	// Maxun Cloud queues more runs than it has browsers.
	return { ...usual, slots: maxQueued };
}

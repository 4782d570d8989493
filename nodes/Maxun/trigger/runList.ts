import type { Run } from '../servers/entities';
import { ageOf, endOf } from '../servers/runEnd';
import type { MaxunServer } from '../servers/types';
import { mismatchOf, statusesOf, type RunCriteria } from './event';

const HOUR = 60 * 60_000;

/** Number of latest runs to look through for one that would start the workflow. */
const LATEST = 100;

/** Compares two runs by their end, earlier first. */
export const byEnd = (a: Run, b: Run) => (endOf(a) ?? 0) - (endOf(b) ?? 0);

/**
 * The listed runs that match, latest first.
 *
 * @throws MaxunFault if none of the lists can be read
 */
export async function listLatest({ runs }: MaxunServer, criteria: RunCriteria, endedOnly = true) {
	const { robotIds, events } = criteria;
	const statuses = statusesOf(events);
	const listed = await runs.listEnded({ robotIds, statuses, limit: LATEST, endedOnly });
	// Of runs that ended at the same moment, the latest one comes first in the list.
	const matching = listed.entries
		.filter((run) => mismatchOf(run, criteria) === undefined)
		.reverse()
		.sort(byEnd)
		.reverse();
	return { ...listed, matching };
}

/** A listed run with all its data. @throws MaxunFault if it can't be read */
export const readListed = async (
	{ id, robotId }: Run,
	robotIds: string[],
	{ runs }: MaxunServer,
): Promise<Run> => await runs.get(id, robotId ? [robotId] : robotIds);

/** The runs that ended in the last `maxAge` hours, earliest end first. 0 means no limit. */
export function recentOf(runs: Run[], maxAge: number, warn: (message: string) => void): Run[] {
	const recent = runs.filter((run) => maxAge === 0 || (ageOf(run) ?? 0) <= maxAge * HOUR);
	const old = runs.length - recent.length;
	if (old > 0) warn(`skipped ${old} runs that ended more than ${maxAge} hours ago`);
	return recent.sort(byEnd);
}

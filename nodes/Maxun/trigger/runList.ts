import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { HOUR } from '../http/time';
import type { Item } from '../results/types';
import type { Run } from '../servers/entities';
import { ageOf, endOf } from '../servers/runEnd';
import type { MaxunServer } from '../servers/types';
import { isLate, mismatchOf, statusesOf, tryItems, type Reading, type RunCriteria } from './event';

/** Number of latest runs to look through for one that would start the workflow. */
const LATEST = 100;

/** Compares two runs by their end. Those that ended at the same moment stay in the order of the list. */
export const latestFirst = (a: Run, b: Run) => (endOf(b) ?? 0) - (endOf(a) ?? 0);

/**
 * The listed runs that match, latest first.
 *
 * @throws MaxunFault if none of the lists can be read
 */
export async function listLatest({ runs }: MaxunServer, criteria: RunCriteria, endedOnly = true) {
	const { robotIds, events } = criteria;
	const statuses = statusesOf(events);
	const listed = await runs.listEnded({ robotIds, statuses, limit: LATEST, endedOnly });
	const matching = listed.entries
		.filter((run) => mismatchOf(run, criteria) === undefined)
		.sort(latestFirst);
	return { ...listed, matching };
}

interface ReadingOptions {
	/** Whether a run starts the workflow even if it can't be read. */
	isLastTry?: (run: Run) => boolean;
	/** When to read no further run, in epoch milliseconds. The first one is always read. */
	until?: number;
	/** Reads one run. @throws MaxunFault if it can't be read */
	read?: (run: Run) => Promise<Run>;
}

/** A run with its items, or the reason why it can't be read now. */
export interface ReadRun {
	run: Run;
	items: Item[];
	error?: Error;
}

/** Reads a listed run with all its data. */
const readOneOf =
	({ maxun, settings }: Reading) =>
	async ({ id, robotId }: Run): Promise<Run> =>
		await maxun.runs.get(id, robotId ? [robotId] : settings.robotIds);

/** Reads listed runs and makes their items, a few at a time and in the same order. */
export async function readRuns(
	runs: Run[],
	reading: Reading,
	{ isLastTry = isLate, until = Infinity, read = readOneOf(reading) }: ReadingOptions = {},
): Promise<ReadRun[]> {
	const results = await mapConcurrently(runs, CONCURRENCY, async (run, index) => {
		if (index > 0 && Date.now() > until) return [];
		const made = await tryItems(run, async () => await read(run), reading, isLastTry(run));
		return [made instanceof Error ? { run, items: [], error: made } : { run, items: made }];
	});
	return results.flat();
}

/** How many runs a test in the editor reads at most. Only their data shows whether they would start the workflow. */
export const MOST_TESTED = 10;

/** Reads listed runs one after another until one has items. @returns the last one read; nothing if there are no runs */
export async function readUntilItems(runs: Run[], reading: Reading): Promise<ReadRun[]> {
	let read: ReadRun[] = [];
	for (const run of runs) {
		read = await readRuns([run], reading);
		if (read.some(({ items, error }) => error !== undefined || items.length > 0)) break;
	}
	return read;
}

/** How long ago a missed run may have ended, in milliseconds. */
export const LONGEST_OUTAGE = 72 * HOUR;

/** The runs that ended in the last `maxAge` hours, earliest end first. 0 means no limit of the user. */
export function recentOf(runs: Run[], maxAge: number, warn: (message: string) => void): Run[] {
	const limit = Math.min(maxAge * HOUR || Infinity, LONGEST_OUTAGE);
	const recent = runs.filter((run) => (ageOf(run) ?? 0) <= limit);
	const old = runs.length - recent.length;
	if (old > 0) warn(`skipped ${old} runs that ended more than ${limit / HOUR} hours ago`);
	return recent.sort(latestFirst).reverse();
}

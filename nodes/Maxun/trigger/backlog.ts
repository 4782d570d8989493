import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { recover } from '../http/fault';
import { readEachRobot } from '../servers/eachRobot';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import type { TriggerConnection } from './connection';
import { mismatchOf, RUN_EVENTS, statusesOf, type RunCriteria } from './event';
import { ALL_ROBOTS, type Ledger } from './state/ledger';
import { endOf, exactEndOf } from '../servers/runEnd';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/**
 * Lists filter by start time. A search begins with the earliest run that had to be processed after the previous one. If
 * that search is long ago, it also finds runs that took up to this long, including queue time.
 */
const LONGEST_RUN = 6 * HOUR;

/** How far back a search reaches for a run that was active. */
const LONGEST_ACTIVE = 24 * HOUR;

/** How long a run may be queued. Lists may filter by when a run was queued, although they show when it started. */
const LONGEST_QUEUE = HOUR;

/** How long ago the previous search may be. It must have seen the starts of all active runs of all robots. */
const HINT_TIME = HOUR;

/** If Maxun doesn't find one of several robots for up to this long, no run of it is lost. */
const LONGEST_ABSENCE = HOUR;

/** Maximum number of runs per list that a search reads. Earlier ones are skipped, and the log says so. */
const MAX_LISTED = 10_000;

/** Number of runs to read to find the latest one. */
const LATEST = 100;

/** Runs that have ended and aren't processed. */
export interface Backlog {
	/** Those that start the workflow, earliest end first. */
	missed: Run[];
	/** All that match the criteria, processed or not, earliest end first. */
	matching: Run[];
	/** Whether runs haven't ended yet. A list may show the end of a run later than its event. */
	hasActive: boolean;
	/** Until when the list is complete, in epoch milliseconds of the server's clock. */
	completeUntil: number;
}

/**
 * Finds ended, unprocessed runs that start the workflow.
 *
 * @throws MaxunFault if the list can't be read
 */
export async function findBacklog(
	{ maxun, warn, warnOfMissing }: TriggerConnection,
	ledger: Ledger,
	criteria: RunCriteria & { maxAge?: number },
): Promise<Backlog> {
	const { lateness, clockLead, listEnded } = maxun.runs;
	const { entries, missingRobotIds, hasActive, isTruncated, ...active } = await listEnded({
		robotIds: criteria.robotIds,
		statuses: statusesOf(criteria.events),
		limit: MAX_LISTED,
		since: searchStart(ledger),
	});
	warnOfMissing(missingRobotIds);
	if (isTruncated) warn(`more than ${MAX_LISTED} runs ended meanwhile. Earlier ones are skipped`);
	const matching = entries.filter((run) => mismatchOf(run, criteria) === undefined).sort(byEnd);
	const missed = skipOld(
		matching.filter((run) => !ledger.isProcessed(run)),
		criteria.maxAge,
		ledger,
		warn,
	);
	const ends = entries.map((run) => endOf(run) ?? 0);
	const latest = Math.min(Math.max(0, ...ends), Date.now() + clockLead);
	const absence = missingRobotIds.length > 0 ? LONGEST_ABSENCE : 0;
	const completeUntil = latest - Math.max(lateness, absence);
	if (active.earliestActive !== undefined) {
		const since = Math.min(active.earliestActive, completeUntil, ...missed.map(startOf));
		ledger.hint = { since, at: active.hidesStarts ? (ledger.hint?.at ?? 0) : Date.now() };
	}
	return { missed, matching, hasActive, completeUntil };
}

/** The earliest start of runs that a search lists; undefined for all. */
function searchStart({ unprocessedSince, hint }: Ledger): number | undefined {
	if (unprocessedSince <= 0) return undefined;
	const usual = unprocessedSince - LONGEST_RUN;
	if (!hint) return usual;
	const earliest = Math.max(hint.since, unprocessedSince - LONGEST_ACTIVE);
	const start = Math.min(earliest, unprocessedSince) - LONGEST_QUEUE;
	const isFresh = Date.now() - hint.at < HINT_TIME;
	return isFresh ? start : Math.min(start, usual);
}

/** Counts runs as processed that ended more than `maxAge` hours ago. @returns the others */
function skipOld(
	missed: Run[],
	maxAge: number | undefined,
	ledger: Ledger,
	warn: (message: string) => void,
): Run[] {
	if (!maxAge) return missed;
	const oldest = Date.now() - maxAge * HOUR;
	const isOld = (run: Run) => (exactEndOf(run) ?? oldest) < oldest;
	const old = missed.filter(isOld);
	for (const run of old) ledger.markProcessed(run);
	if (old.length > 0) warn(`skipped ${old.length} runs that ended more than ${maxAge} hours ago`);
	return missed.filter((run) => !isOld(run));
}

/** When a run started, in epoch milliseconds; 0 if unknown. */
const startOf = ({ startedAt }: Run) => Date.parse(String(startedAt)) || 0;

/** The latest run that would start the workflow, with its data. */
export async function readLatest(
	{ runs }: MaxunServer,
	criteria: RunCriteria,
): Promise<Run | undefined> {
	const { robotIds, events } = criteria;
	const list = async (robots: string[]) => {
		const query = { robotIds: robots, statuses: statusesOf(events), limit: LATEST };
		return (await runs.listEnded(query)).entries;
	};
	const listed =
		robotIds.length > 0
			? (await readEachRobot(robotIds, async (robotId) => await list([robotId]))).entries
			: await list([]);
	// Of runs that ended at the same moment, the latest one comes first in the list.
	const latest = listed
		.filter((run) => mismatchOf(run, criteria) === undefined)
		.reverse()
		.sort(byEnd)
		.pop();
	return latest && (await runs.get(latest.id, robotIdsOf(latest, robotIds)));
}

/**
 * Begins to watch robots that aren't watched yet. Their earlier runs count as processed.
 *
 * @throws MaxunFault with status 404 if a robot doesn't exist
 */
export async function watchFromNow(
	maxun: MaxunServer,
	ledger: Ledger,
	robotIds: string[],
): Promise<void> {
	ledger.watchOnly(robotIds);
	await mapConcurrently(robotIds, CONCURRENCY, async (robotId) => {
		await watchRobot(maxun, ledger, robotId);
	});
}

/**
 * Does the same for existing robots, or for all robots if none are selected. Missing robots aren't watched. If one came
 * back, all its runs would appear new.
 *
 * @throws MaxunFault with status 404 if none of the robots exists
 */
export async function watchExistingFromNow(
	{ maxun, warnOfMissing }: TriggerConnection,
	ledger: Ledger,
	robotIds: string[],
): Promise<void> {
	const watched = robotIds.length > 0 ? robotIds : [ALL_ROBOTS];
	ledger.watchOnly(watched);
	const { missingRobotIds } = await readEachRobot(watched, async (robotId) => {
		await watchRobot(maxun, ledger, robotId);
		return [];
	});
	warnOfMissing(missingRobotIds);
}

async function watchRobot({ runs }: MaxunServer, ledger: Ledger, robotId: string): Promise<void> {
	if (ledger.isWatched(robotId)) return;
	const { entries } = await runs.listEnded({
		robotIds: robotId === ALL_ROBOTS ? [] : [robotId],
		statuses: statusesOf(RUN_EVENTS),
		limit: LATEST,
	});
	ledger.watch(robotId, Math.max(0, ...entries.map((run) => endOf(run) ?? 0)));
}

/**
 * A listed run with all its data.
 *
 * @param isLastTry whether to return the run with `dataError` if its data can't be read
 * @throws MaxunFault otherwise
 */
export async function readListed(
	listed: Run,
	robotIds: string[],
	{ runs }: MaxunServer,
	isLastTry: boolean,
): Promise<Run> {
	const reading = runs.get(listed.id, robotIdsOf(listed, robotIds));
	if (!isLastTry) return await reading;
	return await recover(reading, { any: ({ text }) => ({ ...listed, dataError: text }) });
}

/** The robots that a listed run may belong to. */
export const robotIdsOf = ({ robotId }: Run, robotIds: string[]): string[] =>
	robotId ? [robotId] : robotIds;

/** Compares two runs by their end, earlier first. */
export const byEnd = (a: Run, b: Run) => (endOf(a) ?? 0) - (endOf(b) ?? 0);

import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { readEachRobot } from '../servers/eachRobot';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import type { TriggerConnection } from './connection';
import { mismatchOf, RUN_EVENTS, statusesOf, type RunCriteria } from './event';
import { ALL_ROBOTS, endOf, type Ledger } from './state/ledger';

const MINUTE = 60_000;

/** Lists filter by start time. Runs that took up to this long, including queue time, are still found. */
const LONGEST_RUN = 6 * 60 * MINUTE;

/** Maximum number of runs that a search for missed runs reads. Earlier ones are lost. */
const MAX_LISTED = 2000;

/** Number of runs to read to find the latest one. */
const LATEST = 100;

/** Runs that have ended and aren't processed. */
export interface Backlog {
	/** Those that start the workflow, without data, earliest end first. */
	missed: Run[];
	/** Until when the list is complete, in epoch milliseconds of the server's clock. */
	completeUntil: number;
}

/**
 * Finds ended, unprocessed runs that start the workflow.
 *
 * @throws MaxunFault if the list can't be read
 */
export async function findBacklog(
	{ maxun, warnOfMissing }: TriggerConnection,
	ledger: Ledger,
	criteria: RunCriteria,
): Promise<Backlog> {
	const { unprocessedSince } = ledger;
	const { entries, missingRobotIds } = await maxun.runs.listEnded({
		robotIds: criteria.robotIds,
		statuses: statusesOf(criteria.events),
		limit: MAX_LISTED,
		since:
			unprocessedSince > 0 ? new Date(unprocessedSince - LONGEST_RUN).toISOString() : undefined,
	});
	warnOfMissing(missingRobotIds);
	const ended = entries.filter((run) => endOf(run) !== undefined);
	const missed = ended
		.filter((run) => !ledger.isProcessed(run) && mismatchOf(run, criteria) === undefined)
		.sort(byEnd);
	const latest = Math.min(Math.max(0, ...ended.map((run) => endOf(run) ?? 0)), Date.now());
	return { missed, completeUntil: latest - maxun.runs.lateness };
}

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

/** The robots that a listed run may belong to. */
export const robotIdsOf = ({ robotId }: Run, robotIds: string[]): string[] =>
	robotId ? [robotId] : robotIds;

/** Compares two runs by their end, earlier first. */
export const byEnd = (a: Run, b: Run) => (endOf(a) ?? 0) - (endOf(b) ?? 0);

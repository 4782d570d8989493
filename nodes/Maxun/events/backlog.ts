import { hasEnded, type Run } from '../api/entities';
import { listRuns, Runs } from '../api/runs';
import { definedFields } from '../api/request';
import { readPages } from '../core/paging';
import { mapConcurrently } from '../core/concurrency';
import type { Call } from '../core/transport';
import { statusesOf, unwantedBecause, type Happening, type Wanted } from './emit';
import { ALL_ROBOTS, endOf, type Ledger } from './ledger';

const MINUTE = 60_000;

/** The list goes by the start of runs: one that has taken up to so long, waiting included, is still found. */
const LONGEST_RUN = 6 * 60 * MINUTE;

/** How late a run may show in the list, or show that it has changes. */
const LATENESS = 5 * MINUTE;

/** How many runs are looked through; what is beyond is given up. */
const REACH = 2000;

const CONCURRENCY = 5;

/** Runs that have ended and that nothing has been done about. */
export interface Backlog {
	/** Those that start the workflow, without data, the one that ended first in front. */
	missed: Run[];
	/** Up to when the list tells of all that ended, in epoch milliseconds of the service's clock. */
	completeUntil: number;
}

/**
 * Looks for runs that have ended, start the workflow and have not been dealt with.
 *
 * @throws MaxunFault when the list cannot be read
 */
export async function findBacklog(call: Call, ledger: Ledger, wanted: Wanted): Promise<Backlog> {
	const { horizon } = ledger;
	const since = horizon > 0 ? new Date(horizon - LONGEST_RUN).toISOString() : undefined;
	const robotId = wanted.robotIds.length === 1 ? wanted.robotIds[0] : undefined;
	const ended = (await listEnded(call, robotId, wanted.events, REACH, since)).filter(
		(run) => endOf(run) !== undefined,
	);
	const missed = ended
		.filter((run) => !ledger.isSettled(run) && unwantedBecause(run, wanted) === undefined)
		.sort(byEnd);
	const latest = Math.min(Math.max(0, ...ended.map((run) => endOf(run) ?? 0)), Date.now());
	return { missed, completeUntil: latest - LATENESS };
}

/** The latest run that starts the workflow, without data. */
export async function findLatest(call: Call, wanted: Wanted): Promise<Run | undefined> {
	const robots = wanted.robotIds.length > 0 ? wanted.robotIds : [undefined];
	const found = await mapConcurrently(
		robots,
		CONCURRENCY,
		async (robotId) => await listEnded(call, robotId, wanted.events, 100),
	);
	return found
		.flat()
		.filter((run) => unwantedBecause(run, wanted) === undefined)
		.sort(byEnd)
		.pop();
}

/** Begins to watch the robots that are not watched yet, after the runs that they have ended already. */
export async function watchFromNow(call: Call, ledger: Ledger, robotIds: string[]): Promise<void> {
	const watched = robotIds.length > 0 ? robotIds : [ALL_ROBOTS];
	ledger.watchOnly(watched);
	const added = watched.filter((robotId) => !ledger.watches(robotId));
	await mapConcurrently(added, CONCURRENCY, async (robotId) => {
		const listed = robotId === ALL_ROBOTS ? undefined : robotId;
		const runs = await listEnded(call, listed, ['run_aborted', 'run_completed', 'run_failed'], 100);
		ledger.watch(robotId, Math.max(0, ...runs.map((run) => endOf(run) ?? 0)));
	});
}

async function listEnded(
	call: Call,
	robotId: string | undefined,
	events: Happening[],
	wanted: number,
	since?: string,
): Promise<Run[]> {
	const status = statusesOf(events).join(',');
	const runs = await readPages(
		wanted,
		async (page) => await call(listRuns(robotId, definedFields({ status, since, ...page })), Runs),
	);
	return runs.filter(hasEnded);
}

const byEnd = (a: Run, b: Run) => (endOf(a) ?? 0) - (endOf(b) ?? 0);

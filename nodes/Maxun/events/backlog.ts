import type { Run } from '../api/entities';
import { unwantedBecause, type Happening, type Wanted } from './emit';
import { ALL_ROBOTS, endOf, type Ledger } from './ledger';
import { ofRobots, type PassOver, type RunReader } from './runs';

const MINUTE = 60_000;

/** The list goes by the start of runs: one that has taken up to so long, waiting included, is still found. */
const LONGEST_RUN = 6 * 60 * MINUTE;

/** How many runs are looked through; what is beyond is given up. */
const REACH = 2000;

const ALL: Happening[] = ['run_aborted', 'run_completed', 'run_failed'];

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
export async function findBacklog(
	runs: RunReader,
	ledger: Ledger,
	wanted: Wanted,
): Promise<Backlog> {
	const { horizon } = ledger;
	const since = horizon > 0 ? new Date(horizon - LONGEST_RUN).toISOString() : undefined;
	const { robotIds, events } = wanted;
	const listed = await runs.ended({ robotIds, events, wanted: REACH, since });
	const ended = listed.filter((run) => endOf(run) !== undefined);
	const missed = ended
		.filter((run) => !ledger.isSettled(run) && unwantedBecause(run, wanted) === undefined)
		.sort(byEnd);
	const latest = Math.min(Math.max(0, ...ended.map((run) => endOf(run) ?? 0)), Date.now());
	return { missed, completeUntil: latest - runs.lateness };
}

/** The latest run that starts the workflow, without data. */
export async function findLatest(runs: RunReader, wanted: Wanted): Promise<Run | undefined> {
	const { robotIds, events } = wanted;
	const list = async (group: string[]) =>
		await runs.ended({ robotIds: group, events, wanted: 100 });
	const found =
		robotIds.length > 0
			? await ofRobots(
					robotIds,
					async (robotId) => await list([robotId]),
					() => undefined,
				)
			: await list([]);
	// Of runs that ended in the same moment the last is the one that the list has in front.
	return found
		.filter((run) => unwantedBecause(run, wanted) === undefined)
		.reverse()
		.sort(byEnd)
		.pop();
}

/**
 * Begins to watch the robots that are not watched yet, after the runs that they have ended already.
 *
 * @param passOver is told of robots that are gone, which are not watched; when left out, one of them fails the whole
 * @throws MaxunFault with status 404 where all are gone
 */
export async function watchFromNow(
	runs: RunReader,
	ledger: Ledger,
	robotIds: string[],
	passOver: PassOver = refuse,
): Promise<void> {
	const watched = robotIds.length > 0 ? robotIds : [ALL_ROBOTS];
	ledger.watchOnly(watched);
	const watch = async (robotId: string) => {
		if (ledger.watches(robotId)) return [];
		const group = robotId === ALL_ROBOTS ? [] : [robotId];
		const ended = await runs.ended({ robotIds: group, events: ALL, wanted: 100 });
		ledger.watch(robotId, Math.max(0, ...ended.map((run) => endOf(run) ?? 0)));
		return [];
	};
	await ofRobots(watched, watch, passOver);
}

const refuse: PassOver = (_, fault) => {
	throw fault;
};

/** Compares by the end, the earlier one first. */
export const byEnd = (a: Run, b: Run) => (endOf(a) ?? 0) - (endOf(b) ?? 0);

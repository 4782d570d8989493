import { hasEnded, Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { definedFields, type Call } from '../api/request';
import { getRobots, Robots } from '../api/robots';
import { getRun, listRuns, Runs } from '../api/runs';
import { getRunOf, getRunsOf } from '../api/selfHosted/requests';
import type { Dialect } from '../api/service';
import { CONCURRENCY, mapConcurrently } from '../core/concurrency';
import { readPages } from '../core/paging';
import { statusesOf, type Happening } from './emit';

const MINUTE = 60_000;

/** Up to how many robots are asked one by one. */
const SINGLY = 10;

/** Which ended runs are looked for. */
export interface RunQuery {
	/** All robots where there are none. */
	robotIds: string[];
	events: Happening[];
	/** How many runs are enough, the latest ones. */
	wanted: number;
	/** Runs that were started before may be left out; ISO 8601. */
	since?: string;
}

/** How a trigger asks an API for runs. */
export interface RunReader {
	/** How late a run may show in the list, or show as it is in the end, in milliseconds. */
	readonly lateness: number;
	/**
	 * The latest runs that have ended. Robots that are gone have none.
	 *
	 * @throws MaxunFault with status 404 where all of the chosen robots are gone
	 */
	ended(query: RunQuery): Promise<Run[]>;
	/**
	 * The run with its data.
	 *
	 * @param robotIds the robots one of which it is of
	 * @throws MaxunFault with status 404 where there is no such run
	 */
	read(runId: string, robotIds: string[]): Promise<Run>;
}

const cloud = (call: Call, passOver: PassOver): RunReader => ({
	lateness: 5 * MINUTE,
	async ended({ robotIds, events, wanted, since }) {
		const status = statusesOf(events).join(',');
		// The list of all robots reaches less far back, and is asked for only where it saves many requests.
		const isSingly = 0 < robotIds.length && robotIds.length <= SINGLY;
		const list = async (robotId?: string) =>
			await readPages(
				wanted,
				async (page) =>
					await call(listRuns(robotId, definedFields({ status, since, ...page })), Runs),
			);
		const runs = isSingly ? await ofRobots(robotIds, list, passOver) : await list();
		return runs.filter(hasEnded);
	},
	read: async (runId) => await call(getRun(runId), Run),
});

/**
 * A self-hosted server lists the runs of one robot, all of them, with their data. It may leave out when an aborted
 * run ended, and its times may lack their zone, which the clocks' change in autumn then makes ambiguous for an hour:
 * so its list is taken to be complete only a while back, longer than the longest run.
 */
const selfHosted = (call: Call, passOver: PassOver): RunReader => ({
	lateness: 210 * MINUTE,
	async ended({ robotIds, events }) {
		const statuses = statusesOf(events);
		const list = async (robotId: string) => await call(getRunsOf(robotId), Runs);
		const runs =
			robotIds.length > 0
				? await ofRobots(robotIds, list, passOver)
				: await mapConcurrently(
						(await call(getRobots, Robots)).map(({ id }) => id),
						CONCURRENCY,
						async (robotId) => await orNothing(list(robotId), []),
					).then((lists) => lists.flat());
		return runs
			.filter(({ status }) => statuses.includes(status))
			.map((run) => ({ ...run, finishedAt: run.finishedAt ?? run.startedAt }));
	},
	async read(runId, robotIds) {
		for (const robotId of robotIds) {
			const run = await orNothing(call(getRunOf(robotId, runId), Run), undefined);
			if (run) return run;
		}
		throw new MaxunFault(
			`Maxun did not find run '${runId}'`,
			'It is of none of the chosen robots, or has been deleted',
			{ status: 404 },
		);
	},
});

/** Is told of a robot that is gone while others are there. */
export type PassOver = (robotId: string, fault: MaxunFault) => void;

/**
 * What is read of each robot. One that is gone must not keep the others from being read.
 *
 * @throws MaxunFault with status 404 where all are gone
 */
export async function ofRobots<T>(
	robotIds: string[],
	read: (robotId: string) => Promise<T[]>,
	passOver: PassOver,
): Promise<T[]> {
	const gone: Array<{ robotId: string; fault: MaxunFault }> = [];
	const found = await mapConcurrently(
		robotIds,
		CONCURRENCY,
		async (robotId) =>
			await read(robotId).catch((fault: unknown) => {
				if (!isGone(fault)) throw fault;
				gone.push({ robotId, fault });
				return [];
			}),
	);
	if (gone.length === robotIds.length && gone.length > 0) throw gone[0].fault;
	for (const { robotId, fault } of gone) passOver(robotId, fault);
	return found.flat();
}

/** Whether a fault says that what was asked for is not there any more. */
const isGone = (fault: unknown): fault is MaxunFault =>
	fault instanceof MaxunFault && fault.status === 404 && !fault.missingRoute;

/** What was found, or something else where it is not there any more. */
async function orNothing<T, N>(finding: Promise<T>, nothing: N): Promise<T | N> {
	return await finding.catch((fault: unknown) => {
		if (isGone(fault)) return nothing;
		throw fault;
	});
}

type Reading = (call: Call, passOver: PassOver) => RunReader;

export const runReaders: Record<Dialect, Reading> = { cloud, selfHosted };

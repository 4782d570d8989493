import { CONCURRENCY, mapConcurrently } from '../../http/concurrency';
import { MaxunFault, recover } from '../../http/fault';
import { path } from '../../http/request';
import { readEachRobot, type ReadOfRobots } from '../eachRobot';
import { hasEnded, listOf, Robot, Run } from '../entities';
import type { RunFilter, ServerConnection, ServerParts } from '../types';
import { cancelRun } from './cancelRun';
import { instant, newestFirst } from './dates';
import { withRawParts } from './rawRun';
import { readRuns, startAndFind } from './startRun';

const MINUTE = 60_000;

export const runs = (api: ServerConnection): ServerParts['runs'] => {
	return {
		oneAtATime: true,
		// Aborted runs may have no end time, and dates without a time zone are ambiguous when clocks change in the fall. So
		// the most recent part of the list counts as incomplete, for longer than the longest run.
		lateness: 210 * MINUTE,
		clockLead: 14 * 60 * MINUTE,
		cancel: async (runId, robotId) => await cancelRun(api, required(robotId), runId),
		async get(runId, robotIds) {
			const read = async (robotId: string) => {
				const run = await api.get(path`/robots/${robotId}/runs/${runId}`, Run);
				return await withRawParts(api, robotId, run);
			};
			for (const robotId of robotIds.slice(0, -1)) {
				const run = await recover(read(robotId), onlyMissing(undefined));
				if (run) return run;
			}
			return await read(required(robotIds.at(-1)));
		},
		async list(robotId, filter, limit) {
			const all = robotId ? await readRuns(api, robotId) : (await readAll(api)).entries;
			return filterRuns(all, filter, api.timezone).slice(0, limit).map(withoutData);
		},
		async listEnded({ robotIds, statuses }) {
			const read = async (robotId: string) => await readRuns(api, robotId);
			const { entries, missingRobotIds } =
				robotIds.length > 0 ? await readEachRobot(robotIds, read) : await readAll(api);
			return {
				entries: entries.filter(({ status }) => statuses.includes(status)),
				missingRobotIds,
				hasActive: !entries.every(hasEnded),
				isTruncated: false,
				hidesStarts: false,
			};
		},
		page: async (robotId) => ({
			entries: newestFirst(await readRuns(api, required(robotId)), 'startedAt'),
		}),
		async start(robotId, options) {
			const started = await startAndFind(api, robotId, options);
			const run = Run.safeParse(started).data;
			return run ? await withRawParts(api, robotId, run) : started;
		},
	};
};

/** Ignores deleted robots and runs, but not a missing route. */
const onlyMissing = <T>(value: T) => ({
	notFound: () => value,
	missingRoute: (fault: MaxunFault) => {
		throw fault;
	},
});

/** The runs of all robots. Skips robots that are deleted meanwhile. */
async function readAll(api: ServerConnection): Promise<ReadOfRobots<Run>> {
	const robots = await api.get('/robots', listOf(Robot));
	const lists = await mapConcurrently(
		robots,
		CONCURRENCY,
		async ({ id }) => await recover(readRuns(api, id), onlyMissing([])),
	);
	return { entries: lists.flat(), missingRobotIds: [] };
}

/** Self-hosted servers only find runs by robot. */
function required(robotId: string | undefined): string {
	if (robotId) return robotId;
	throw new MaxunFault('No robot selected', 'Select a robot first');
}

/**
 * The runs that match a filter, newest first.
 *
 * @param timezone the server's time zone, if known
 * @throws MaxunFault if times have to be compared and the server's time zone is unknown
 */
function filterRuns(
	all: Run[],
	{ since, until, status, source }: RunFilter,
	timezone: string | undefined,
): Run[] {
	if ((since || until) && !timezone && all.some(hasOnlyLocalTime)) {
		throw new MaxunFault(
			"Since and Until need the server's time zone",
			'The server returns dates without a time zone. Set Server Time Zone in the credential, or remove these filters',
		);
	}
	const isInTime = ({ startedAt }: Run) =>
		(!since || String(startedAt) >= since) && (!until || String(startedAt) <= until);
	const matching = all.filter(
		(run) =>
			(!status?.length || status.includes(run.status)) &&
			(!source || source === run.source) &&
			isInTime(run),
	);
	return newestFirst(matching, 'startedAt');
}

const hasOnlyLocalTime = ({ startedAt }: Run) =>
	Boolean(startedAt) && !instant(startedAt, undefined);

/** A run as the hosted service lists it. This server also sends the data. */
const withoutData = (run: Run): Run => {
	const listed = { ...run };
	delete listed.data;
	return listed;
};

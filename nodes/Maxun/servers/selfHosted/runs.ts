import { MaxunFault, recover } from '../../http/fault';
import { path } from '../../http/request';
import { MINUTE, SECOND } from '../../http/time';
import { about, AnyObject, hasEnded, ListedRun, Run } from '../entities';
import { instant, isLocal, latestEnd, newestFirst, order } from '../dates';
import type { RunFilter, ServerConnection, ServerParts } from '../types';
import { readRunRecord, readRuns, readRunsOf, recordPath, withRawParts } from './readRuns';
import { startAndFind } from './startRun';

export const runs = (api: ServerConnection): ServerParts['runs'] => ({
	cancel: async (runId, robotId) => await cancelRun(api, required(robotId), runId),
	async get(runId, robotIds) {
		const read = async (robotId: string) => {
			const found = about(Run, { id: runId, robotId });
			const run = await api.get(path`/robots/${robotId}/runs/${runId}`, found);
			return await withRawParts(api, robotId, run);
		};
		for (const robotId of robotIds.slice(0, -1)) {
			const run = await recover(read(robotId), { notFound: () => undefined });
			if (run) return run;
		}
		return await read(required(robotIds.at(-1)));
	},
	async list(robotId, filter, limit) {
		const all = robotId ? await readRuns(api, robotId) : await readComplete(api);
		return filterRuns(all, filter, api.timezone)
			.slice(0, limit)
			.map((run) => ListedRun.parse(run));
	},
	async listEnded({ robotIds, statuses }) {
		const { entries, unreadable } = await readRunsOf(api, robotIds);
		return {
			entries: entries.filter(({ status }) => statuses.includes(status)),
			active: entries.filter((run) => !hasEnded(run)),
			unreadable,
			latest: latestEnd(entries.filter(hasEnded)),
			// In local times without a zone, an hour occurs twice when clocks change in the fall.
			lateness: (entries.some(isLocal) ? 210 : 5) * MINUTE,
		};
	},
	page: async (robotId) => ({
		entries: newestFirst(await readRuns(api, required(robotId)), 'startedAt'),
	}),
	start: async (robotId, options) => await startAndFind(api, robotId, options),
});

async function readComplete(api: ServerConnection): Promise<Run[]> {
	const { entries, unreadable } = await readRunsOf(api);
	const failed = unreadable.find(({ fault }) => !fault.isNotFound);
	if (failed) throw failed.fault;
	return entries;
}

function required(robotId: string | undefined): string {
	if (robotId) return robotId;
	throw new MaxunFault('No robot selected', 'Select a robot first');
}

function filterRuns(
	all: Run[],
	{ since, until, status, source }: RunFilter,
	timezone: string | undefined,
): Run[] {
	if ((since || until) && !timezone && all.some(hasOnlyLocalTime)) {
		throw new MaxunFault(
			"To select runs by time, the node needs the server's time zone",
			"The server returns dates without a time zone. Set 'Server Time Zone' in the credential",
		);
	}
	const isInTime = ({ startedAt }: Run) =>
		(!since || order(startedAt) >= order(since)) && (!until || order(startedAt) <= order(until));
	const matching = all.filter(
		(run) =>
			(!status?.length || status.includes(run.status)) &&
			(!source || source === run.source) &&
			isInTime(run),
	);
	return newestFirst(matching, 'startedAt');
}

const hasOnlyLocalTime = ({ startedAt }: Run) => Boolean(startedAt) && !instant(startedAt);

// Canceling a run before its browser has started blocks this browser until the server restarts.

/** A run without a log may be starting its browser, which usually takes three seconds. */
const BROWSER_START = 10 * SECOND;

async function cancelRun(api: ServerConnection, robotId: string, runId: string) {
	const until = Date.now() + BROWSER_START;
	for (;;) {
		const { log, status } = await readRunRecord(api, robotId, runId);
		if (log !== '' || status !== 'running' || Date.now() >= until) break;
		await api.sleep(SECOND);
	}
	const { status } = await api.post(`${recordPath(robotId, runId)}/abort`, AnyObject);
	return { robotId, status };
}

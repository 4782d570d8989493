import { recover } from '../../http/fault';
import { path, withoutEmpty } from '../../http/request';
import { MINUTE } from '../../http/time';
import { isEmpty } from '../../http/values';
import { readEachRobot } from '../eachRobot';
import { latestEnd } from '../dates';
import { about, hasEnded, ListedRun, pageOf, listOf, Run, StartResponse } from '../entities';
import { subjectOf } from '../explain';
import { findLost, mayHaveStarted } from '../lost';
import type { RunFilter, ServerConnection, ServerParts, StartOptions } from '../types';
import { pagesLength, pagesOf, readPage, readPages } from './paging';
import { Reply } from './response';

const ACTIVE_STATUSES = ['queued', 'running'];

/** How many runs show the latest end. Runs that began later may have ended earlier. */
const LATEST = 100;

function runAt(runsPath: string) {
	const [, , robotId] = runsPath.split('/');
	return robotId ? about(ListedRun, { robotId: decodeURIComponent(robotId) }) : ListedRun;
}

export async function listRuns(
	api: ServerConnection,
	runsPath: string,
	{ status, ...filter }: RunFilter,
	limit: number,
	parallel = api.concurrency,
): Promise<ListedRun[]> {
	const query = { ...filter, status: status?.join(',') };
	const page = pageOf(runAt(runsPath));
	return await readPages(limit, parallel, pagesOf(api, runsPath, page, query));
}

const runsPathOf = (robotId: string | undefined) =>
	robotId === undefined ? '/runs' : path`/robots/${robotId}/runs`;

export const runs = (api: ServerConnection): ServerParts['runs'] => ({
	cancel: async (runId) => await api.post(path`/runs/${runId}/cancel`, Reply),
	delete: async (runId) => await api.delete(path`/runs/${runId}`),
	get: async (runId) => await api.get(path`/runs/${runId}`, about(Run, { id: runId })),
	list: async (robotId, filter, limit) => await listRuns(api, runsPathOf(robotId), filter, limit),
	listActive: async () => await api.get('/runs/active', listOf(ListedRun)),
	async listEnded({ robotIds, statuses, limit, earliestStart, endedOnly }) {
		const status = endedOnly ? statuses : [...statuses, ...ACTIVE_STATUSES];
		const read = async (robotId?: string, most = limit) => {
			const runsPath = runsPathOf(robotId);
			const latest = async () =>
				latestEnd(await listRuns(api, runsPath, { status: statuses }, LATEST));
			const start = (await earliestStart?.(latest, robotId)) ?? 0;
			const filter = { status, since: start > 0 ? new Date(start).toISOString() : undefined };
			// Reading pages in advance would cost requests.
			return await listRuns(api, runsPath, filter, most, earliestStart ? 1 : undefined);
		};
		const isShared = robotIds.length > 1 && earliestStart !== undefined;
		const most = isShared ? pagesLength(Math.ceil(robotIds.length / 2)) : limit;
		/** One list instead of one for each robot, unless it needs more requests or may hide a robot's runs. */
		const shared =
			isShared || robotIds.length === 0
				? await recover(read(undefined, most), isShared ? { any: () => undefined } : {})
				: undefined;
		const isComplete = shared !== undefined && (!isShared || shared.length < most);
		const { entries, unreadable } = isComplete
			? { entries: shared, unreadable: [] }
			: await readEachRobot(robotIds, read);
		return {
			entries: entries.filter(hasEnded),
			active: entries.filter((run) => !hasEnded(run)),
			unreadable,
			// Even runs of other robots show the time.
			latest: latestEnd([...entries, ...(shared ?? [])].filter(hasEnded)),
			lateness: 5 * MINUTE,
		};
	},
	page: async (_robotId, offset) =>
		await readPage(offset, pagesOf(api, '/runs', pageOf(ListedRun))),
	start: async (robotId, options) => await startOrFind(api, path`/robots/${robotId}/runs`, options),
});

/** Never retries a start with a lost response, because Maxun charges for it. A listed run doesn't show its inputs. */
export async function startOrFind(
	api: ServerConnection,
	runsPath: string,
	{ formats, params, isExclusive }: StartOptions,
): Promise<StartResponse> {
	const sentAt = api.serverTime();
	const body = withoutEmpty({ formats, params: isEmpty(params) ? undefined : params });
	return await recover(api.post(runsPath, StartResponse, body), {
		mayHaveHappened: async (fault) => {
			const found = await findLost(api, async (reading) => {
				const latest = listOf(runAt(runsPath));
				const runs = await reading.get(runsPath, latest, { limit: 100, offset: 0 });
				return runs.filter((run) => isCandidate(run, sentAt));
			});
			if (isExclusive && found?.length === 1) return found[0];
			throw mayHaveStarted(fault, subjectOf(runsPath), found, sentAt);
		},
	});
}

/** A queued run may have no start time yet. */
function isCandidate({ source, startedAt, finishedAt }: ListedRun, sentAt: number): boolean {
	if (source !== undefined && source !== 'api') return false;
	const time = Date.parse(String(startedAt));
	// The server's clock may differ by a few seconds.
	return Number.isNaN(time) ? !finishedAt : time >= sentAt - 5_000;
}

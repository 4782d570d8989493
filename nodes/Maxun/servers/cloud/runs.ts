import { recover } from '../../http/fault';
import { path, withoutEmpty } from '../../http/request';
import { MINUTE } from '../../http/time';
import { readEachRobot } from '../eachRobot';
import { hasEnded, ListedRun, pageOf, listOf, Run, StartResponse } from '../entities';
import { subjectOf } from '../explain';
import { findLost, mayHaveStarted } from '../lost';
import type { RunFilter, ServerConnection, ServerParts, StartOptions } from '../types';
import { pagesLength, pagesOf, readPage, readPages } from './paging';
import { Reply } from './response';

const ACTIVE_STATUSES = ['queued', 'running'];

const Runs = pageOf(ListedRun);
const ListedRuns = listOf(ListedRun);

export async function listRuns(
	api: ServerConnection,
	runsPath: string,
	{ status, ...filter }: RunFilter,
	limit: number,
	parallel = api.concurrency,
): Promise<ListedRun[]> {
	const query = { ...filter, status: status?.join(',') };
	return await readPages(limit, parallel, pagesOf(api, runsPath, Runs, query));
}

const runsPathOf = (robotId: string | undefined) =>
	robotId === undefined ? '/runs' : path`/robots/${robotId}/runs`;

export const runs = (api: ServerConnection): ServerParts['runs'] => ({
	lateness: 5 * MINUTE,
	cancel: async (runId) => await api.post(path`/runs/${runId}/cancel`, Reply),
	delete: async (runId) => await api.delete(path`/runs/${runId}`),
	get: async (runId) => await api.get(path`/runs/${runId}`, Run),
	list: async (robotId, filter, limit) => await listRuns(api, runsPathOf(robotId), filter, limit),
	listActive: async () => await api.get('/runs/active', ListedRuns),
	async listEnded({ robotIds, statuses, limit, earliestStart, endedOnly = false }) {
		const status = endedOnly ? statuses : [...statuses, ...ACTIVE_STATUSES];
		const begun = Date.now();
		const read = async (robotId?: string, most = limit) => {
			const filter = {
				status,
				since: earliestStart && new Date(earliestStart(robotId)).toISOString(),
			};
			// Reading pages in advance would cost requests.
			return await listRuns(api, runsPathOf(robotId), filter, most, earliestStart ? 1 : undefined);
		};
		/** One list instead of one for each robot; undefined if it needs more requests or may hide a robot's runs. */
		const readShared = async () => {
			if (robotIds.length === 0) return { entries: await read(), unreadable: [] };
			if (robotIds.length === 1 || !earliestStart) return undefined;
			const most = pagesLength(Math.ceil(robotIds.length / 2));
			const list = await recover(read(undefined, most), { any: () => undefined });
			return list && list.length < most ? { entries: list, unreadable: [] } : undefined;
		};
		const { entries, unreadable } = (await readShared()) ?? (await readEachRobot(robotIds, read));
		return {
			entries: entries.filter(hasEnded),
			active: entries.filter((run) => !hasEnded(run)),
			unreadable,
			// A long list may not show a run that has ended in the meantime.
			now: api.serverTime() - (Date.now() - begun),
		};
	},
	page: async (_robotId, offset) => await readPage(offset, pagesOf(api, '/runs', Runs)),
	start: async (robotId, options) => await startOrFind(api, path`/robots/${robotId}/runs`, options),
});

/** Never retries a start with a lost response, because Maxun charges for it. A listed run doesn't show its inputs. */
export async function startOrFind(
	api: ServerConnection,
	runsPath: string,
	{ formats, params = {}, isExclusive = false }: StartOptions,
): Promise<StartResponse> {
	const sentAt = api.serverTime();
	const hasParams = Object.keys(params).length > 0;
	const body = withoutEmpty({ formats, params: hasParams ? params : undefined });
	return await recover(api.post(runsPath, StartResponse, body), {
		mayHaveHappened: async (fault) => {
			const found = await findLost(api, async (reading) => {
				const runs = await reading.get(runsPath, ListedRuns, { limit: 100, offset: 0 });
				return runs.filter((run) => isOf(runsPath, run) && isCandidate(run, sentAt));
			});
			if (isExclusive && found?.length === 1) return found[0];
			throw mayHaveStarted(fault, subjectOf(runsPath), found, sentAt);
		},
	});
}

/** A run that doesn't show its robot counts, too. */
const isOf = (runsPath: string, { robotId }: ListedRun) =>
	!robotId || runsPath.split('/').includes(encodeURIComponent(robotId));

/** A queued run may have no start time yet. */
function isCandidate({ source, startedAt, finishedAt }: ListedRun, sentAt: number): boolean {
	if (source !== undefined && source !== 'api') return false;
	const time = Date.parse(String(startedAt));
	// The server's clock may differ by a few seconds.
	return Number.isNaN(time) ? !finishedAt : time >= sentAt - 5_000;
}

import type { IDataObject } from 'n8n-workflow';
import { path, withoutEmpty } from '../../http/request';
import { readEachRobot } from '../eachRobot';
import { hasEnded, listOf, Run, type StartResponse } from '../entities';
import type { RunFilter, ServerConnection, ServerParts, StartOptions } from '../types';
import { pageOf, readPages } from './paging';
import { Reply } from './response';
import { startRun as startOrFind } from './startRun';

const Runs = listOf(Run);

/** Statuses of runs that haven't ended. */
const ACTIVE_STATUSES = ['queued', 'running'];

const startOf = ({ startedAt }: Run) => Date.parse(String(startedAt)) || 0;

const MINUTE = 60_000;

/** Maximum number of robots to read one by one. The list for all robots reaches less far back. */
const ONE_BY_ONE = 10;

/** Starts a run. `runsPath` belongs to a robot or an agent. */
export async function startRun(
	api: ServerConnection,
	runsPath: string,
	{ formats, params = {} }: StartOptions,
): Promise<StartResponse> {
	const body = withoutEmpty({
		formats,
		params: Object.keys(params).length > 0 ? params : undefined,
	});
	return await startOrFind(api, runsPath, body);
}

/** Runs without data, newest first. */
export async function listRuns(
	api: ServerConnection,
	runsPath: string,
	{ status, ...filter }: RunFilter,
	limit: number,
): Promise<Run[]> {
	const query: IDataObject = withoutEmpty({ ...filter, status: status?.join(',') });
	return await readPages(
		limit,
		api,
		async (page, reading) => await reading.get(runsPath, Runs, { ...query, ...page }),
	);
}

const runsOf = (robotId: string | undefined) =>
	robotId === undefined ? '/runs' : path`/robots/${robotId}/runs`;

export const runs = (api: ServerConnection): ServerParts['runs'] => ({
	oneAtATime: false,
	lateness: 5 * MINUTE,
	clockLead: 0,
	cancel: async (runId) => await api.post(path`/runs/${runId}/cancel`, Reply),
	delete: async (runId) => await api.delete(path`/runs/${runId}`),
	get: async (runId) => await api.get(path`/runs/${runId}`, Run),
	list: async (robotId, filter, limit) => await listRuns(api, runsOf(robotId), filter, limit),
	listActive: async () => await api.get('/runs/active', Runs),
	async listEnded({ robotIds, statuses, limit, since }) {
		const filter = {
			status: [...statuses, ...ACTIVE_STATUSES],
			since: since ? new Date(since).toISOString() : undefined,
		};
		let isTruncated = false;
		const read = async (robotId?: string) => {
			const list = await listRuns(api, runsOf(robotId), filter, limit);
			isTruncated ||= list.length >= limit;
			return list;
		};
		const isFew = 0 < robotIds.length && robotIds.length <= ONE_BY_ONE;
		const { entries, missingRobotIds } = isFew
			? await readEachRobot(robotIds, read)
			: { entries: await read(), missingRobotIds: [] };
		const starts = entries.filter((run) => !hasEnded(run)).map(startOf);
		return {
			entries: entries.filter(hasEnded),
			hasActive: starts.length > 0,
			missingRobotIds,
			isTruncated,
			earliestActive: Math.min(Infinity, ...starts.filter((start) => start > 0)),
			hidesStarts: starts.includes(0),
		};
	},
	// The service lists the runs of all robots at once.
	page: async (_robotId, offset) =>
		await pageOf(offset, async (page) => await api.get('/runs', Runs, { ...page })),
	start: async (robotId, options) => await startRun(api, path`/robots/${robotId}/runs`, options),
});

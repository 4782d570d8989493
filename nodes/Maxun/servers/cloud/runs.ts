import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { path, withoutEmpty } from '../../http/request';
import { readEachRobot } from '../eachRobot';
import { hasEnded, listOf, Run, StartResponse } from '../entities';
import type { RunFilter, ServerConnection, ServerParts, StartOptions } from '../types';
import { pageOf, readPages } from './paging';
import { Reply } from './response';

const Runs = listOf(Run);

const MINUTE = 60_000;

/** Up to how many robots are asked one by one. The list of all robots' runs reaches less far back. */
const ONE_BY_ONE = 10;

/** Starts a run; `runsPath` is that of a robot or an agent. */
export async function startRun(
	{ send }: ServerConnection,
	runsPath: string,
	{ formats, params = {} }: StartOptions,
): Promise<StartResponse> {
	const body = withoutEmpty({
		formats,
		params: Object.keys(params).length > 0 ? params : undefined,
	});
	return await send({ method: 'POST', path: runsPath, body }, StartResponse);
}

/** Runs without data, newest first. */
export async function listRuns(
	{ send }: ServerConnection,
	runsPath: string,
	{ status, ...filter }: RunFilter,
	limit: number,
): Promise<Run[]> {
	const query: IDataObject = withoutEmpty({ ...filter, status: status?.join(',') });
	return await readPages(
		limit,
		async (page) =>
			await send({ method: 'GET', path: runsPath, query: { ...query, ...page } }, Runs),
	);
}

const runsOf = (robotId: string | undefined) =>
	robotId === undefined ? '/runs' : path`/robots/${robotId}/runs`;

export const runs = (api: ServerConnection): ServerParts['runs'] => ({
	oneAtATime: false,
	lateness: 5 * MINUTE,
	cancel: async (runId) =>
		await api.send({ method: 'POST', path: path`/runs/${runId}/cancel` }, Reply),
	async delete(runId) {
		await api.send({ method: 'DELETE', path: path`/runs/${runId}` }, z.unknown());
	},
	get: async (runId) => await api.send({ method: 'GET', path: path`/runs/${runId}` }, Run),
	list: async (robotId, filter, limit) => await listRuns(api, runsOf(robotId), filter, limit),
	listActive: async () => await api.send({ method: 'GET', path: '/runs/active' }, Runs),
	async listEnded({ robotIds, statuses, limit, since }) {
		const read = async (robotId?: string) =>
			await listRuns(api, runsOf(robotId), { status: statuses, since }, limit);
		const isFew = 0 < robotIds.length && robotIds.length <= ONE_BY_ONE;
		const { entries, missingRobotIds } = isFew
			? await readEachRobot(robotIds, read)
			: { entries: await read(), missingRobotIds: [] };
		return { entries: entries.filter(hasEnded), missingRobotIds };
	},
	// The service lists the runs of all robots at once.
	page: async (_robotId, offset) =>
		await pageOf(
			offset,
			async (page) => await api.send({ method: 'GET', path: '/runs', query: { ...page } }, Runs),
		),
	start: async (robotId, options) => await startRun(api, path`/robots/${robotId}/runs`, options),
});

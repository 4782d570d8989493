import { z } from 'zod';
import { path, withoutEmpty } from '../../http/request';
import { Robot } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { pageOf, readPages } from './paging';
import { Reply } from './response';
import { Robots } from './robots';
import { listRuns, startRun } from './runs';

export const agents = (api: ServerConnection): ServerParts['agents'] => ({
	create: async (body) => await api.send({ method: 'POST', path: '/agents', body }, Reply),
	async delete(agentId) {
		await api.send({ method: 'DELETE', path: path`/agents/${agentId}` }, z.unknown());
	},
	get: async (agentId) => await api.send({ method: 'GET', path: path`/agents/${agentId}` }, Robot),
	list: async (limit) =>
		await readPages(
			limit,
			async (page) =>
				await api.send({ method: 'GET', path: '/agents', query: { ...page } }, Robots),
		),
	listRuns: async (agentId, filter, limit) =>
		await listRuns(api, path`/agents/${agentId}/runs`, filter, limit),
	page: async (text, offset) =>
		await pageOf(
			offset,
			async (page) =>
				await api.send(
					{
						method: 'GET',
						path: '/robots',
						query: withoutEmpty({ type: 'agent', q: text, ...page }),
					},
					Robots,
				),
		),
	rename: async (agentId, name) =>
		await api.send({ method: 'PATCH', path: path`/agents/${agentId}`, body: { name } }, Reply),
	startRun: async (agentId, options) => await startRun(api, path`/agents/${agentId}/runs`, options),
});

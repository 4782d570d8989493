import { path } from '../../http/request';
import { Robot } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { pagesOf, readPages } from './paging';
import { Reply } from './response';
import { Robots } from './robots';
import { listRuns } from './runs';
import { startOrFind } from './startRun';

export const agents = (api: ServerConnection): ServerParts['agents'] => ({
	create: async (fields) => await api.post('/agents', Reply, fields),
	delete: async (agentId) => await api.delete(path`/agents/${agentId}`),
	get: async (agentId) => await api.get(path`/agents/${agentId}`, Robot),
	list: async (limit) => await readPages(limit, api.concurrency, pagesOf(api, '/agents', Robots)),
	listRuns: async (agentId, filter, limit) =>
		await listRuns(api, path`/agents/${agentId}/runs`, filter, limit),
	rename: async (agentId, name) => await api.patch(path`/agents/${agentId}`, Reply, { name }),
	startRun: async (agentId, options) =>
		await startOrFind(api, path`/agents/${agentId}/runs`, options),
});

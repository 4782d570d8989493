import type { ServerConnection, ServerParts } from '../types';
import { createAgent } from './create';
import { checkMonitoringSupport } from './monitoring';

/** On a self-hosted server, an agent is a robot that was built from a prompt. */
export const agents = (
	api: ServerConnection,
	{ robots, runs }: Pick<ServerParts, 'robots' | 'runs'>,
): ServerParts['agents'] => ({
	async create(fields) {
		if (fields.compareRuns) await checkMonitoringSupport(api);
		return await createAgent(api, fields);
	},
	delete: async (agentId) => await robots.delete?.(agentId),
	get: robots.get,
	list: async (limit) => await robots.list({ type: 'agent' }, limit),
	listRuns: runs.list,
	rename: async (agentId, name) => (await robots.update?.(agentId, { name })) ?? {},
	startRun: runs.start,
});

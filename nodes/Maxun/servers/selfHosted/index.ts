import { extractRobots } from '../sdk/robots';
import { AnyEntry } from '../entities';
import type { ServerConnection, ServerParts, ServerType } from '../types';
import { selfHostedProtocol } from './explain';
import { robots } from './robots';
import { runs } from './runs';
import { createAgent } from './create';
import { checkMonitoringSupport, monitoring, schedules, webhooks } from './settings';

function partsOn(connection: ServerConnection): ServerParts {
	const parts = { robots: robots(connection), runs: runs(connection) };
	return {
		...parts,
		account: {
			get: async () => ({ ...(await connection.get('/sdk/status', AnyEntry)), teams: [] }),
		},
		agents: agents(connection, parts),
		extractRobots: extractRobots(connection, checkMonitoringSupport),
		monitoring: monitoring(connection),
		schedules: schedules(connection),
		webhooks: webhooks(connection),
	};
}

export const selfHosted: ServerType = {
	name: 'Self-Hosted',
	description: 'A Maxun server that you host yourself',
	protocol: selfHostedProtocol,
	partsOn,
	features: new Set(['endTime', 'oneAtATime', 'privateNetwork', 'runQuestions', 'runsByRobot']),
};

/** On a self-hosted server, an agent is a robot that was built from a prompt. */
const agents = (
	api: ServerConnection,
	{ robots, runs }: Pick<ServerParts, 'robots' | 'runs'>,
): ServerParts['agents'] => ({
	async create(fields) {
		if (fields.compareRuns) await checkMonitoringSupport(api);
		return await createAgent(api, fields);
	},
	delete: robots.delete,
	get: robots.get,
	list: async (limit) => await robots.list({ type: 'agent' }, limit),
	listRuns: runs.list,
	rename: async (agentId, name) => await robots.update(agentId, { name }),
	startRun: runs.start,
});

import { extractRobots } from '../sdk/robots';
import { AnyObject } from '../entities';
import type { ServerConnection, ServerParts, ServerType } from '../types';
import { agents } from './agents';
import { checkMonitoringSupport, monitoring } from './monitoring';
import { selfHostedProtocol } from './protocol';
import { robots } from './robots';
import { runs } from './runs';
import { schedules } from './schedules';
import { webhooks } from './webhooks';

function partsOn(connection: ServerConnection): ServerParts {
	const parts = { robots: robots(connection), runs: runs(connection) };
	return {
		...parts,
		account: {
			// A self-hosted server has no teams.
			get: async () => ({ ...(await connection.get('/sdk/status', AnyObject)), teams: [] }),
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
	features: {
		alerts: false,
		changesFilter: false,
		credits: false,
		deepExtraction: false,
		endTime: true,
		inputs: false,
		oneAtATime: true,
		privateNetwork: true,
		runQuestions: true,
		runsByRobot: true,
		teams: false,
	},
};

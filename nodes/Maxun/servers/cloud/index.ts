import { extractRobots } from '../sdk/robots';
import type { ServerConnection, ServerParts, ServerType } from '../types';
import { account } from './account';
import { agents } from './agents';
import { cloudProtocol, sdkRoutes } from './protocol';
import { robots } from './robots';
import { runs } from './runs';
import { monitoring, schedules, webhooks } from './settings';

const partsOn = (connection: ServerConnection): ServerParts => ({
	account: account(connection),
	agents: agents(connection),
	extractRobots: extractRobots(connection.through(sdkRoutes)),
	monitoring: monitoring(connection),
	robots: robots(connection),
	runs: runs(connection),
	schedules: schedules(connection),
	webhooks: webhooks(connection),
});

export const cloud: ServerType = {
	name: 'Maxun Cloud',
	description: 'The service at app.maxun.dev',
	protocol: cloudProtocol,
	partsOn,
	features: {
		alerts: true,
		changesFilter: true,
		credits: true,
		deepExtraction: true,
		endTime: false,
		inputs: true,
		oneAtATime: false,
		privateNetwork: false,
		runQuestions: false,
		runsByRobot: false,
		teams: true,
	},
};

import { extractRobots } from '../sdk/robots';
import type { ServerConnection, ServerParts, ServerType } from '../types';
import { cloudProtocol, sdkRoutes } from './protocol';
import { agents, robots } from './robots';
import { runs } from './runs';
import { monitoring, schedules, webhooks } from './settings';
import { z } from 'zod';
import { AnyObject, listOf } from '../entities';

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

const Team = z
	.object({
		id: z.union([z.string().min(1), z.number().transform(String)]),
		name: z.string().catch(''),
		role: z.string().optional(),
	})
	.passthrough();

const Profile = AnyObject.extend({ teams: z.array(Team).catch([]) });

const account = (api: ServerConnection): ServerParts['account'] => ({
	get: async () => await api.get('/me', Profile),
	getQueue: async () => await api.get('/queue', AnyObject),
	getRateLimits: async () => await api.get('/usage/rate-limits', listOf(AnyObject)),
	getUsage: async () => await api.get('/usage', AnyObject),
});

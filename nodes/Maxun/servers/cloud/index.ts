import { extractRobots } from '../sdk/robots';
import type { ServerConnection, ServerParts } from '../types';
import { account } from './account';
import { agents } from './agents';
import { monitoring } from './monitoring';
import { sdkProtocol } from './protocol';
import { robots } from './robots';
import { runs } from './runs';
import { schedules } from './schedules';
import { webhooks } from './webhooks';

/** Maxun Cloud's API v1. */
export const cloudParts = (connection: ServerConnection): ServerParts => ({
	account: account(connection),
	agents: agents(connection),
	extractRobots: extractRobots(connection.through(sdkProtocol)),
	monitoring: monitoring(connection),
	robots: robots(connection),
	runs: runs(connection),
	schedules: schedules(connection),
	webhooks: webhooks(connection),
});

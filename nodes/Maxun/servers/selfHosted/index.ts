import type { ServerConnection, ServerParts } from '../types';
import { robots } from './robots';
import { runs } from './runs';
import { schedules } from './schedules';
import { webhooks } from './webhooks';

/** The API of a self-hosted server. */
export const selfHostedParts = (connection: ServerConnection): ServerParts => ({
	robots: robots(connection),
	runs: runs(connection),
	schedules: schedules(connection),
	webhooks: webhooks(connection),
});

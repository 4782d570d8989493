import { extractRobots } from '../sdk/robots';
import type { ServerConnection, ServerParts } from '../types';
import { account } from './account';
import { agents } from './agents';
import { checkMonitoringSupport, monitoring } from './monitoring';
import { robots } from './robots';
import { runs } from './runs';
import { schedules } from './schedules';
import { webhooks } from './webhooks';

/** The API of a self-hosted server. */
export function selfHostedParts(connection: ServerConnection): ServerParts {
	const parts = { robots: robots(connection), runs: runs(connection) };
	return {
		...parts,
		account: account(connection),
		agents: agents(connection, parts),
		extractRobots: extractRobots(connection, checkMonitoringSupport),
		monitoring: monitoring(connection),
		schedules: schedules(connection),
		webhooks: webhooks(connection),
	};
}

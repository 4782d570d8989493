import type { ServerConnection, ServerParts } from '../types';
import { account } from './account';
import { agents } from './agents';
import { extractRobots } from './extractRobots';
import { monitoring } from './monitoring';
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
		extractRobots: extractRobots(connection),
		monitoring: monitoring(connection),
		schedules: schedules(connection),
		webhooks: webhooks(connection),
	};
}

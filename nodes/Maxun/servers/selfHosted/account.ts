import { AnyObject } from '../entities';
import type { ServerConnection, ServerParts } from '../types';
import { since } from './explain';

export const account = (api: ServerConnection): ServerParts['account'] => ({
	// A self-hosted server has no teams.
	async get() {
		const status = api.get('/sdk/status', AnyObject);
		return { ...(await since('0.0.36', 'reading the account', status)), teams: [] };
	},
});

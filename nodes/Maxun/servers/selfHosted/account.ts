import { AnyObject } from '../entities';
import type { ServerConnection, ServerParts } from '../types';

export const account = (api: ServerConnection): ServerParts['account'] => ({
	// A self-hosted server has no teams.
	async get() {
		return { ...(await api.get('/sdk/status', AnyObject)), teams: [] };
	},
});

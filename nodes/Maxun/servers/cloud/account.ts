import { z } from 'zod';
import { AnyObject, listOf } from '../entities';
import type { ServerConnection, ServerParts } from '../types';

const Team = z
	.object({
		id: z.union([z.string().min(1), z.number().transform(String)]),
		name: z.string().catch(''),
		role: z.string().optional(),
	})
	.passthrough();

const Profile = AnyObject.extend({ teams: z.array(Team).catch([]) });

export const account = (api: ServerConnection): ServerParts['account'] => ({
	get: async () => await api.get('/me', Profile),
	getQueue: async () => await api.get('/queue', AnyObject),
	getRateLimits: async () => await api.get('/usage/rate-limits', listOf(AnyObject)),
	getUsage: async () => await api.get('/usage', AnyObject),
});

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

const Account = AnyObject.extend({ teams: z.array(Team).catch([]) });

export const account = ({ send }: ServerConnection): ServerParts['account'] => ({
	get: async () => await send({ method: 'GET', path: '/me' }, Account),
	getQueue: async () => await send({ method: 'GET', path: '/queue' }, AnyObject),
	getRateLimits: async () =>
		await send({ method: 'GET', path: '/usage/rate-limits' }, listOf(AnyObject)),
	getUsage: async () => await send({ method: 'GET', path: '/usage' }, AnyObject),
});

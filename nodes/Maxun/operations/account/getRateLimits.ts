import { z } from 'zod';
import { operation } from '../operation';

export const getRateLimits = operation(
	{
		resource: 'account',
		value: 'getRateLimits',
		name: 'Get Rate Limits',
		action: 'Get rate limits',
		description:
			'Retrieve how many requests per minute each category allows, and how many are left',
		properties: [],
	},
	z.object({}),
	{
		parallel: true,
		needs: ({ account }) => account?.getRateLimits,
		run: async (getRateLimits) => await getRateLimits(),
	},
);

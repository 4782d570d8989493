import { z } from 'zod';
import { operation } from '../../engine/operation';

export const getRateLimits = operation(
	{
		resource: 'account',
		value: 'getRateLimits',
		name: 'Get Rate Limits',
		action: 'Get rate limits',
		description:
			'Retrieve the number of requests per minute for each category, and how many remain',
		properties: [],
	},
	z.object({}),
	{
		parallel: true,
		needs: ({ account }) => account?.getRateLimits,
		run: async (getRateLimits) => await getRateLimits(),
	},
);

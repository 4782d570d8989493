import { operation } from './operation';
import type { Resource } from './operation';

const get = operation(
	{
		value: 'get',
		name: 'Get',
		action: 'Get account',
		description:
			'Retrieve the account that the API key belongs to, with its plan, credits and teams',
		properties: [],
	},
	{
		parallel: true,
		needs: ({ account }) => account?.get,
		run: async (get) => await get(),
	},
);

const getQueue = operation(
	{
		value: 'getQueue',
		name: 'Get Queue',
		action: 'Get queue',
		description: 'Retrieve the number of running and queued runs',
		properties: [],
	},
	{
		parallel: true,
		needs: ({ account }) => account?.getQueue,
		run: async (getQueue) => await getQueue(),
	},
);

const getRateLimits = operation(
	{
		value: 'getRateLimits',
		name: 'Get Rate Limits',
		action: 'Get rate limits',
		description:
			'Retrieve how many requests per minute each category allows, and how many are left',
		properties: [],
	},
	{
		parallel: true,
		needs: ({ account }) => account?.getRateLimits,
		run: async (getRateLimits) => await getRateLimits(),
	},
);

const getUsage = operation(
	{
		value: 'getUsage',
		name: 'Get Usage',
		action: 'Get usage',
		description: 'Retrieve the remaining credits and the number of robots and runs',
		builderHint: 'Use this to check how many credits are left.',
		properties: [],
	},
	{
		parallel: true,
		needs: ({ account }) => account?.getUsage,
		run: async (getUsage) => await getUsage(),
	},
);

export const account: Resource = {
	name: 'Account',
	value: 'account',
	operations: [get, getQueue, getRateLimits, getUsage],
};

import { z } from 'zod';
import { operation } from '../operation';

export const getUsage = operation(
	{
		resource: 'account',
		value: 'getUsage',
		name: 'Get Usage',
		action: 'Get usage',
		description: 'Retrieve the remaining credits and the number of robots and runs',
		hint: 'Use this to check how many credits are left.',
		properties: [],
	},
	z.object({}),
	{
		parallel: true,
		needs: ({ account }) => account?.getUsage,
		run: async (getUsage) => await getUsage(),
	},
);

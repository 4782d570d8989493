import { z } from 'zod';
import { operation } from '../operation';

export const get = operation(
	{
		resource: 'account',
		value: 'get',
		name: 'Get',
		action: 'Get account',
		description:
			'Retrieve the account that the API key belongs to, with its plan, credits and teams',
		properties: [],
	},
	z.object({}),
	{
		parallel: true,
		needs: ({ account }) => account?.get,
		run: async (get) => await get(),
	},
);

import { z } from 'zod';
import { operation } from '../operation';

export const getQueue = operation(
	{
		resource: 'account',
		value: 'getQueue',
		name: 'Get Queue',
		action: 'Get queue',
		description: 'Retrieve the number of running and queued runs',
		properties: [],
	},
	z.object({}),
	{
		parallel: true,
		needs: ({ account }) => account?.getQueue,
		run: async (getQueue) => await getQueue(),
	},
);

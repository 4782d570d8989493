import { z } from 'zod';
import { operation } from '../operation';
import { robotField } from '../../fields/locators';
import { locator } from '../../fields/parameters';

export const getAll = operation(
	{
		resource: 'webhook',
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many webhooks',
		description: "Retrieve a robot's webhooks",
		properties: [robotField],
	},
	z.object({ robotId: locator() }),
	{
		parallel: true,
		needs: ({ webhooks }) => webhooks.list,
		run: async (list, { robotId }) => await list(robotId),
	},
);

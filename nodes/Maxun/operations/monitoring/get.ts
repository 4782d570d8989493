import { z } from 'zod';
import { operation } from '../operation';
import { robotField } from '../../fields/locators';
import { locator } from '../../fields/parameters';

export const get = operation(
	{
		resource: 'monitoring',
		value: 'get',
		name: 'Get',
		action: 'Get monitoring settings',
		description: "Retrieve a robot's settings for comparing runs",
		properties: [robotField],
	},
	z.object({ robotId: locator() }),
	{
		parallel: true,
		needs: ({ monitoring }) => monitoring?.get,
		run: async (get, { robotId }) => ({ robotId, ...(await get(robotId)) }),
	},
);

import { z } from 'zod';
import { operation } from '../../engine/operation';
import { robotField } from '../../fields/locators';
import { locator } from '../../fields/parameters';

export const get = operation(
	{
		resource: 'robot',
		value: 'get',
		name: 'Get',
		action: 'Get robot',
		description:
			'Retrieve a robot. Maxun Cloud also returns its schedule, monitoring and webhooks.',
		properties: [robotField],
	},
	z.object({ robotId: locator() }),
	{
		parallel: true,
		needs: ({ robots }) => robots.get,
		run: async (getRobot, { robotId }) => await getRobot(robotId),
	},
);

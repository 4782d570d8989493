import { z } from 'zod';
import { Robot } from '../../api/entities';
import { getRobot } from '../../api/robots';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { robotField } from '../../fields/locators';

export const get = operation(
	{
		resource: 'robot',
		value: 'get',
		name: 'Get',
		action: 'Get robot',
		description: 'Retrieve one robot; on the cloud with its schedule, monitoring and webhooks',
		properties: [robotField],
	},
	z.object({ robotId: locator() }),
	{
		sideBySide: true,
		request: {
			cloud: ({ robotId }) => getRobot(robotId),
			selfHosted: ({ robotId }) => getRobot(robotId),
		},
		answer: Robot,
	},
);

import { z } from 'zod';
import { Reply } from '../../api/entities';
import { getMonitoring } from '../../api/monitoring';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { robotField } from '../../fields/locators';

export const get = operation(
	{
		resource: 'monitoring',
		value: 'get',
		name: 'Get',
		action: 'Get monitoring settings',
		description: 'Retrieve how the runs of a robot are compared',
		properties: [robotField],
	},
	z.object({ robotId: locator() }),
	{
		sideBySide: true,
		request: { cloud: ({ robotId }) => getMonitoring(robotId) },
		answer: Reply,
		items: (settings, { robotId }) => [{ robotId, ...settings }],
	},
);

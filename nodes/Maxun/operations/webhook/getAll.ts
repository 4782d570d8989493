import { z } from 'zod';
import { Anything, listOf } from '../../api/entities';
import { getWebhooks } from '../../api/webhooks';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { robotField } from '../../fields/locators';

export const getAll = operation(
	{
		resource: 'webhook',
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many webhooks',
		description: 'Retrieve the webhooks of a robot',
		properties: [robotField],
	},
	z.object({ robotId: locator() }),
	{
		sideBySide: true,
		request: { cloud: ({ robotId }) => getWebhooks(robotId) },
		answer: listOf(Anything),
	},
);

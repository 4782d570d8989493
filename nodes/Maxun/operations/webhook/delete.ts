import { z } from 'zod';
import { deleteWebhook } from '../../api/webhooks';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { robotField, webhookField } from '../../fields/locators';

export const remove = operation(
	{
		resource: 'webhook',
		value: 'delete',
		name: 'Delete',
		action: 'Delete webhook',
		description: 'Remove a webhook from a robot',
		properties: [robotField, webhookField],
	},
	z.object({ robotId: locator(), webhookId: locator() }),
	{
		request: {
			cloud: ({ robotId, webhookId }) => deleteWebhook(robotId, webhookId),
		},
		answer: z.unknown(),
		items: (_, { webhookId }) => [{ id: webhookId, deleted: true }],
	},
);

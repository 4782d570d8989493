import { z } from 'zod';
import { testWebhook } from '../../api/webhooks';
import { asItems, operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { robotField, webhookField } from '../../fields/locators';

export const sendTest = operation(
	{
		resource: 'webhook',
		value: 'test',
		name: 'Test',
		action: 'Test webhook',
		description: 'Send a sample event and return whether the receiving server accepted it',
		properties: [robotField, webhookField],
	},
	z.object({ robotId: locator(), webhookId: locator() }),
	{
		request: {
			cloud: ({ robotId, webhookId }) => testWebhook(robotId, webhookId),
		},
		answer: z.unknown(),
		// What the answer holds is not documented: an empty one still gives an item.
		items: (result, { webhookId }) => [{ id: webhookId, ...asItems(result)[0] }],
	},
);

import { z } from 'zod';
import { operation, toItems } from '../operation';
import { robotField, webhookField } from '../../fields/locators';
import { locator } from '../../fields/parameters';

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
		needs: ({ webhooks }) => webhooks.test,
		run: async (test, { robotId, webhookId }) => {
			// The response isn't documented. An empty one also returns an item.
			const [outcome] = toItems(await test(robotId, webhookId));
			return { id: webhookId, ...outcome };
		},
	},
);

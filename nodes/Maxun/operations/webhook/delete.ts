import { z } from 'zod';
import { operation } from '../operation';
import { robotField, webhookField } from '../../fields/locators';
import { locator } from '../../fields/parameters';

export const remove = operation(
	{
		resource: 'webhook',
		value: 'delete',
		name: 'Delete',
		action: 'Delete webhook',
		description: "Delete a robot's webhook",
		properties: [robotField, webhookField],
	},
	z.object({ robotId: locator(), webhookId: locator() }),
	{
		needs: ({ webhooks }) => webhooks.delete,
		run: async (remove, { robotId, webhookId }) => {
			await remove(robotId, webhookId);
			return { id: webhookId, deleted: true };
		},
	},
);

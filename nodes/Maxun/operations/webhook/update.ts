import { z } from 'zod';
import { operation } from '../operation';
import { robotField, webhookField } from '../../fields/locators';
import { atLeastOne, locator, webAddress } from '../../fields/parameters';
import { updateFields } from '../../fields/robots';
import { webhookFields, webhookParameters, webhookUrlField } from '../../fields/webhooks';

export const update = operation(
	{
		resource: 'webhook',
		value: 'update',
		name: 'Update',
		action: 'Update webhook',
		description: 'Change, pause or resume a webhook',
		properties: [
			robotField,
			webhookField,
			updateFields([...webhookFields, { ...webhookUrlField, required: false }]),
		],
	},
	z.object({
		robotId: locator(),
		webhookId: locator(),
		updateFields: atLeastOne({
			...webhookParameters.shape,
			url: webAddress().optional(),
		}),
	}),
	{
		needs: ({ webhooks }) => webhooks.update,
		run: async (updateWebhook, { robotId, webhookId, updateFields: fields }) => ({
			id: webhookId,
			...(await updateWebhook(robotId, webhookId, fields)),
		}),
	},
);

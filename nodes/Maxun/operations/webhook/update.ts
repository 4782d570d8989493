import { z } from 'zod';
import { Reply } from '../../api/entities';
import { definedFields } from '../../api/request';
import { updateWebhook } from '../../api/webhooks';
import { operation } from '../../core/operation';
import { atLeastOne, locator, webAddress } from '../../core/parameters';
import { updateFields } from '../../fields/robots';
import { robotField, webhookField } from '../../fields/locators';
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
		request: {
			cloud: ({ robotId, webhookId, updateFields: fields }) =>
				updateWebhook(robotId, webhookId, definedFields(fields)),
		},
		answer: Reply,
		items: (reply, { webhookId }) => [{ id: webhookId, ...reply }],
	},
);

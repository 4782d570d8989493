import { z } from 'zod';
import { Reply } from '../../api/entities';
import { definedFields, path } from '../../api/request';
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
			cloud: ({ robotId, webhookId, updateFields }) => ({
				method: 'PATCH',
				path: path`/robots/${robotId}/webhooks/${webhookId}`,
				body: definedFields(updateFields),
			}),
		},
		answer: Reply,
		items: (reply, { webhookId }) => [{ id: webhookId, ...reply }],
	},
);

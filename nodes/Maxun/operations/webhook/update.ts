import { z } from 'zod';
import { Anything } from '../../api/entities';
import { definedFields, path } from '../../api/request';
import { operation } from '../../core/operation';
import { locator, webAddress } from '../../core/parameters';
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
			{
				displayName: 'Update Fields',
				name: 'updateFields',
				type: 'collection',
				placeholder: 'Add field',
				default: {},
				options: [...webhookFields, { ...webhookUrlField, required: false }],
			},
		],
	},
	z.object({
		robotId: locator(),
		webhookId: locator(),
		updateFields: webhookParameters
			.extend({ url: webAddress().optional() })
			.refine((fields) => Object.keys(fields).length > 0, 'needs at least one field to change'),
	}),
	{
		request: {
			cloud: ({ robotId, webhookId, updateFields }) => ({
				method: 'PATCH',
				path: path`/robots/${robotId}/webhooks/${webhookId}`,
				body: definedFields(updateFields),
			}),
		},
		answer: Anything,
	},
);

import { z } from 'zod';
import { Reply } from '../../api/entities';
import { definedFields } from '../../api/request';
import { createWebhook } from '../../api/webhooks';
import { operation } from '../../core/operation';
import { locator, webAddress } from '../../core/parameters';
import { additionalFields } from '../../fields/robots';
import { robotField } from '../../fields/locators';
import { webhookFields, webhookParameters, webhookUrlField } from '../../fields/webhooks';

export const create = operation(
	{
		resource: 'webhook',
		value: 'create',
		name: 'Create',
		action: 'Create webhook',
		description: 'Let Maxun tell an address when runs of a robot end',
		properties: [robotField, webhookUrlField, additionalFields(webhookFields)],
	},
	z.object({
		robotId: locator(),
		url: webAddress(),
		additionalFields: webhookParameters.default({}),
	}),
	{
		request: {
			cloud: ({ robotId, url, additionalFields: fields }) =>
				createWebhook(robotId, definedFields({ url, ...fields })),
		},
		answer: Reply,
	},
);

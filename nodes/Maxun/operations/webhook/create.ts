import { z } from 'zod';
import { operation } from '../operation';
import { robotField } from '../../fields/locators';
import { collection, locator, webAddress } from '../../fields/parameters';
import { additionalFields } from '../../fields/robots';
import { webhookFields, webhookParameters, webhookUrlField } from '../../fields/webhooks';

export const create = operation(
	{
		resource: 'webhook',
		value: 'create',
		name: 'Create',
		action: 'Create webhook',
		description: "Have Maxun call a URL when a robot's runs end",
		properties: [robotField, webhookUrlField, additionalFields(webhookFields)],
	},
	z.object({
		robotId: locator(),
		url: webAddress(),
		additionalFields: collection(webhookParameters),
	}),
	{
		needs: ({ webhooks }) => webhooks.create,
		run: async (createWebhook, { robotId, url, additionalFields: fields }) =>
			await createWebhook(robotId, { url, ...fields }),
	},
);

import { z } from 'zod';
import { Anything } from '../../api/entities';
import { definedFields, path } from '../../api/request';
import { operation } from '../../core/operation';
import { locator, webAddress } from '../../core/parameters';
import { robotField } from '../../fields/locators';
import { webhookFields, webhookParameters, webhookUrlField } from '../../fields/webhooks';

export const create = operation(
	{
		resource: 'webhook',
		value: 'create',
		name: 'Create',
		action: 'Create webhook',
		description: 'Let Maxun tell an address when runs of a robot end',
		properties: [
			robotField,
			webhookUrlField,
			{
				displayName: 'Additional Fields',
				name: 'additionalFields',
				type: 'collection',
				placeholder: 'Add field',
				default: {},
				options: webhookFields,
			},
		],
	},
	z.object({
		robotId: locator(),
		url: webAddress(),
		additionalFields: webhookParameters.default({}),
	}),
	{
		request: {
			cloud: ({ robotId, url, additionalFields }) => ({
				method: 'POST',
				path: path`/robots/${robotId}/webhooks`,
				body: definedFields({ url, ...additionalFields }),
			}),
		},
		answer: Anything,
	},
);

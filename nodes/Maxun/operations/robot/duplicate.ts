import { z } from 'zod';
import { Reply } from '../../api/entities';
import { definedFields, path } from '../../api/request';
import { duplicateRobot } from '../../api/selfHosted/requests';
import { operation } from '../../core/operation';
import { locator, optionalText, webAddress } from '../../core/parameters';
import { robotField } from '../../fields/locators';
import { onlyOn } from '../../fields/server';
import { additionalFields, nameField, urlField } from '../../fields/robots';

export const duplicate = operation(
	{
		resource: 'robot',
		value: 'duplicate',
		name: 'Duplicate',
		action: 'Duplicate robot',
		description:
			'Copy a robot for another page of the same structure, without schedule and webhooks',
		properties: [
			robotField,
			{ ...urlField, description: 'The page that the copy works on' },
			onlyOn('cloud', additionalFields([nameField])),
		],
	},
	z.object({
		robotId: locator(),
		url: webAddress(),
		additionalFields: z.object({ name: optionalText() }).default({}),
	}),
	{
		request: {
			cloud: ({ robotId, url, additionalFields: { name } }) => ({
				method: 'POST',
				path: path`/robots/${robotId}/duplicate`,
				body: definedFields({ url, name }),
			}),
			selfHosted: ({ robotId, url }) => duplicateRobot(robotId, url),
		},
		answer: Reply,
	},
);

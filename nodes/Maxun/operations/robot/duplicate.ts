import { z } from 'zod';
import { operation } from '../operation';
import { robotField } from '../../fields/locators';
import { collection, locator, optionalText, webAddress } from '../../fields/parameters';
import { additionalFields, nameField, urlField } from '../../fields/robots';

export const duplicate = operation(
	{
		resource: 'robot',
		value: 'duplicate',
		name: 'Duplicate',
		action: 'Duplicate robot',
		description:
			'Copy a robot, without its schedule and webhooks, to use it on another page with the same structure',
		properties: [
			robotField,
			{ ...urlField, description: 'The page that the copy opens' },
			additionalFields([nameField]),
		],
	},
	z.object({
		robotId: locator(),
		url: webAddress(),
		additionalFields: collection(z.object({ name: optionalText() })),
	}),
	{
		needs: ({ robots }) => robots.duplicate,
		run: async (duplicateRobot, { robotId, url, additionalFields: { name } }) =>
			await duplicateRobot(robotId, url, name),
	},
);

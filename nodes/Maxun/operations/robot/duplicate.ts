import { operation } from '../operation';
import { additionalFields } from '../../fields/collections';
import { robotField } from '../../fields/locators';
import { nameField, urlField } from '../../fields/robots';

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
	{
		needs: ({ robots }) => robots.duplicate,
		run: async (duplicateRobot, { robotId, url, additionalFields: { name } }) =>
			await duplicateRobot(robotId, url, name),
	},
);

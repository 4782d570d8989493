import { z } from 'zod';
import { Reply } from '../../api/entities';
import { definedFields } from '../../api/request';
import { createRobot } from '../../api/robots';
import { operation } from '../../core/operation';
import { optionalText, text } from '../../core/parameters';
import { additionalFields, nameField } from '../../fields/robots';
import {
	queryField,
	searchConfigBody,
	searchConfigField,
	searchConfigParameter,
} from '../../fields/search';

export const createSearch = operation(
	{
		resource: 'robot',
		value: 'createSearch',
		name: 'Create Search Robot',
		action: 'Create search robot',
		description: 'Create a robot that searches the web',
		properties: [queryField, searchConfigField, additionalFields([nameField])],
	},
	z.object({
		query: text(),
		searchConfig: searchConfigParameter.default({}),
		additionalFields: z.object({ name: optionalText() }).default({}),
	}),
	{
		request: {
			cloud: ({ query, searchConfig, additionalFields: { name } }) =>
				createRobot(
					'search',
					definedFields({ name, searchConfig: searchConfigBody(query, searchConfig) }),
				),
		},
		answer: Reply,
	},
);

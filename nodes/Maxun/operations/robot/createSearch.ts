import { z } from 'zod';
import { operation } from '../operation';
import { collection, optionalText, text } from '../../fields/parameters';
import { additionalFields, nameField } from '../../fields/robots';
import {
	queryField,
	searchConfigBody,
	searchConfigField,
	searchConfigParameter,
} from '../../fields/search';
import { withoutEmpty } from '../../http/request';

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
		searchConfig: collection(searchConfigParameter),
		additionalFields: collection(z.object({ name: optionalText() })),
	}),
	{
		needs: ({ robots }) => robots.create,
		run: async (create, { query, searchConfig, additionalFields: { name } }) =>
			await create(
				'search',
				withoutEmpty({ name, searchConfig: searchConfigBody(query, searchConfig) }),
			),
	},
);

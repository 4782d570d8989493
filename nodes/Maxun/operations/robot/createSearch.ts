import { operation } from '../operation';
import { additionalFields } from '../../fields/collections';
import { nameField } from '../../fields/robots';
import { queryField, searchConfigBody, searchConfigField } from '../../fields/search';
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
	{
		needs: ({ robots }) => robots.create,
		run: async (create, { query, searchConfig, additionalFields: { name } }) =>
			await create(
				'search',
				withoutEmpty({ name, searchConfig: searchConfigBody(query, searchConfig) }),
			),
	},
);

import { waitingOperation } from '../operation';
import { pageOutputField } from '../../fields/output';
import { tableFields } from '../../fields/columns';
import { temporaryOptionsField } from '../../fields/keepRobot';
import { queryField, searchConfigBody, searchConfigField } from '../../fields/search';
import { oneStep } from '../oneStep';

export const search = waitingOperation(
	{
		resource: 'web',
		value: 'search',
		name: 'Search Web',
		action: 'Search web',
		description: 'Get search results in one step, one item per result',
		builderHint: 'Use this to search the web for a question or keywords, without a URL.',
		properties: [
			queryField,
			searchConfigField,
			pageOutputField,
			temporaryOptionsField(tableFields()),
		],
	},
	oneStep({
		operation: 'search',
		needs: ({ robots }) => robots.create,
		origin: ({ query }) => ({ query }),
		create: async (create, { query, searchConfig }, name) =>
			await create('search', { name, searchConfig: searchConfigBody(query, searchConfig) }),
	}),
);

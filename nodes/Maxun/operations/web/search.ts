import { z } from 'zod';
import { waitingOperation } from '../operation';
import { pageOutputField, pageOutputParameter } from '../../fields/output';
import { temporaryOptionsField, temporaryParameters } from '../../fields/keepRobot';
import { collection, text } from '../../fields/parameters';
import {
	queryField,
	searchConfigBody,
	searchConfigField,
	searchConfigParameter,
} from '../../fields/search';
import { oneStep } from '../oneStep';

export const search = waitingOperation(
	{
		resource: 'web',
		value: 'search',
		name: 'Search Web',
		action: 'Search web',
		description: 'Get search results in one step, one item per result',
		hint: 'Use this to search the web for a question or keywords, without a URL.',
		properties: [queryField, searchConfigField, pageOutputField, temporaryOptionsField()],
	},
	z.object({
		query: text(),
		searchConfig: collection(searchConfigParameter),
		output: pageOutputParameter,
		options: collection(temporaryParameters),
	}),
	oneStep({
		what: 'search',
		needs: ({ robots }) => robots.create,
		create: async (create, { query, searchConfig }, name) =>
			await create('search', { name, searchConfig: searchConfigBody(query, searchConfig) }),
	}),
);

import { z } from 'zod';
import { waitingOperation } from '../../engine/operation';
import { temporaryOptionsField, temporaryParameters } from '../../fields/keepRobot';
import { text } from '../../fields/parameters';
import {
	queryField,
	searchConfigBody,
	searchConfigField,
	searchConfigParameter,
} from '../../fields/search';
import { startTemporary } from '../../runs/temporary';

export const search = waitingOperation(
	{
		resource: 'web',
		value: 'search',
		name: 'Search Web',
		action: 'Search web',
		description: 'Get search results in one step, one item per result',
		properties: [queryField, searchConfigField, temporaryOptionsField()],
	},
	z.object({
		query: text(),
		searchConfig: searchConfigParameter.default({}),
		options: temporaryParameters.default({}),
	}),
	{
		parallel: true,
		needs: ({ robots }) => robots.create,
		start: async (_create, { query, searchConfig, options }, context) =>
			await startTemporary(context, {
				kind: 'robot',
				what: 'search',
				keep: options.keepRobot,
				create: ({ robots }, name) =>
					robots.create?.('search', { name, searchConfig: searchConfigBody(query, searchConfig) }),
			}),
		settings: ({ options }) => ({ ...options, output: 'rows', downloadScreenshots: false }),
	},
);

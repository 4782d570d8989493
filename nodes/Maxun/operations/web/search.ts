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
import { startTemporary, temporaryName } from '../../runs/temporary';

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
		start: async (_create, { query, searchConfig, options }, context) => {
			const name = temporaryName('search');
			const body = { name, searchConfig: searchConfigBody(query, searchConfig) };
			return await startTemporary(context, {
				kind: 'robot',
				name,
				keep: options.keepRobot,
				create: ({ robots }) => robots.create?.('search', body),
			});
		},
		settings: ({ options }) => ({ ...options, output: 'rows', downloadScreenshots: false }),
	},
);

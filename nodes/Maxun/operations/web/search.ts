import { z } from 'zod';
import { createRobot } from '../../api/robots';
import { operation } from '../../core/operation';
import { text } from '../../core/parameters';
import {
	queryField,
	searchConfigBody,
	searchConfigField,
	searchConfigParameter,
} from '../../fields/search';
import { temporaryWaitFields, waitParameters } from '../../fields/waiting';
import { keepRobotField, keepRobotParameter } from '../../fields/web';
import { startTemporary, temporaryName } from '../../runs/start';

export const search = operation(
	{
		resource: 'web',
		value: 'search',
		name: 'Search Web',
		action: 'Search the web',
		description: 'Get search results in one step, one item each',
		properties: [queryField, searchConfigField, ...temporaryWaitFields, keepRobotField],
	},
	z.object({
		query: text(),
		searchConfig: searchConfigParameter.default({}),
		keepRobot: keepRobotParameter,
		...waitParameters,
	}),
	{
		sideBySide: true,
		start: {
			cloud: async (api, { query, searchConfig, keepRobot }) => {
				const name = temporaryName('search');
				const create = createRobot('search', {
					name,
					searchConfig: searchConfigBody(query, searchConfig),
				});
				return await startTemporary(api, { kind: 'robot', name, keep: keepRobot, create });
			},
		},
		settings: (params) => ({ ...params, output: 'rows', downloadScreenshots: false }),
	},
);

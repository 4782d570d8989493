import { z } from 'zod';
import { Robot } from '../../api/entities';
import { definedFields } from '../../api/request';
import { getRobots, Robots } from '../../api/robots';
import { operation } from '../../core/operation';
import { flag, oneOf, optionalText } from '../../core/parameters';
import { newestFirst } from '../../api/selfHosted';
import { onlyOn } from '../../fields/server';
import { listFields, listParameters, wanted } from '../../fields/lists';

export const getAll = operation(
	{
		resource: 'robot',
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many robots',
		description: 'Retrieve a list of robots, newest first',
		properties: [
			...listFields,
			onlyOn('cloud', {
				displayName: 'Filters',
				name: 'filters',
				type: 'collection',
				placeholder: 'Add filter',
				default: {},
				options: [
					{
						displayName: 'Name',
						name: 'q',
						type: 'string',
						placeholder: 'e.g. prices',
						default: '',
						description: 'Only robots whose name holds this text',
					},
					{
						displayName: 'Scheduled',
						name: 'scheduled',
						type: 'boolean',
						default: true,
						description:
							'Whether to return only robots that have a schedule, or only those that have none',
					},
					{
						displayName: 'Type',
						name: 'type',
						type: 'options',
						options: [
							{ name: 'Agent', value: 'agent' },
							{ name: 'Crawl', value: 'crawl' },
							{ name: 'Document Extract', value: 'doc-extract' },
							{ name: 'Document Parse', value: 'doc-parse' },
							{ name: 'Extract (Recorded)', value: 'extract' },
							{ name: 'Scrape', value: 'scrape' },
							{ name: 'Search', value: 'search' },
						],
						default: 'scrape',
						description: 'Only robots of this type',
					},
				],
			}),
		],
	},
	z.object({
		...listParameters,
		filters: z
			.object({
				q: optionalText(),
				scheduled: flag().optional(),
				type: oneOf([
					'agent',
					'crawl',
					'doc-extract',
					'doc-parse',
					'extract',
					'scrape',
					'search',
				]).optional(),
			})
			.default({}),
	}),
	{
		sideBySide: true,
		perform: {
			cloud: async (api, { filters, ...list }) => {
				const query = definedFields(filters);
				const robots = await api.getMany({ ...getRobots, query }, Robot, wanted(list));
				return robots.map((json) => ({ json }));
			},
			selfHosted: async (api, list) => {
				const robots = newestFirst(await api.call(getRobots, Robots), 'createdAt');
				return robots.slice(0, wanted(list)).map((json) => ({ json }));
			},
		},
	},
);

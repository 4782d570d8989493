import { conditionProblem, type Condition, type ConditionName } from '../results/conditions';
import { collectionField, entriesField } from './collections';
import { choice, choiceField, choicesField, type Field, switchField, textField } from './field';
import { fromList, loadedFrom, ROBOTS } from './lists';
import { lines, optionalText, type Problem } from './parameters';

const upTo = (length: number) => [...Array(length).keys()];

const COLUMNS = ['examples', 'fields', ...upTo(3).map((list) => `lists.values[${list}].columns`)];
/** The names of a page's columns. The editor only reacts to changes of single values. */
const COLUMN_NAMES = COLUMNS.flatMap((list) =>
	upTo(20).map((entry) => `${list}.values[${entry}].name`),
);

const columnsFrom = (method: string) => loadedFrom(method, [...ROBOTS, 'json', ...COLUMN_NAMES]);
const columnList = columnsFrom('getColumns');

export const keyField = choicesField(
	'Key Column Names or IDs',
	'keyFields',
	`Columns that identify a row. Without them, a changed row counts as removed and added. ${fromList('IDs')}`,
	{ typeOptions: columnList, ifAbsent: [] },
);

const CONDITIONS = [
	choice('Becomes', 'becomes', 'The text is now the value, and was not before'),
	choice('Changes By at Least', 'changesBy', 'The number falls or rises by at least the value'),
	choice('Contains', 'contains', 'The new text contains the value'),
	choice('Does Not Contain', 'doesNotContain', 'The new text does not contain the value'),
	choice('Falls Below', 'fallsBelow', 'Is now below the value, and was not before'),
	choice('Falls By at Least', 'fallsBy', 'The number falls by at least the value'),
	choice('Has Changed', 'hasChanged', 'The row or the column has changed'),
	choice('Is Above', 'isAbove', 'Is above the value after each change'),
	choice('Is Below', 'isBelow', 'Is below the value after each change'),
	choice('Is Gone', 'isGone', 'The row or page has been removed'),
	choice('Is New', 'isNew', 'The row or page has been added'),
	choice('Is No Longer', 'isNoLonger', 'The earlier text was the value'),
	choice('No Longer Contains', 'noLongerContains', 'The text contained the value before'),
	choice('Now Contains', 'nowContains', 'The text did not contain the value before'),
	choice('Rises Above', 'risesAbove', 'Is now above the value, and was not before'),
	choice('Rises By at Least', 'risesBy', 'The number rises by at least the value'),
];

const unless = (...names: ConditionName[]) => ({
	show: {
		condition: CONDITIONS.map(({ value }) => value).filter((value) => !names.includes(value)),
	},
});

const conditionFields = [
	choiceField('Condition', 'condition', 'What to check in a change', {
		options: CONDITIONS,
		default: 'fallsBelow',
	}),
	choiceField(
		'Column Name or ID',
		'column',
		`The column that Maxun captured. ${fromList('an ID')}`,
		{
			typeOptions: columnsFrom('getConditionColumns'),
			displayOptions: unless('isGone', 'isNew'),
			schema: optionalText(),
		},
	),
	textField(
		'Value',
		'value',
		'A number with a decimal point, a date, or a text. For "At Least", a number, a percentage such as 10%, or days.',
		{
			required: true,
			displayOptions: unless('hasChanged', 'isGone', 'isNew'),
			placeholder: 'e.g. 49.99',
		},
	),
];

export const changeOptions = [
	choicesField(
		'Ignore Column Names or IDs',
		'ignoreFields',
		`Columns to ignore, such as a counter. ${fromList('IDs')}`,
		{ typeOptions: columnList, ifAbsent: [] },
	),
	collectionField(
		'Ignore in Texts',
		'ignoreInTexts',
		'rule',
		[
			textField(
				'Ignore Lines That Contain',
				'lines',
				'Words or phrases, one per line. Lines that contain one of them are ignored.',
				{
					typeOptions: { rows: 3 },
					placeholder: 'e.g. Advertisement',
					schema: lines(),
					ifAbsent: [],
				},
			),
			switchField(
				'Ignore Numbers and Dates',
				'numbers',
				'Whether to ignore lines that differ only in counts, times, dates and ages, such as "3 hours ago". Prices are never ignored.',
			),
			switchField(
				'Ignore What Always Changes',
				'always',
				'Whether to ignore lines that differed in three of the last four comparisons, such as a quote of the day. Prices are never ignored.',
			),
			textField(
				'Part of the Page',
				'part',
				'A text from the part to compare, such as its heading. Only the smallest section with this text is compared.',
				{ placeholder: 'e.g. Terms of Service' },
			),
		],
		{ description: "Changes to ignore in a page's text" },
	),
	switchField(
		'Ignore Query Parameters',
		'ignoreQuery',
		'Whether links that differ only after the question mark count as the same, even in key columns',
	),
	choiceField('Match Conditions', 'matchConditions', 'How many conditions a change must meet', {
		options: [
			choice('All', 'all', "All conditions of 'Only If'"),
			choice('Any', 'any', "At least one condition of 'Only If'"),
		],
		default: 'any',
		ifAbsent: 'all',
	}),
	switchField(
		'Ignore What Is Missing Once',
		'missingOnce',
		'Whether a missing value, or a missing row with a key, only counts as a change if it is still missing in the next run',
	),
	entriesField(
		'Only If',
		'onlyIf',
		'Condition',
		'The workflow only continues with rows or pages that meet these conditions',
		conditionFields,
		(conditions: Condition[]): Problem =>
			conditions.flatMap((given, index) => {
				const [field, message] = conditionProblem(given) ?? [];
				return field ? [[[index, field], message]] : [];
			}),
	),
];

export const changeFields = [...changeOptions, keyField];

/** What counts as a change. */
export const comparisonOf = <const F extends Field>(fields: F[]) =>
	collectionField('Comparison', 'comparison', 'setting', fields);

/** With the names of `ChangeSettings`. */
export const changeSettings = <T extends { keyFields: string[]; ignoreFields: string[] }>({
	keyFields: key,
	ignoreFields: ignore,
	...others
}: T) => ({ ...others, key, ignore });

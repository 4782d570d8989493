import { OUTPUTS_WITH_COLUMNS } from '../results/outputForms';
import { differentNames, entriesField } from './collections';
import {
	allShownIf,
	choice,
	choiceField,
	entriesSchema,
	type Field,
	numberField,
	switchField,
	textField,
} from './field';
import { fromList, loadedFrom } from './lists';
import { dataName, text, texts } from './parameters';

const columnName = textField('Captured Column', 'column', 'The name that Maxun captured', {
	placeholder: 'e.g. Price',
	schema: dataName(),
});

export const outputColumnField = {
	...columnName,
	displayName: 'Column',
	description: 'The name of the column',
};

const listedColumnName = (loadOptionsMethod: string) =>
	({
		...columnName,
		displayName: 'Captured Column Name or ID',
		type: 'options',
		typeOptions: loadedFrom(loadOptionsMethod),
		placeholder: undefined,
		description: `The name that Maxun captured. ${fromList('an ID')}`,
	}) as const satisfies Field;

export const typeField = choiceField('Type', 'type', 'What to convert the value to', {
	options: [
		choice('Any', 'any', 'Keep the value as it is'),
		choice('Date', 'date', 'A date in ISO 8601 format'),
		choice('Link', 'link', 'An absolute URL'),
		choice('Number', 'number', 'The number in the text, such as a price or a rating'),
		{ name: 'Text', value: 'text' },
		{ name: 'True/False', value: 'boolean' },
	],
	default: 'text',
});

/** What is wrong with a date format that uses Luxon's tokens; undefined if it is valid. */
export function dateFormatProblem(format: string): string | undefined {
	if (format === '' || format === 'X' || format === 'x') return undefined;
	const letters = format.replace(/'[^']*'/g, '').replace(/[^a-z]/gi, '');
	const [unknown] = /([^GyLMdoHhmsSuaZzEckiWq])\1*/.exec(letters) ?? [];
	if (unknown !== undefined) {
		return `'${unknown}' is not a part of a date. Write yyyy for the year, MM for the month, dd for the day, HH for the hour and mm for the minute, and put other words in single quotes`;
	}
	if (/m/.test(letters) && !/[Hh]/.test(letters)) {
		return "'m' is the minute. Write MM for the month";
	}
	return /[yLMdoWckE]/.test(letters) ? undefined : 'it has no day, month or year';
}

const knownDateFormat = (format: string) => {
	const problem = dateFormatProblem(format);
	return problem && `must not be '${format}': ${problem}`;
};

const wordsField = <const N extends string>(displayName: string, name: N, placeholder: string) =>
	textField(
		displayName,
		name,
		'Texts that count as this value, separated by commas. The words for yes and no are recognized in most languages.',
		{ placeholder, displayOptions: { show: { type: ['boolean'] } }, schema: texts() },
	);

export const formatFields = [
	typeField,
	textField(
		'Date Format',
		'dateFormat',
		'How dates are written on the page, in <a href="https://moment.github.io/luxon/#/parsing">Luxon tokens</a>. Leave empty to recognize dates in most languages, such as "2 hours ago".',
		{
			placeholder: 'e.g. MM/dd/yyyy',
			displayOptions: { show: { type: ['date'] } },
			rule: knownDateFormat,
		},
	),
	wordsField('False If', 'falseWords', 'e.g. Sold out'),
	choiceField('Number Format', 'numberFormat', 'How numbers are written on the page', {
		options: [
			{ name: '1,249.00', value: 'point' },
			{ name: '1.249,00', value: 'comma' },
			choice('Automatic', 'automatic', "Recognized from the column's numbers"),
		],
		default: 'automatic',
		displayOptions: { show: { type: ['number'] } },
	}),
	wordsField('True If', 'trueWords', 'e.g. In stock, Available'),
];

const columnsField = (loadOptionsMethod?: string) => {
	const column = loadOptionsMethod ? listedColumnName(loadOptionsMethod) : columnName;
	const values = [
		column,
		textField(
			'Rename To',
			'name',
			'The name in the output. Leave empty to keep the captured name.',
			{ placeholder: 'e.g. price' },
		),
		...formatFields,
	];
	return {
		...entriesField(
			'Table Columns',
			'columns',
			'Column',
			'The columns of each row, with names and types for a table. A missing value is null. Without this option, rows contain what Maxun captured.',
			values,
		),
		schema: entriesSchema(values).transform((columns) =>
			columns.map(({ name, ...column }) => ({ ...column, name: name ?? column.column })),
		),
		rule: differentNames('column'),
	} as const satisfies Field;
};

const conversionErrorsField = switchField(
	'Ignore Type Conversion Errors',
	'ignoreConversionErrors',
	'Whether to keep values that cannot be converted, instead of returning null',
);

const keepOtherColumnsField = switchField(
	'Keep Other Columns',
	'keepOtherColumns',
	"Whether to also return columns that are not in 'Table Columns'",
);

const maxCellLengthField = numberField(
	'Max Text Length',
	'maxCellLength',
	'Maximum number of characters in each column. Longer texts and lists are cut. Google Sheets accepts 50,000, Excel 32,767.',
	{ typeOptions: { minValue: 1 }, default: 50_000 },
);

/** The fields without an output field. @param loadOptionsMethod lists the columns, if the operation has a robot */
export const onlyTableFields = (loadOptionsMethod?: string) => [
	columnsField(loadOptionsMethod),
	conversionErrorsField,
	keepOtherColumnsField,
	maxCellLengthField,
];

export const tableFields = (loadOptionsMethod?: string, outputs = OUTPUTS_WITH_COLUMNS) =>
	allShownIf({ '/output': outputs }, onlyTableFields(loadOptionsMethod));

/** The node finds the columns by itself, so the form has no types for them. */
export const foundTableFields = allShownIf({ '/specifyFields': ['automatic'] }, [
	columnsField(),
	keepOtherColumnsField,
]);

export const conversionErrorsOfRows = {
	...conversionErrorsField,
	displayOptions: { show: { '/output': OUTPUTS_WITH_COLUMNS } },
};

export const promptColumnsField = entriesField(
	'Columns',
	'columns',
	'Column',
	'The columns of each row. The node adds them to the prompt.',
	[
		{ ...outputColumnField, schema: text() },
		{ ...typeField, description: 'What the column contains' },
	],
	differentNames('column'),
);

export const promptWithColumns = (
	prompt: string,
	columns: Array<{ column: string; type: string }>,
): string =>
	columns.length === 0
		? prompt
		: `${prompt}\nReturn exactly these columns: ${columns.map(({ column, type }) => `${column} (${typeWord(type)})`).join(', ')}`;

const PROMPT_WORDS: Record<string, string> = { any: 'text', boolean: 'true or false', link: 'URL' };

export const typeWord = (type: string): string => PROMPT_WORDS[type] ?? type;

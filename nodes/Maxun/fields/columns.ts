import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { entriesField } from './extract';
import { dateFormatProblem } from './dateFormat';
import {
	choices,
	duplicateOf,
	entries,
	flag,
	oneOf,
	optionalText,
	text,
	texts,
} from './parameters';

export const TYPES = choices([
	{ name: 'Any', value: 'any', description: 'Keep the value as it is' },
	{ name: 'Date', value: 'date', description: 'A date in ISO 8601 format' },
	{ name: 'Link', value: 'link', description: 'An absolute URL' },
	{
		name: 'Number',
		value: 'number',
		description: 'The number in the text, such as a price or a rating',
	},
	{ name: 'Text', value: 'text' },
	{ name: 'True/False', value: 'boolean' },
]);

const NUMBER_FORMATS = choices([
	{ name: '1,249.00', value: 'point' },
	{ name: '1.249,00', value: 'comma' },
	{
		name: 'Automatic',
		value: 'automatic',
		description: 'The numbers of the column show it',
	},
]);

const columnName: INodeProperties = {
	displayName: 'Column',
	name: 'column',
	type: 'string',
	default: '',
	placeholder: 'e.g. Price',
	description: 'The captured column',
};

export const typeField: INodeProperties = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	options: TYPES,
	default: 'text',
	description: 'What to convert the value to',
};

/** How to convert the values of a column. */
export const formatFields: INodeProperties[] = [
	typeField,
	{
		displayName: 'Date Format',
		name: 'dateFormat',
		type: 'string',
		default: '',
		placeholder: 'e.g. MM/dd/yyyy',
		displayOptions: { show: { type: ['date'] } },
		description:
			'How dates are written on the page, in <a href="https://moment.github.io/luxon/#/parsing">Luxon tokens</a>. Leave empty to recognize dates in most languages, such as 2026-11-23, November 23, 2026, 23.11.2026 or 2 hours ago.',
	},
	{
		displayName: 'False If',
		name: 'falseWords',
		type: 'string',
		default: '',
		placeholder: 'e.g. Sold out',
		displayOptions: { show: { type: ['boolean'] } },
		description:
			'Texts that mean false, separated by commas. Yes and no are known in most languages.',
	},
	{
		displayName: 'Number Format',
		name: 'numberFormat',
		type: 'options',
		options: NUMBER_FORMATS,
		default: 'automatic',
		displayOptions: { show: { type: ['number'] } },
		description: 'How numbers are written on the page',
	},
	{
		displayName: 'True If',
		name: 'trueWords',
		type: 'string',
		default: '',
		placeholder: 'e.g. In stock, Available',
		displayOptions: { show: { type: ['boolean'] } },
		description:
			'Texts that mean true, separated by commas. Yes and no are known in most languages.',
	},
];

/** Shown for rows, unless the operation has no other output. */
const forRows = (isOnly: boolean): Partial<INodeProperties> =>
	isOnly ? {} : { displayOptions: { show: { '/output': ['rows'] } } };

const columnsField = (loadOptionsMethod: string | undefined, isOnly: boolean): INodeProperties => ({
	...entriesField(
		'Columns',
		'columns',
		'Column',
		'The columns of each row, with names and types for a spreadsheet or a database. A missing value is null. Without this option, rows contain what Maxun captured.',
		[
			loadOptionsMethod === undefined
				? columnName
				: {
						...columnName,
						displayName: 'Column Name or ID',
						type: 'options',
						typeOptions: { loadOptionsMethod },
						placeholder: undefined,
						description:
							'The captured column. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
					},
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. price',
				description: 'The name in the output. Leave empty to keep the name.',
			},
			...formatFields,
		],
	),
	...forRows(isOnly),
});

/**
 * The options for rows that fit a table.
 *
 * @param loadOptionsMethod lists the columns, if the operation has a robot
 * @param isOnly whether the operation only returns rows
 */
export const tableFields = (loadOptionsMethod?: string, isOnly = false): INodeProperties[] => [
	columnsField(loadOptionsMethod, isOnly),
	{
		displayName: 'Ignore Type Conversion Errors',
		name: 'ignoreConversionErrors',
		type: 'boolean',
		default: true,
		...forRows(isOnly),
		description: 'Whether to keep a value that cannot be converted. Otherwise, it is null.',
	},
	{
		displayName: 'Keep Other Columns',
		name: 'keepOtherColumns',
		type: 'boolean',
		default: true,
		...forRows(isOnly),
		description: "Whether to also return the columns that are not in 'Columns'",
	},
];

/** Columns for the prompt of an agent. */
export const promptColumnsField = entriesField(
	'Columns',
	'columns',
	'Column',
	'The columns of each row. The node adds them to the prompt.',
	[
		{ ...columnName, description: 'The name of the column' },
		{ ...typeField, description: 'What the column contains' },
	],
);

/** The shape of `formatFields`. */
export const formatShape = {
	type: oneOf(TYPES).default('text'),
	numberFormat: oneOf(NUMBER_FORMATS).default('automatic'),
	dateFormat: optionalText()
		.transform((format = '') => format)
		.superRefine((format, context) => {
			const problem = dateFormatProblem(format);
			if (problem === undefined) return;
			const message = `must not contain the Date Format '${format}': ${problem}`;
			context.addIssue({ code: 'custom', message });
		}),
	trueWords: texts().default([]),
	falseWords: texts().default([]),
};

const Column = z
	.object({ column: text(), name: optionalText(), ...formatShape })
	.transform(({ name, ...column }) => ({ ...column, name: name ?? column.column }));

export const columnsParameter = entries(Column).superRefine((columns, context) => {
	const twice = duplicateOf(columns.map(({ name }) => name));
	if (twice === undefined) return;
	context.addIssue({ code: 'custom', message: `must not contain two columns named '${twice}'` });
});

/** To be added to the schema of an `options` collection. */
export const tableParameters = {
	columns: columnsParameter,
	ignoreConversionErrors: flag().default(false),
	keepOtherColumns: flag().default(false),
};

/** The prompt with the names and types of the columns, so that the model uses them. */
export const promptWithColumns = (
	prompt: string,
	columns: Array<{ column: string; type: string }>,
): string =>
	columns.length === 0
		? prompt
		: `${prompt}\nReturn exactly these columns: ${columns.map(({ column, type }) => `${column} (${typeWord(type)})`).join(', ')}`;

const WORDS: Record<string, string> = { any: 'text', boolean: 'true or false', link: 'URL' };

/** What a model calls a type. */
export const typeWord = (type: string): string => WORDS[type] ?? type;

import { ATTRIBUTES, BUTTONS, type Example } from '../servers/definition';
import { differentNames, entriesField } from './collections';
import { paginationField, rowLimitField } from './extractCaptures';
import { choice, choiceField, type EntryValues, type Field, named, textField } from './field';

// Rows by example: what the user sees in a row of the page, instead of selectors.

const columnFields = [
	textField('Name', 'name', 'The name of the column in the output', {
		required: true,
		placeholder: 'e.g. Price',
	}),
	textField(
		'Example',
		'example',
		'The value in one row. Copy all values from the same row. For the first link or picture of each row, leave it empty.',
		{ placeholder: 'e.g. $249.00' },
	),
	textField(
		'Second Example',
		'secondExample',
		'The value in another row, if a hint asks for it. Copy all second examples from the same row.',
		{ placeholder: 'e.g. $89.00' },
	),
	choiceField('Value to Get', 'valueToGet', 'What to read where the page shows the example', {
		options: [
			choice('Link', 'link', "The URL of the link with the example, or of the row's first link"),
			choice(
				'Picture',
				'image',
				"The URL of the picture that the example describes, or of the row's first picture",
			),
			choice('Text', 'text', 'The visible text'),
		],
		default: 'text',
	}),
];

export const examplesField = <const F extends Field>(formats: F[]) =>
	entriesField(
		'Columns',
		'examples',
		'Column',
		'What you see in one row of the page. A value that does not repeat, such as a heading, is added to each row.',
		[...columnFields, ...formats],
		differentNames('column'),
	);

export const rowsToReadField = choiceField(
	'Rows to Read',
	'rowsToRead',
	'Which rows to read. A hint names the lists of the page.',
	{
		options: [
			choice(
				'Automatic',
				'automatic',
				'The main list, or one row if the page has one subject, such as a product',
			),
			choice('List 1', 'list1', 'The main list'),
			...named({ 'List 2': 'list2', 'List 3': 'list3', 'List 4': 'list4', 'List 5': 'list5' }),
			choice(
				'Subject of the Page',
				'thing',
				'One row with what the page says about a product, an article, a job or an event',
			),
		],
		default: 'automatic',
	},
);

/** How to read all rows of a list whose selectors the node finds. */
export const foundRowsFields = [
	{
		displayName:
			'To find the rows, Maxun first reads the page in another run, which uses credits on Maxun Cloud. Later production executions do not need it.',
		name: 'readingNotice',
		type: 'notice',
		default: '',
	},
	{ ...paginationField, required: true, ifAbsent: 'none' },
	textField('Text of the Button', 'buttonText', 'What the button or link says', {
		required: true,
		placeholder: 'e.g. Next',
		displayOptions: { show: { pagination: BUTTONS } },
	}),
	{ ...rowLimitField, required: true, ifAbsent: 100 },
] as const satisfies Field[];

const BUTTON = 'Text of the Button';

export const examplesIn = (
	columns: Array<EntryValues<(typeof columnFields)[number]>>,
	buttonText: string | undefined,
): Example[] => [
	...columns.map(({ name, example = '', secondExample, valueToGet }) => ({
		name,
		attribute: ATTRIBUTES[valueToGet],
		values: secondExample === undefined ? [example] : [example, secondExample],
	})),
	...(buttonText === undefined
		? []
		: [{ name: BUTTON, attribute: 'innerText', values: [buttonText], isSingle: true }]),
];

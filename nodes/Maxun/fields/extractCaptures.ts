import { BUTTONS } from '../servers/definition';
import { differentNames, entriesField } from './collections';
import { selectorField } from './extractSteps';
import { choice, choiceField, type Field, numberField, textField } from './field';
import { mustBeColumn, mustBeFieldSelector, mustBePagination, mustBeRows } from './selectors';

/** A field of the page, or a list's column. @param formats how to convert it */
const captureFields = <const S extends Field, const F extends Field>(
	description: string,
	selector: S,
	formats: F[],
) => [
	textField('Name', 'name', description, { required: true, placeholder: 'e.g. Price' }),
	selector,
	choiceField('Return Value', 'returnValue', 'What to read from the element', {
		options: [
			choice('Attribute', 'attribute', 'The value of any HTML attribute'),
			choice('Image', 'image', 'The URL of an image'),
			choice('Link', 'link', 'The URL of a link'),
			choice('Text', 'text', 'The visible text'),
		],
		default: 'text',
	}),
	textField('Attribute', 'attribute', 'The name of the HTML attribute', {
		required: true,
		placeholder: 'e.g. data-sku',
		displayOptions: { show: { returnValue: ['attribute'] } },
	}),
	...formats,
];

const columnSelector = {
	...selectorField(
		'CSS or XPath selector for the element within a row. Leave empty to read the row itself, for example if each row is a link.',
	),
	required: false,
	hint: 'Enter only the part within the row, e.g. a.name. Leave empty for the row itself.',
	rule: mustBeColumn,
} as const satisfies Field;

export const fieldFields = <const F extends Field>(formats: F[]) =>
	captureFields(
		'The name of the field in the output',
		{ ...selectorField('CSS selector for the element on the page'), rule: mustBeFieldSelector },
		formats,
	);

export const paginationField = choiceField(
	'Pagination',
	'pagination',
	'How to load more rows. With any pagination, Maxun leaves out rows that are equal to an earlier row.',
	{
		options: [
			choice(
				'Automatic',
				'automatic',
				'Let Maxun detect the pagination when the robot is created, which takes a few seconds',
			),
			choice('Load More Button', 'clickLoadMore', 'A button adds rows to the same page'),
			choice('Next Button', 'clickNext', 'A button or link opens the next page'),
			choice('None', 'none', 'All rows are on one page'),
			choice('Scroll Down', 'scrollDown', 'Scrolling to the end adds rows'),
			choice('Scroll Up', 'scrollUp', 'Scrolling to the top adds rows'),
		],
		default: 'none',
	},
);

export const rowLimitField = numberField(
	'Max Rows',
	'rowLimit',
	'Maximum number of rows from all pages, from 1 to 10,000',
	{
		typeOptions: { minValue: 1, maxValue: 10_000 },
		default: 100,
	},
);

export const listFields = <const F extends Field>(formats: F[]) => [
	textField('Row Selector', 'rowSelector', 'CSS or XPath selector that matches every row', {
		required: true,
		placeholder: 'e.g. li.product',
		hint: "Copy one row's selector in your browser, and delete the part that selects only that row, such as ':nth-child(1)'",
		rule: mustBeRows,
	}),
	entriesField(
		'Columns',
		'columns',
		'Column',
		'The columns to return. Leave empty to let Maxun detect them.',
		captureFields('The name of the column in the output', columnSelector, formats),
		differentNames('column'),
	),
	paginationField,
	textField('Pagination Selector', 'paginationSelector', 'Selector for the button or link', {
		required: true,
		placeholder: 'e.g. a.next',
		displayOptions: { show: { pagination: BUTTONS } },
		rule: mustBePagination,
	}),
	rowLimitField,
	textField(
		'List Name',
		'name',
		'The name of the list in Maxun. Leave empty to number the lists.',
		{ placeholder: 'e.g. Products' },
	),
];

import { BUTTONS } from '../servers/definition';
import { differentNames, entriesField } from './collections';
import { selectorField } from './extractSteps';
import { choice, type Field } from './field';
import { mustBeColumn, mustBeFieldSelector, mustBePagination, mustBeRows } from './selectors';

/** A value to read: a single field of the page, or a list's column. @param formats how to convert it */
const captureFields = <const S extends Field, const F extends Field>(
	description: string,
	selector: S,
	formats: F[],
) =>
	[
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. Price',
			description,
		},
		selector,
		{
			displayName: 'Return Value',
			name: 'returnValue',
			type: 'options',
			options: [
				choice('Attribute', 'attribute', 'The value of any HTML attribute'),
				choice('Image', 'image', 'The URL of an image'),
				choice('Link', 'link', 'The URL of a link'),
				choice('Text', 'text', 'The visible text'),
			],
			default: 'text',
			description: 'What to read from the element',
		},
		{
			displayName: 'Attribute',
			name: 'attribute',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. data-sku',
			displayOptions: { show: { returnValue: ['attribute'] } },
			description: 'The name of the HTML attribute',
		},
		...formats,
	] as const satisfies Field[];

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

export const listFields = <const F extends Field>(formats: F[]) =>
	[
		{
			displayName: 'Row Selector',
			name: 'rowSelector',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. li.product',
			description: 'CSS or XPath selector that matches every row',
			hint: "Copy one row's selector in your browser, and delete the part that selects only that row, such as ':nth-child(1)'",
			rule: mustBeRows,
		},
		{
			...entriesField(
				'Columns',
				'columns',
				'Column',
				'The columns to return. Leave empty to let Maxun detect them.',
				captureFields('The name of the column in the output', columnSelector, formats),
			),
			rule: differentNames('column'),
		},
		{
			displayName: 'Pagination',
			name: 'pagination',
			type: 'options',
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
			description:
				'How to load more rows. With any pagination, Maxun leaves out rows that are equal to an earlier one.',
		},
		{
			displayName: 'Pagination Selector',
			name: 'paginationSelector',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. a.next',
			displayOptions: { show: { pagination: BUTTONS } },
			description: 'Selector for the button or link',
			rule: mustBePagination,
		},
		{
			displayName: 'Max Rows',
			name: 'rowLimit',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 10_000 },
			default: 100,
			description: 'Maximum number of rows from all pages, from 1 to 10,000',
		},
		{
			displayName: 'List Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Products',
			description: 'The name of the list in Maxun. Leave empty to number the lists.',
		},
	] as const satisfies Field[];

import { entriesField } from './collections';
import { selectorField } from './extractSteps';
import type { Field } from './field';
import { optionalNumber, optionalText } from './parameters';

// What an extract robot reads. The form accepts any text and number for options, because the checks in
// `extractDefinition.ts` can say which entry is wrong.

const BUTTONS = ['clickNext', 'clickLoadMore'];

/**
 * A value to read: a single field of the page, or a list's column.
 *
 * @param texts descriptions of its name and its selector, and how to find the selector
 * @param formats how to convert it
 */
export const captureFields = <const F extends Field>(
	texts: { name: string; selector: string; hint: string },
	formats: F[],
) =>
	[
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Price',
			description: texts.name,
		},
		{ ...selectorField(texts.selector), hint: texts.hint },
		{
			displayName: 'Return Value',
			name: 'returnValue',
			type: 'options',
			options: [
				{ name: 'Attribute', value: 'attribute', description: 'The value of any HTML attribute' },
				{ name: 'Image', value: 'image', description: 'The URL of an image' },
				{ name: 'Link', value: 'link', description: 'The URL of a link' },
				{ name: 'Text', value: 'text', description: 'The visible text' },
			],
			default: 'text',
			ifAbsent: '', // In JSON, an attribute without `returnValue` is what to read.
			description: 'What to read from the element',
			schema: optionalText(),
		},
		{
			displayName: 'Attribute',
			name: 'attribute',
			type: 'string',
			default: '',
			placeholder: 'e.g. data-sku',
			displayOptions: { show: { returnValue: ['attribute'] } },
			description: 'The name of the HTML attribute',
		},
		...formats,
	] as const satisfies Field[];

const COLUMN = {
	name: 'The name of the column in the output',
	selector:
		'CSS or XPath selector for the element within a row. Leave empty to read the row itself, for example if each row is a link.',
	hint: 'Enter only the part within the row, e.g. a.name. Leave empty for the row itself.',
};

/** Elements that repeat. Each becomes a row. @param formats how to convert a column */
export const listFields = <const F extends Field>(formats: F[]) =>
	[
		{
			displayName: 'Row Selector',
			name: 'rowSelector',
			type: 'string',
			default: '',
			placeholder: 'e.g. li.product',
			description: 'CSS or XPath selector that matches every row',
			hint: "Copy one row's selector in your browser, and delete the part that selects only that row, such as ':nth-child(1)'",
		},
		entriesField(
			'Columns',
			'columns',
			'Column',
			'The columns to return. Leave empty to let Maxun detect them.',
			captureFields(COLUMN, formats),
		),
		{
			displayName: 'Pagination',
			name: 'pagination',
			type: 'options',
			options: [
				{
					name: 'Automatic',
					value: 'automatic',
					description:
						'Let Maxun detect the pagination when the robot is created, which takes a few seconds',
				},
				{
					name: 'Load More Button',
					value: 'clickLoadMore',
					description: 'A button adds rows to the same page',
				},
				{
					name: 'Next Button',
					value: 'clickNext',
					description: 'A button or link opens the next page',
				},
				{ name: 'None', value: 'none', description: 'All rows are on one page' },
				{ name: 'Scroll Down', value: 'scrollDown', description: 'Scrolling to the end adds rows' },
				{ name: 'Scroll Up', value: 'scrollUp', description: 'Scrolling to the top adds rows' },
			],
			default: 'none',
			description:
				'How to load more rows. With any pagination, Maxun leaves out rows that are equal to an earlier one.',
			schema: optionalText(),
		},
		{
			displayName: 'Pagination Selector',
			name: 'paginationSelector',
			type: 'string',
			default: '',
			placeholder: 'e.g. a.next',
			displayOptions: { show: { pagination: BUTTONS } },
			description: 'Selector for the button or link',
		},
		{
			displayName: 'Max Rows',
			name: 'rowLimit',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: 10_000 },
			default: 100,
			description: 'Maximum number of rows from all pages, from 1 to 10,000',
			schema: optionalNumber(),
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

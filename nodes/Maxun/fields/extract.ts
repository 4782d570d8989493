import { additionalFields, entriesField } from './collections';
import { jsonOf } from './extractJson';
import { COPY_HINT, selectorField, stepFields } from './extractSteps';
import type { Field } from './field';
import { mustBeWebAddress, optionalNumber, optionalText } from './parameters';

// The form of an extract robot. It accepts any text and number for options, because `extractChecks.ts` can say which
// entry is wrong.

const BUTTONS = ['clickNext', 'clickLoadMore'];

const captureFields = <const F extends Field>(
	nameDescription: string,
	selectorDescription: string,
	hint: string,
	formats: F[],
) =>
	[
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Price',
			description: nameDescription,
		},
		{ ...selectorField(selectorDescription), hint },
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
			ifAbsent: '', // in JSON, an attribute alone is what to read
			description: 'What to read from the element',
			check: optionalText(),
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

const listFields = <const F extends Field>(formats: F[]) =>
	[
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. Products',
			description: 'The name of the list in Maxun. Leave empty to number the lists.',
		},
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
			captureFields(
				'The name of the column in the output',
				'CSS or XPath selector for the element within a row. Leave empty to read the row itself, for example if each row is a link.',
				'Enter only the part within the row, e.g. a.name. Leave empty for the row itself.',
				formats,
			),
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
			check: optionalText(),
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
			check: optionalNumber(),
		},
	] as const satisfies Field[];

const shownIn = <const F extends Field>(mode: 'fields' | 'json', fields: F[]) =>
	fields.map((field) => ({ ...field, displayOptions: { show: { specifyFields: [mode] } } }));

const STEP_KEYS = ['selector', 'text', 'key', 'option', 'seconds', 'screens', 'url']
	.map((key) => `'${key}'`)
	.join(', ');

const EXAMPLE = `{
  "fields": [{ "name": "Heading", "selector": "h1" }],
  "lists": [{ "rowSelector": "li.product", "columns": [{ "name": "Price", "selector": ".price" }] }]
}`;

const partFields = <const F extends Field>(formats: F[]) =>
	[
		{
			...entriesField(
				'Lists',
				'lists',
				'List',
				'Elements that repeat on the page, such as products or search results. Each becomes a row.',
				listFields(formats),
			),
			ifAbsent: [],
		},
		{
			...entriesField(
				'Fields',
				'fields',
				'Field',
				'Single values from the page, such as a heading or a total',
				captureFields(
					'The name of the field in the output',
					'CSS selector for the element on the page',
					COPY_HINT,
					formats,
				),
			),
			ifAbsent: [],
		},
		{
			...entriesField(
				'Steps',
				'steps',
				'Step',
				'What the robot does before it reads the data, such as a login',
				stepFields,
			),
			ifAbsent: [],
		},
	] as const satisfies Field[];

/** What a robot captures, and what it does before that. @param formats how to convert a column */
export const definitionFields = <const F extends Field = never>(formats: F[] = []) => {
	const parts = partFields(formats);
	return [
		{
			displayName: 'Specify Fields',
			name: 'specifyFields',
			type: 'options',
			options: [
				{ name: 'Using Fields Below', value: 'fields' },
				{ name: 'Using JSON', value: 'json' },
			],
			default: 'fields',
			description: 'How to describe the data',
		},
		...shownIn('fields', parts),
		...shownIn('json', [
			{
				displayName: 'JSON',
				name: 'json',
				type: 'json',
				required: true,
				typeOptions: { rows: 8 },
				default: EXAMPLE,
				description:
					'An object with fields, lists and steps: see the <a href="https://github.com/n8n-nodes-maxun-robots/n8n-nodes-maxun-robots/blob/main/docs/extract-robots.md#json">documentation</a>',
				builderHint: {
					propertyHint: `An object with 'fields', 'lists' and 'steps'. A field has 'name', 'selector' (CSS) and 'returnValue' (text, link, image or attribute). A list has 'rowSelector', 'rowLimit', 'pagination' (none, clickNext, clickLoadMore, scrollDown, scrollUp or automatic), 'paginationSelector', 'name', and 'columns', which are fields relative to a row. Without columns, Maxun detects them. A step has 'action' (click, type, pressKey, selectOption, waitForElement, wait, scroll, goTo or screenshot) and what the action needs: ${STEP_KEYS}.`,
				},
				check: jsonOf(parts),
			},
		]),
	] as const satisfies Field[];
};

const checkSelectorsField = {
	displayName: 'Check Selectors',
	name: 'checkSelectors',
	type: 'boolean',
	default: false,
	ifAbsent: true,
	description:
		'Whether Maxun tries all selectors first, and detects columns and pagination. It does by default. Turn this off if a step reveals the data.',
} as const satisfies Field;

const startUrlField = {
	displayName: 'Start URL',
	name: 'startUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/login',
	description:
		"The page where the steps begin, such as a login page. The robot then opens 'URL'. This turns off 'Check Selectors'.",
	rule: mustBeWebAddress,
} as const satisfies Field;

/** The optional fields of a robot from selectors. */
export const extractAdditionalFields = <const F extends Field = never>(more: F[] = []) =>
	additionalFields([checkSelectorsField, startUrlField, ...more]);

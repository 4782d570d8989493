import type { INodeCredentialDescription, INodeProperties } from 'n8n-workflow';
import { additionalFields } from './collections';
import { choices } from './parameters';

// The form of an extract robot. `extractParameters.ts` reads it.

/** How to get a selector without knowing CSS. */
const COPY_HINT =
	"In your browser, right-click the element, choose 'Inspect', right-click the highlighted line and copy the selector";

const BUTTONS = ['clickNext', 'clickLoadMore'];

const TAKES = choices([
	{ name: 'Attribute', value: 'attribute', description: 'The value of any HTML attribute' },
	{ name: 'Image', value: 'image', description: 'The URL of an image' },
	{ name: 'Link', value: 'link', description: 'The URL of a link' },
	{ name: 'Text', value: 'text', description: 'The visible text' },
]);

const PAGINATIONS = choices([
	{
		name: 'Automatic',
		value: 'automatic',
		description: 'Maxun detects it when it creates the robot, which takes a few seconds',
	},
	{
		name: 'Load More Button',
		value: 'clickLoadMore',
		description: 'A button adds rows to the same page',
	},
	{ name: 'Next Button', value: 'clickNext', description: 'A button or link opens the next page' },
	{ name: 'None', value: 'none', description: 'All rows are on one page' },
	{ name: 'Scroll Down', value: 'scrollDown', description: 'Scrolling to the end adds rows' },
	{ name: 'Scroll Up', value: 'scrollUp', description: 'Scrolling to the top adds rows' },
]);

const selectorField = (description: string): INodeProperties => ({
	displayName: 'Selector',
	name: 'selector',
	type: 'string',
	default: '',
	placeholder: 'e.g. .price',
	description,
	hint: COPY_HINT,
});

/** A sortable list of entries. */
export const entriesField = (
	displayName: string,
	name: string,
	entry: string,
	description: string,
	values: INodeProperties[],
): INodeProperties => ({
	displayName,
	name,
	type: 'fixedCollection',
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: `Add ${entry}`,
	default: {},
	description,
	options: [{ displayName: entry, name: 'values', values }],
});

const captureFields = (
	nameDescription: string,
	selectorDescription: string,
	hint: string,
	formats: INodeProperties[],
): INodeProperties[] => [
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
		name: 'take',
		type: 'options',
		options: TAKES,
		default: 'text',
		description: 'What to read from the element',
	},
	{
		displayName: 'Attribute',
		name: 'attribute',
		type: 'string',
		default: '',
		placeholder: 'e.g. data-sku',
		displayOptions: { show: { take: ['attribute'] } },
		description: 'The name of the HTML attribute',
	},
	...formats,
];

const listFields = (formats: INodeProperties[]): INodeProperties[] => [
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
		description: 'Selects the element for each row, in CSS or XPath',
		hint: "Copy one row's selector in your browser, and delete the part that selects only that row, such as ':nth-child(1)'",
	},
	entriesField(
		'Columns',
		'columns',
		'Column',
		'The columns to return. Leave empty to let Maxun detect them.',
		captureFields(
			'The name of the column in the output',
			'Selects the element within a row, in CSS or XPath. Leave empty to read the row itself, for example if each row is a link.',
			'Enter only the part within the row, e.g. a.name. Leave empty for the row itself.',
			formats,
		),
	),
	{
		displayName: 'Pagination',
		name: 'pagination',
		type: 'options',
		options: PAGINATIONS,
		default: 'none',
		description:
			'How the list continues. With any pagination, Maxun leaves out rows that are equal to an earlier one.',
	},
	{
		displayName: 'Pagination Selector',
		name: 'paginationSelector',
		type: 'string',
		default: '',
		placeholder: 'e.g. a.next',
		displayOptions: { show: { pagination: BUTTONS } },
		description: 'Selects the button or link',
	},
	{
		displayName: 'Max Rows',
		name: 'rowLimit',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 10_000 },
		default: 100,
		description: 'Maximum number of rows from all pages, from 1 to 10,000',
	},
];

const ACTIONS = choices([
	{ name: 'Click', value: 'click', description: 'Click an element' },
	{ name: 'Go to Page', value: 'goTo', description: 'Open another page' },
	{
		name: 'Press Key',
		value: 'pressKey',
		description: 'Press a key in the last input, such as Enter',
	},
	{ name: 'Scroll', value: 'scroll', description: 'Scroll down' },
	{ name: 'Select Option', value: 'selectOption', description: 'Choose from a list of options' },
	{ name: 'Take Screenshot', value: 'screenshot', description: 'Capture the whole page' },
	{ name: 'Type Text', value: 'type', description: 'Type text into an input' },
	{ name: 'Wait', value: 'wait', description: 'Wait for a number of seconds' },
	{
		name: 'Wait for Element',
		value: 'waitForElement',
		description: 'Wait until an element appears',
	},
]);

const shownFor = (...action: string[]) => ({ displayOptions: { show: { action } } });

const stepFields: INodeProperties[] = [
	{
		displayName: 'Action',
		name: 'action',
		type: 'options',
		options: ACTIONS,
		default: 'click',
		description: 'What the robot does',
	},
	{
		...selectorField('Selects the element'),
		...shownFor('click', 'selectOption', 'type', 'waitForElement'),
	},
	{
		displayName: 'Text From',
		name: 'textFrom',
		type: 'options',
		options: [
			{
				name: 'Credential: Password',
				value: 'password',
				description: "The password in the node's Website Login credential",
			},
			{
				name: 'Credential: User',
				value: 'user',
				description: "The user in the node's Website Login credential",
			},
			{ name: 'Value', value: 'value', description: 'The text below' },
		],
		default: 'value',
		...shownFor('type'),
		description:
			'Where the text comes from. A password from a credential is neither in the workflow nor in its executions. Maxun stores it, encrypted, in the robot.',
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		...shownFor('type'),
		description:
			'The text to type. n8n stores it with the workflow, so everyone who can edit the workflow can use it. The node never returns it.',
	},
	{
		displayName: 'Seconds',
		name: 'seconds',
		type: 'number',
		typeOptions: { minValue: 0.1, maxValue: 120 },
		default: 10,
		...shownFor('wait', 'waitForElement'),
		description: 'How long to wait. For an element, the maximum time.',
	},
	{
		displayName: 'Screens',
		name: 'screens',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 1,
		...shownFor('scroll'),
		description: 'How far to scroll, as a number of screens',
	},
	{
		displayName: 'URL',
		name: 'url',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/orders',
		...shownFor('goTo'),
		description: 'The page to open',
	},
	{
		displayName: 'Key',
		name: 'key',
		type: 'string',
		default: 'Enter',
		...shownFor('pressKey'),
		description: 'The name of the key, such as Enter, Tab, Escape or ArrowDown',
	},
	{
		displayName: 'Option',
		name: 'option',
		type: 'string',
		default: '',
		placeholder: 'e.g. Price: low to high',
		...shownFor('selectOption'),
		description: 'The text of the option, or its value in HTML',
	},
];

const shownIn = (mode: string, fields: INodeProperties[]): INodeProperties[] =>
	fields.map((field) => ({ ...field, displayOptions: { show: { specifyFields: [mode] } } }));

const STEP_KEYS = ['selector', 'text', 'key', 'option', 'seconds', 'screens', 'url']
	.map((key) => `'${key}'`)
	.join(', ');

const EXAMPLE = `{
  "fields": [{ "name": "Heading", "selector": "h1" }],
  "lists": [{ "rowSelector": "li.product", "columns": [{ "name": "Price", "selector": ".price" }] }]
}`;

/** What a robot captures, and what it does before that. @param formats how to convert a column */
export const definitionFields = (formats: INodeProperties[] = []): INodeProperties[] => [
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
	...shownIn('fields', [
		entriesField(
			'Lists',
			'lists',
			'List',
			'Elements that repeat on the page, such as products or search results. Each becomes a row.',
			listFields(formats),
		),
		entriesField(
			'Fields',
			'fields',
			'Field',
			'Single values from the page, such as a heading or a total',
			captureFields(
				'The name of the field in the output',
				'Selects the element on the page, in CSS',
				COPY_HINT,
				formats,
			),
		),
		entriesField(
			'Steps',
			'steps',
			'Step',
			'What the robot does before it reads the data, such as a login',
			stepFields,
		),
	]),
	...shownIn('json', [
		{
			displayName: 'JSON',
			name: 'json',
			type: 'json',
			required: true,
			typeOptions: { rows: 8 },
			default: EXAMPLE,
			description: `An object with 'fields', 'lists' and 'steps'. A field has 'name', 'selector' (CSS) and 'take' (text, link, image or attribute). A list has 'rowSelector', 'rowLimit', 'pagination' (none, clickNext, clickLoadMore, scrollDown, scrollUp or automatic), 'paginationSelector', 'name', and 'columns', which are fields relative to a row. Without columns, Maxun detects them. A step has 'action' (click, type, pressKey, selectOption, waitForElement, wait, scroll, goTo or screenshot) and what the action needs: ${STEP_KEYS}.`,
		},
	]),
];

const checkSelectorsField: INodeProperties = {
	displayName: 'Check Selectors',
	name: 'checkSelectors',
	type: 'boolean',
	default: false,
	description:
		'Whether Maxun tries all selectors before it creates the robot, which is the default. Turn this off if a step reveals the data. Maxun then detects neither columns nor pagination.',
};

const startUrlField: INodeProperties = {
	displayName: 'Start URL',
	name: 'startUrl',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://example.com/login',
	description:
		"The page where the steps begin, such as a login page. After the steps, the robot opens the page in 'URL'. Maxun then cannot check the selectors, and detects neither columns nor pagination.",
};

/** The optional fields of a robot from selectors. */
export const extractAdditionalFields = (more: INodeProperties[] = []) =>
	additionalFields([checkSelectorsField, startUrlField, ...more]);

/** The user and password that steps can type, for the operations with steps. */
export const loginCredential = {
	name: 'maxunWebsiteLoginApi',
	displayName: 'Website Login',
	required: false,
	testedBy: 'testLogin',
	displayOptions: {
		show: { resource: ['robot', 'web'], operation: ['createExtract', 'extractWithSelectors'] },
	},
} satisfies INodeCredentialDescription;

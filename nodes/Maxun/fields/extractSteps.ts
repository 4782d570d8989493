import { z } from 'zod';
import type { Step } from '../servers/definition';
import { choice, type EntryValues, type Field } from './field';
import { mustBe, mustBeWebAddress, seconds } from './parameters';
import { mustBeSelector } from './selectors';

export const selectorField = (description: string) =>
	({
		displayName: 'Selector',
		name: 'selector',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. .price',
		description,
		hint: "In your browser, right-click the element, choose 'Inspect', right-click the highlighted line and copy the selector",
		rule: mustBeSelector,
	}) as const satisfies Field;

/** Passwords may begin or end with spaces. */
const typedText = z
	.union([z.string(), z.number().transform(String)], mustBe('must be text or a number'))
	.refine((text) => text !== '', 'is required');

const shownFor = (...action: string[]) => ({ displayOptions: { show: { action } } });

const ACTIONS = [
	choice('Click', 'click', 'Click an element'),
	choice('Go to Page', 'goTo', 'Open another page'),
	choice('Press Key', 'pressKey', 'Press a key in the last input, such as Enter'),
	choice('Scroll', 'scroll', 'Scroll down'),
	choice('Select Option', 'selectOption', 'Choose from a list of options'),
	choice('Take Screenshot', 'screenshot', 'Capture the whole page'),
	choice('Type Text', 'type', 'Type text into an input'),
	choice('Wait', 'wait', 'Wait for a number of seconds'),
	choice('Wait for Element', 'waitForElement', 'Wait until an element appears'),
] as const satisfies Field['options'];

export const stepFields = [
	{
		displayName: 'Action',
		name: 'action',
		type: 'options',
		options: ACTIONS,
		default: 'click',
		ifAbsent: '', // Required in JSON.
		description: 'What the robot does',
	},
	{
		...selectorField('CSS selector of the element to click, fill in or wait for'),
		placeholder: 'e.g. #password',
		...shownFor('click', 'selectOption', 'type', 'waitForElement'),
	},
	{
		displayName: 'Text From',
		name: 'textFrom',
		type: 'options',
		options: [
			choice('Credential: User Name', 'user', "The user in the node's Website Login credential"),
			choice(
				'Credential: Password',
				'password',
				"The password in the node's Website Login credential",
			),
			choice('Value', 'value', 'The text below'),
		],
		default: 'value',
		...shownFor('type'),
		description:
			'Where the text comes from. A password from a credential is not stored in the workflow, but Maxun stores it, encrypted, in the robot.',
	},
	{
		displayName: 'Text',
		name: 'text',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		displayOptions: { show: { action: ['type'], textFrom: ['value'] } },
		description:
			'The text to type. n8n stores it with the workflow, so everyone who can edit the workflow can use it. The node never returns it.',
		schema: typedText,
	},
	{
		displayName: 'Seconds',
		name: 'seconds',
		type: 'number',
		typeOptions: { minValue: 0.1, maxValue: 120 },
		default: 10,
		...shownFor('wait', 'waitForElement'),
		description: 'How long to wait, up to 120 seconds. For an element, the maximum time.',
		schema: seconds().refine((value) => value > 0 && value <= 120, 'must be from 0.1 to 120'),
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
		required: true,
		default: '',
		placeholder: 'e.g. https://example.com/orders',
		...shownFor('goTo'),
		description: 'The page to open',
		rule: mustBeWebAddress,
	},
	{
		displayName: 'Key',
		name: 'key',
		type: 'string',
		required: true,
		default: 'Enter',
		...shownFor('pressKey'),
		description: 'The name of the key, such as Enter, Tab, Escape or ArrowDown',
	},
	{
		displayName: 'Option',
		name: 'option',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Price: low to high',
		...shownFor('selectOption'),
		description: 'The text of the option, or its value in HTML',
	},
] as const satisfies Field[];

export const stepOf = ({ textFrom, ...step }: EntryValues<(typeof stepFields)[number]>): Step => ({
	...step,
	from: textFrom === 'value' ? undefined : textFrom,
});

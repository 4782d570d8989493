import { z } from 'zod';
import type { Step } from '../servers/definition';
import { choice, choiceField, type EntryValues, numberField, textField } from './field';
import { mustBe, mustBeWebAddress, seconds } from './parameters';
import { mustBeSelector } from './selectors';

export const selectorField = (description: string) =>
	textField('Selector', 'selector', description, {
		required: true,
		placeholder: 'e.g. .price',
		hint: "In your browser, right-click the element, choose 'Inspect', right-click the highlighted line and copy the selector",
		rule: mustBeSelector,
	});

/** Passwords may begin or end with spaces. */
const typedText = z
	.union([z.string(), z.number().transform(String)], mustBe('must be text or a number'))
	.refine((text) => text !== '', 'is required');

const shownFor = (...action: string[]) => ({ displayOptions: { show: { action } } });

export const stepFields = [
	choiceField('Action', 'action', 'What the robot does', {
		options: [
			choice('Click', 'click', 'Click an element'),
			choice('Go to Page', 'goTo', 'Open another page'),
			choice('Press Key', 'pressKey', 'Press a key in the last input, such as Enter'),
			choice('Scroll', 'scroll', 'Scroll down'),
			choice('Select Option', 'selectOption', 'Choose from a list of options'),
			choice('Take Screenshot', 'screenshot', 'Capture the whole page'),
			choice('Type Text', 'type', 'Type text into an input'),
			choice('Wait', 'wait', 'Wait for a number of seconds'),
			choice('Wait for Element', 'waitForElement', 'Wait until an element appears'),
		],
		default: 'click',
		ifAbsent: '', // Required in JSON.
	}),
	{
		...selectorField('CSS selector of the element to click, fill in or wait for'),
		placeholder: 'e.g. #password',
		...shownFor('click', 'selectOption', 'type', 'waitForElement'),
	},
	choiceField(
		'Text From',
		'textFrom',
		'Where the text comes from. A password from a credential is not stored in the workflow, but Maxun stores it, encrypted, in the robot.',
		{
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
		},
	),
	textField(
		'Text',
		'text',
		'The text to type. n8n stores it with the workflow, so everyone who can edit the workflow can use it. The node never returns it.',
		{
			typeOptions: { password: true },
			displayOptions: { show: { action: ['type'], textFrom: ['value'] } },
			schema: typedText,
		},
	),
	numberField(
		'Seconds',
		'seconds',
		'How long to wait, up to 120 seconds. For an element, the maximum time.',
		{
			typeOptions: { minValue: 0.1, maxValue: 120 },
			default: 10,
			...shownFor('wait', 'waitForElement'),
			schema: seconds().refine((value) => value > 0 && value <= 120, 'must be from 0.1 to 120'),
		},
	),
	numberField('Screens', 'screens', 'How far to scroll, as a number of screens', {
		typeOptions: { minValue: 1, maxValue: 100 },
		...shownFor('scroll'),
	}),
	textField('URL', 'url', 'The page to open', {
		required: true,
		placeholder: 'e.g. https://example.com/orders',
		...shownFor('goTo'),
		rule: mustBeWebAddress,
	}),
	textField('Key', 'key', 'The name of the key, such as Enter, Tab, Escape or ArrowDown', {
		required: true,
		default: 'Enter',
		...shownFor('pressKey'),
	}),
	textField('Option', 'option', 'The text of the option, or its value in HTML', {
		required: true,
		placeholder: 'e.g. Price: low to high',
		...shownFor('selectOption'),
	}),
];

export const stepOf = ({ textFrom, ...step }: EntryValues<(typeof stepFields)[number]>): Step => ({
	...step,
	from: textFrom === 'value' ? undefined : textFrom,
});

import { z } from 'zod';
import type { Step } from '../servers/definition';
import { selectorProblem } from '../servers/sdk/selector';
import type { EntryValues, Field } from './field';
import { isWebAddress, mustBe, optionalNumber, optionalText } from './parameters';

/** How to get a selector without knowing CSS. */
export const COPY_HINT =
	"In your browser, right-click the element, choose 'Inspect', right-click the highlighted line and copy the selector";

export const selectorField = (description: string) =>
	({
		displayName: 'Selector',
		name: 'selector',
		type: 'string',
		default: '',
		placeholder: 'e.g. .price',
		description,
		hint: COPY_HINT,
	}) as const satisfies Field;

/** Passwords may begin or end with spaces. */
const typedText = z.union(
	[z.string(), z.number().transform(String)],
	mustBe("must contain text or a number as the 'text' of each step"),
);

const shownFor = (...action: string[]) => ({ displayOptions: { show: { action } } });

const ACTIONS = [
	{ name: 'Click', value: 'click', description: 'Click an element' },
	{ name: 'Go to Page', value: 'goTo', description: 'Open another page' },
	{
		name: 'Press Key',
		value: 'pressKey',
		description: 'Press a key in the last input, such as Enter',
	},
	{ name: 'Scroll', value: 'scroll', description: 'Scroll down' },
	{
		name: 'Select Option',
		value: 'selectOption',
		description: 'Choose from a list of options',
	},
	{ name: 'Take Screenshot', value: 'screenshot', description: 'Capture the whole page' },
	{ name: 'Type Text', value: 'type', description: 'Type text into an input' },
	{ name: 'Wait', value: 'wait', description: 'Wait for a number of seconds' },
	{
		name: 'Wait for Element',
		value: 'waitForElement',
		description: 'Wait until an element appears',
	},
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
		schema: optionalText(),
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
			{
				name: 'Credential: User Name',
				value: 'user',
				description: "The user in the node's Website Login credential",
			},
			{
				name: 'Credential: Password',
				value: 'password',
				description: "The password in the node's Website Login credential",
			},
			{ name: 'Value', value: 'value', description: 'The text below' },
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
		description: 'How long to wait. For an element, the maximum time.',
		schema: optionalNumber(),
	},
	{
		displayName: 'Screens',
		name: 'screens',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 100 },
		default: 1,
		...shownFor('scroll'),
		description: 'How far to scroll, as a number of screens',
		schema: optionalNumber(),
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
] as const satisfies Field[];

type GivenStep = EntryValues<(typeof stepFields)[number]>;

/** A step, or what is wrong with it. */
export function stepOf(given: GivenStep, index: number): Step | string[] {
	const { action, selector = '', text = '', seconds = 10, screens = 1 } = given;
	const { url = '', key = 'Enter', option = '' } = given;
	const subject = `step ${index + 1}`;
	const unless = (problems: string[], step: Step) => (problems.length > 0 ? problems : step);
	const missing = (value: string, what: string) =>
		value ? [] : [`must contain ${what} for ${subject}`];
	const atElement = selectorProblems(subject, selector);
	const tooLong = secondsProblems(subject, seconds);
	switch (action) {
		case 'click':
			return unless(atElement, { action, selector });
		case 'type':
			if (given.textFrom === 'user' || given.textFrom === 'password') {
				return unless(atElement, { action, selector, text: '', from: given.textFrom });
			}
			return unless([...atElement, ...missing(text, 'text')], { action, selector, text });
		case 'pressKey':
			return { action, key };
		case 'selectOption':
			return unless([...atElement, ...missing(option, 'an option')], { action, selector, option });
		case 'waitForElement':
			return unless([...atElement, ...tooLong], { action, selector, seconds });
		case 'wait':
			return unless(tooLong, { action, seconds });
		case 'scroll': {
			const isValid = Number.isInteger(screens) && screens >= 1 && screens <= 100;
			const problem = `must contain a whole number from 1 to 100 for 'Screens' in ${subject}`;
			return isValid ? { action, screens } : [problem];
		}
		case 'goTo':
			return isWebAddress(url) ? { action, url } : [`must contain a URL for ${subject}`];
		case 'screenshot':
			return { action };
		default:
			return [`must contain a valid action for ${subject}`];
	}
}

const secondsProblems = (subject: string, seconds: number): string[] =>
	seconds > 0 && seconds <= 120
		? []
		: [`must contain a number up to 120 for 'Seconds' in ${subject}`];

/** @param problemOf returns why Maxun can't use a selector */
export function selectorProblems(
	subject: string,
	selector: string | undefined,
	problemOf = selectorProblem,
): string[] {
	if (!selector) return [`must contain a selector for ${subject}`];
	const problem = problemOf(selector);
	return problem ? [`must contain a valid selector for ${subject}. ${problem}`] : [];
}

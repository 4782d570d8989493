import { choicesField, type Field } from './field';
import { mustNotBeEmpty } from './parameters';

export const formatsField = choicesField(
	'Output Formats',
	'formats',
	'What to capture from the page',
	{
		options: [
			{ name: 'HTML', value: 'html' },
			{ name: 'Links', value: 'links' },
			{ name: 'Markdown', value: 'markdown' },
			{ name: 'Screenshot (Full Page)', value: 'screenshot-fullpage' },
			{ name: 'Screenshot (Visible Part)', value: 'screenshot-visible' },
			{ name: 'Summary', value: 'summary' },
			{ name: 'Text', value: 'text' },
		],
		default: ['markdown'],
	},
);

/** The same formats in a robot's settings. Maxun doesn't document what a robot without formats captures. */
export const outputFormatsField = {
	...formatsField,
	name: 'outputFormats',
	rule: mustNotBeEmpty,
} as const satisfies Field;

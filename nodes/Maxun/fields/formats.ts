import { choicesField, type Field, named } from './field';
import { formOf, type Output } from '../results/outputForms';
import { mustNotBeEmpty } from './parameters';

export const formatsField = choicesField(
	'Output Formats',
	'formats',
	'What to capture from the page',
	{
		options: named({
			HTML: 'html',
			Links: 'links',
			Markdown: 'markdown',
			'Screenshot (Full Page)': 'screenshot-fullpage',
			'Screenshot (Visible Part)': 'screenshot-visible',
			Summary: 'summary',
			Text: 'text',
		}),
		default: ['markdown'],
	},
);

/** The same formats in a robot's settings. Maxun doesn't document what a robot without formats captures. */
export const outputFormatsField = {
	...formatsField,
	name: 'outputFormats',
	rule: mustNotBeEmpty,
} as const satisfies Field;

/** The formats to capture for an output. */
export const formatsFor = (output: Output, formats: string[] | undefined) =>
	formOf(output).formats ?? formats;

import type { INodeProperties } from 'n8n-workflow';
import { choices, several } from './parameters';

const FORMATS = choices([
	{ name: 'HTML', value: 'html' },
	{ name: 'Links', value: 'links' },
	{ name: 'Markdown', value: 'markdown' },
	{ name: 'Screenshot (Full Page)', value: 'screenshot-fullpage' },
	{ name: 'Screenshot (Visible Part)', value: 'screenshot-visible' },
	{ name: 'Summary', value: 'summary' },
	{ name: 'Text', value: 'text' },
]);

/** The formats to capture a page in. */
export const formatsField: INodeProperties = {
	displayName: 'Formats',
	name: 'formats',
	type: 'multiOptions',
	options: FORMATS,
	default: ['markdown'],
	description: 'What to capture from the page',
};

export const formatsParameter = several(FORMATS);

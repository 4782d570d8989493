import type { INodeProperties } from 'n8n-workflow';
import { several } from '../core/parameters';

const FORMATS = [
	{ name: 'HTML', value: 'html' },
	{ name: 'Links', value: 'links' },
	{ name: 'Markdown', value: 'markdown' },
	{ name: 'Screenshot (Full Page)', value: 'screenshot-fullpage' },
	{ name: 'Screenshot (Visible Part)', value: 'screenshot-visible' },
	{ name: 'Summary', value: 'summary' },
	{ name: 'Text', value: 'text' },
];

/** What a page is captured as. */
export const formatsField: INodeProperties = {
	displayName: 'Formats',
	name: 'formats',
	type: 'multiOptions',
	options: FORMATS,
	default: ['markdown'],
	description: 'What to capture of the page',
};

export const formatsParameter = several([
	'html',
	'links',
	'markdown',
	'screenshot-fullpage',
	'screenshot-visible',
	'summary',
	'text',
]);

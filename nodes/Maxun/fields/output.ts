import type { INodeProperties } from 'n8n-workflow';
import { choices, oneOf } from './parameters';

const OUTPUTS = choices([
	{ name: 'Full', value: 'full', description: 'The run as returned by Maxun' },
	{
		name: 'Rows',
		value: 'rows',
		description:
			'One item per row, page or result. Otherwise, one item with the captured fields or formats.',
	},
	{
		name: 'Simplified',
		value: 'simplified',
		description: 'The most useful fields of the run, and its data without empty parts',
	},
]);

/** What to return for a run. */
export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: OUTPUTS,
	default: 'simplified',
	description: 'What to return for each run',
};

export const downloadScreenshotsField: INodeProperties = {
	displayName: 'Download Screenshots',
	name: 'downloadScreenshots',
	type: 'boolean',
	default: false,
	description: 'Whether to add the screenshots of the run to the item as files',
};

export const outputParameter = oneOf(OUTPUTS).default('simplified');

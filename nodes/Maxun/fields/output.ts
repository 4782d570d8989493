import type { INodeProperties } from 'n8n-workflow';
import { flag, oneOf } from '../core/parameters';

/** What to make of a run. */
export const outputField: INodeProperties = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{
			name: 'Full',
			value: 'full',
			description: 'The run as Maxun sent it',
		},
		{
			name: 'Rows',
			value: 'rows',
			description:
				'An item for each row, page or result; single fields and the formats of a page come where there are none of these',
		},
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The run with its most useful fields and the data that is not empty',
		},
	],
	default: 'simplified',
	description: 'What to return of the run',
};

export const downloadScreenshotsField: INodeProperties = {
	displayName: 'Download Screenshots',
	name: 'downloadScreenshots',
	type: 'boolean',
	default: false,
	description: 'Whether to add the screenshots of the run as files',
};

export const outputParameters = {
	output: oneOf(['simplified', 'rows', 'full']).default('simplified'),
	downloadScreenshots: flag().default(false),
};

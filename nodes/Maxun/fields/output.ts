import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { choices, oneOf, texts } from './parameters';

const DOCUMENTS = {
	name: 'Documents',
	value: 'documents',
	description: 'One item per page or row, with text and metadata for a vector store',
} as const;

const RAW = { name: 'Raw', value: 'raw', description: 'The run as returned by Maxun' } as const;

const ROWS = {
	name: 'Rows',
	value: 'rows',
	description:
		'One item per row, page or result. If the run has none of these, one item with its fields or formats.',
} as const;

const SELECTED = {
	name: 'Selected Fields',
	value: 'fields',
	description: 'Only the fields that you select',
} as const;

const SIMPLIFIED = {
	name: 'Simplified',
	value: 'simplified',
	description: 'The most useful fields of the run, plus all its data that is not empty',
} as const;

/** What an operation can return for a run. */
const OUTPUTS = choices([DOCUMENTS, RAW, ROWS, SELECTED, SIMPLIFIED]);

/** What a trigger can return for a run. */
const EVENT_OUTPUTS = choices([DOCUMENTS, RAW, ROWS, SIMPLIFIED]);

/** What an operation can return for the pages of a site. */
const PAGE_OUTPUTS = choices([
	DOCUMENTS,
	{ ...ROWS, description: 'One item per page or result, with all its fields' },
]);

/** What an operation can return for a robot. */
const ROBOT_OUTPUTS = choices([
	{ ...RAW, description: 'The robot as returned by Maxun' },
	SELECTED,
	{ ...SIMPLIFIED, description: 'The most useful fields of the robot' },
]);

const outputOf = (options: INodeProperties['options'], entry: string): INodeProperties => ({
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options,
	default: 'simplified',
	description: `What to return for each ${entry}`,
});

/** @param loadOptionsMethod lists the fields */
const fieldsField = (loadOptionsMethod: string, loadOptionsDependsOn: string[]) =>
	({
		displayName: 'Field Names or IDs',
		name: 'fields',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod, loadOptionsDependsOn },
		displayOptions: { show: { output: ['fields'] } },
		default: [],
		description:
			'The fields to return. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}) satisfies INodeProperties;

/** What to return for a run. */
export const outputFields: INodeProperties[] = [
	outputOf(OUTPUTS, 'run'),
	fieldsField('getRunFields', ['robotId.value', 'agentId.value', 'runId.value']),
];

export const outputParameters = {
	output: oneOf(OUTPUTS).default('simplified'),
	fields: texts().default([]),
};

/** The same, with rows by default. */
export const rowsOutputFields: INodeProperties[] = outputFields.map((field) =>
	field.name === 'output' ? { ...field, default: 'rows' } : field,
);

export const rowsOutputParameters = {
	...outputParameters,
	output: oneOf(OUTPUTS).default('rows'),
};

/** What to return for the pages of a site. */
export const pageOutputField: INodeProperties = {
	...outputOf(PAGE_OUTPUTS, 'page'),
	default: 'rows',
};

export const pageOutputParameter = oneOf(PAGE_OUTPUTS).default('rows');

/** What a trigger returns for a run. */
export const eventOutputField = outputOf(EVENT_OUTPUTS, 'run');

export const eventOutputParameter = oneOf(EVENT_OUTPUTS).default('simplified');

/** What to return for a robot. */
export const robotOutputFields: INodeProperties[] = [
	outputOf(ROBOT_OUTPUTS, 'robot'),
	fieldsField('getRobotFields', []),
];

export const robotOutputParameters = {
	output: oneOf(ROBOT_OUTPUTS).default('simplified'),
	fields: texts().default([]),
};

/** Checks that fields are selected if only those are returned. */
export function checkSelectedFields(
	{ output, fields }: { output: string; fields: string[] },
	context: z.RefinementCtx,
): void {
	if (output !== 'fields' || fields.length > 0) return;
	context.addIssue({
		code: 'custom',
		path: ['fields'],
		message: 'must contain at least one value',
	});
}

export const downloadScreenshotsField: INodeProperties = {
	displayName: 'Download Screenshots',
	name: 'downloadScreenshots',
	type: 'boolean',
	default: false,
	description: 'Whether to add the screenshots of the run to the item as files',
};

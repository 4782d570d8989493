import type { Field } from './field';
import type { INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod';

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

const outputOf = <const O extends INodePropertyOptions[], const D extends string>(
	entry: string,
	options: O,
	initial: D,
) =>
	({
		displayName: 'Output',
		name: 'output',
		type: 'options',
		options,
		default: initial,
		ifAbsent: initial,
		description: `What to return for each ${entry}`,
	}) as const satisfies Field;

/** @param loadOptionsMethod lists the fields */
const fieldsField = (loadOptionsMethod: string, loadOptionsDependsOn: string[]) =>
	({
		displayName: 'Field Names or IDs',
		name: 'fields',
		type: 'multiOptions',
		typeOptions: { loadOptionsMethod, loadOptionsDependsOn },
		displayOptions: { show: { output: ['fields'] } },
		default: [],
		ifAbsent: [],
		description:
			'The fields to return. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}) as const satisfies Field;

const runOutputFields = <const D extends string>(initial: D) =>
	[
		outputOf('run', [DOCUMENTS, RAW, ROWS, SELECTED, SIMPLIFIED], initial),
		fieldsField('getRunFields', ['robotId.value', 'agentId.value', 'runId.value']),
	] as const satisfies Field[];

/** What to return for a run. */
export const outputFields = runOutputFields('simplified');

/** The same, with rows by default. */
export const rowsOutputFields = runOutputFields('rows');

/** What to return for the pages of a site. */
export const pageOutputField = outputOf(
	'page',
	[DOCUMENTS, { ...ROWS, description: 'One item per page or result, with all its fields' }],
	'rows',
);

/** What a trigger returns for a run. */
export const eventOutputField = outputOf('run', [DOCUMENTS, RAW, ROWS, SIMPLIFIED], 'simplified');

/** What to return for a robot. */
export const robotOutputFields = [
	outputOf(
		'robot',
		[
			{ ...RAW, description: 'The robot as returned by Maxun' },
			SELECTED,
			{ ...SIMPLIFIED, description: 'The most useful fields of the robot' },
		],
		'simplified',
	),
	fieldsField('getRobotFields', []),
] as const satisfies Field[];

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

export const downloadScreenshotsField = {
	displayName: 'Download Screenshots',
	name: 'downloadScreenshots',
	type: 'boolean',
	default: false,
	ifAbsent: false,
	description: 'Whether to add the screenshots of the run to the item as files',
} as const satisfies Field;

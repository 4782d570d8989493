import { choiceField, choicesField, type Field, switchField } from './field';
import type { INodePropertyOptions } from 'n8n-workflow';
import { loadedFrom } from './lists';
import type { Problem } from './parameters';
import { formOf, type Output } from '../results/outputForms';

/** An option of 'Output'. @param description instead of the usual description */
const form = <const V extends Output>(value: V, description = formOf(value).description) => ({
	name: formOf(value).name,
	value,
	description,
});

const outputs = <const O extends INodePropertyOptions[], const D extends string>(
	entry: string,
	options: O,
	initial: D,
) =>
	choiceField('Output', 'output', `What to return for each ${entry}`, {
		options,
		default: initial,
		ifAbsent: initial,
	});

const fieldsField = (loadOptionsMethod: string) =>
	choicesField(
		'Field Names or IDs',
		'fields',
		'The fields to return. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		{
			typeOptions: loadedFrom(loadOptionsMethod),
			displayOptions: { show: { output: ['fields'] } },
			ifAbsent: [],
		},
	);

export const outputFields = [
	outputs(
		'run',
		[
			form('contacts'),
			form('documents'),
			form('raw'),
			form('rows'),
			form('fields'),
			form('simplified'),
		],
		'rows',
	),
	fieldsField('getRunFields'),
] as const satisfies Field[];

type EntryKind = 'page' | 'result' | 'row' | 'document';

const entryForms = (entry: EntryKind) => [
	form('documents', 'Text and metadata for a vector store'),
	form('rows', `One item per ${entry}, with all its fields`),
];

export const entryOutputField = (entry: Exclude<EntryKind, 'page'>) =>
	outputs(entry, entryForms(entry), 'rows');

export const pageOutputField = outputs(
	'page',
	[
		form(
			'contacts',
			'One item per email address, phone number and profile. The node reads them from the HTML of each page.',
		),
		...entryForms('page'),
	],
	'rows',
);

export const eventOutputField = {
	...outputs('run', [form('documents'), form('raw'), form('rows'), form('simplified')], 'rows'),
	description: 'What to return for each run. Changes are always returned as rows.',
} as const satisfies Field;

export const robotOutputFields = [
	outputs(
		'robot',
		[
			form('raw', 'The robot as returned by Maxun'),
			form('fields'),
			form('simplified', 'The most useful fields of the robot'),
		],
		'simplified',
	),
	fieldsField('getRobotFields'),
] as const satisfies Field[];

export const checkSelectedFields = (given: { output: string; fields: string[] }): Problem =>
	given.output !== 'fields' || given.fields.length > 0
		? undefined
		: [[['fields'], 'must contain at least one value']];

export const downloadScreenshotsField = switchField(
	'Download Screenshots',
	'downloadScreenshots',
	'Whether to add the screenshots of the run to the item as files',
);

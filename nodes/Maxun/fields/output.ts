import {
	choiceField,
	choicesField,
	flagField,
	numberField,
	switchField,
	type Values,
} from './field';
import type { INodePropertyOptions } from 'n8n-workflow';
import { fromList, loadedFrom } from './lists';
import type { Problem } from './parameters';
import { formOf, type Output } from '../results/outputForms';

/** An option of 'Output'. @param description instead of the usual description */
const form = <const V extends Output>(value: V, description = formOf(value).description) => ({
	name: formOf(value).name,
	value,
	description,
});

const forms = <const V extends Output>(...values: V[]) => values.map((value) => form(value));

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
	choicesField('Field Names or IDs', 'fields', `The fields to return. ${fromList('IDs')}`, {
		typeOptions: loadedFrom(loadOptionsMethod),
		displayOptions: { show: { output: ['fields'] } },
		ifAbsent: [],
	});

export const outputFields = [
	outputs('run', forms('contacts', 'documents', 'raw', 'rows', 'fields', 'simplified'), 'rows'),
	fieldsField('getRunFields'),
];

type EntryKind = 'page' | 'result' | 'row' | 'document';

const entryForms = (entry: EntryKind) => [
	form('documents', 'Text and metadata for a vector store'),
	form('rows', `One item per ${entry}, with all its fields`),
];

export const entryOutputField = (entry: Exclude<EntryKind, 'page'>) =>
	outputs(entry, entryForms(entry), 'rows');

export const pageOutputField = outputs('page', [form('contacts'), ...entryForms('page')], 'rows');

/** The outputs of a page for which the user selects the formats. */
export const outputsWithFormats = pageOutputField.options
	.map(({ value }) => value)
	.filter((output) => !formOf(output).formats);

export const eventOutputField = {
	...outputs('run', forms('documents', 'raw', 'rows', 'simplified'), 'rows'),
	description: 'What to return for each run. Changes are always returned as rows.',
};

const rawForm = form('raw', 'All fields, as returned by Maxun');
const usefulForm = form('simplified', 'The most useful fields');

export const robotOutputFields = [
	outputs('robot', [rawForm, form('fields'), usefulForm], 'simplified'),
	fieldsField('getRobotFields'),
];

export const limitFields = [
	flagField(
		'Return All',
		'returnAll',
		'Whether to return all results or only up to a given limit',
		{ default: false },
	),
	numberField('Limit', 'limit', 'Max number of results to return', {
		typeOptions: { minValue: 1 },
		default: 50,
		ifAbsent: 50,
		displayOptions: { show: { returnAll: [false] } },
	}),
];

export const wanted = ({ returnAll, limit }: Values<(typeof limitFields)[number]>) =>
	returnAll ? Infinity : limit;

/** For lists of items with many fields. */
export const listedOutputField = outputs('item', [rawForm, usefulForm], 'simplified');

export const listedFields = [...limitFields, listedOutputField];

export const checkSelectedFields = (given: { output: string; fields: string[] }): Problem =>
	given.output !== 'fields' || given.fields.length > 0
		? undefined
		: [[['fields'], 'must contain at least one value']];

export const downloadScreenshotsField = switchField(
	'Download Screenshots',
	'downloadScreenshots',
	'Whether to add the screenshots of the run to the item as files',
);

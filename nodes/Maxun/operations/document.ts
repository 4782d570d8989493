import { tableFields } from '../fields/columns';
import {
	checkExtracted,
	documentField,
	documentFormatsField,
	extractedFields,
	promptOf,
} from '../fields/documents';
import { entryOutputField } from '../fields/output';
import { temporaryOptionsField } from '../fields/runOptions';
import { oneStep } from './oneStep';
import { called, type Resource } from './operation';

const extractData = oneStep({
	...called('extractData', 'Extract Data', 'from document'),
	description: 'Get fields from a file in one step, such as the number and total of an invoice',
	builderHint:
		'Use this to get named values from a PDF, a picture or an Office file in the input item. It does not need a robot. To get the whole text, use Convert to Text.',
	properties: [
		documentField,
		...extractedFields,
		entryOutputField('document'),
		temporaryOptionsField(tableFields()),
	],
	rule: checkExtracted,
	operation: 'document',
	needs: ({ robots }) => robots.createFromDocument,
	settings: ({ inputDataFieldName: file, options, output }) => ({ file, options, output }),
	create: async (create, params, name, { document }) =>
		await create('extract', await document(params.inputDataFieldName), {
			name,
			prompt: promptOf(params),
		}),
});

const convertToText = oneStep({
	value: 'convertToText',
	name: 'Convert to Text',
	action: 'Convert document to text',
	description: 'Get the content of a file in one step, as Markdown, HTML, links or a summary',
	builderHint:
		'Use this to read a PDF, a picture or an Office file in the input item, for example for a vector store. To get named values, use Extract Data.',
	properties: [
		documentField,
		documentFormatsField,
		entryOutputField('document'),
		temporaryOptionsField(tableFields()),
	],
	operation: 'text',
	needs: ({ robots }) => robots.createFromDocument,
	settings: ({ inputDataFieldName: file, options, output }) => ({ file, options, output }),
	create: async (create, { inputDataFieldName, outputFormats }, name, { document }) =>
		await create('parse', await document(inputDataFieldName), { name, outputFormats }),
});

export const document: Resource = {
	name: 'Document',
	value: 'document',
	description: 'Read PDFs, invoices and other files',
	operations: [extractData, convertToText],
};

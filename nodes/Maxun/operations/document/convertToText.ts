import { documentField, documentFormatsField } from '../../fields/documents';
import { tableFields } from '../../fields/columns';
import { temporaryOptionsField } from '../../fields/keepRobot';
import { pageOutputField } from '../../fields/output';
import { oneStep } from '../oneStep';
import { waitingOperation } from '../operation';

export const convertToText = waitingOperation(
	{
		resource: 'document',
		value: 'convertToText',
		name: 'Convert to Text',
		action: 'Convert document to text',
		description: 'Get the content of a file in one step, as Markdown, HTML, links or a summary',
		builderHint:
			'Use this to read a PDF, a picture or an Office file of the input item, for example for a vector store. To get named values, use Extract Data.',
		properties: [
			documentField,
			documentFormatsField,
			{ ...pageOutputField, description: 'What to return for each document' },
			temporaryOptionsField(tableFields()),
		],
	},
	oneStep({
		operation: 'text',
		needs: ({ robots }) => robots.createFromDocument,
		fileIn: ({ inputDataFieldName }) => inputDataFieldName,
		create: async (create, { inputDataFieldName, outputFormats }, name, { document }) =>
			await create('parse', await document(inputDataFieldName), { name, outputFormats }),
	}),
);

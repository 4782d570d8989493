import { operation } from '../operation';
import { documentField, documentFormatsField } from '../../fields/documents';
import { uniqueNameField } from '../../fields/robots';

export const createDocumentParse = operation(
	{
		resource: 'robot',
		value: 'createDocumentParse',
		name: 'Create Document Parse Robot',
		action: 'Create document parse robot',
		description: 'Create a robot that converts a document to text',
		properties: [documentField, uniqueNameField, documentFormatsField],
	},
	{
		needs: ({ robots }) => robots.createFromDocument,
		run: async (create, { inputDataFieldName, ...fields }, { document }) =>
			await create('parse', await document(inputDataFieldName), fields),
	},
);

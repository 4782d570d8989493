import { operation } from '../operation';
import { additionalFields } from '../../fields/collections';
import { documentField, promptField } from '../../fields/documents';
import { nameField } from '../../fields/robots';

export const createDocumentExtract = operation(
	{
		resource: 'robot',
		value: 'createDocumentExtract',
		name: 'Create Document Extract Robot',
		action: 'Create document extract robot',
		description: 'Create a robot that extracts fields from a document',
		properties: [documentField, promptField, additionalFields([nameField])],
	},
	{
		needs: ({ robots }) => robots.createFromDocument,
		run: async (create, { inputDataFieldName, prompt, additionalFields: { name } }, { document }) =>
			await create('extract', await document(inputDataFieldName), { prompt, name }),
	},
);

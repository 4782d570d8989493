import { z } from 'zod';
import { operation } from '../operation';
import {
	documentField,
	documentFormatsField,
	documentFormatsParameter,
} from '../../fields/documents';
import { binaryField, text } from '../../fields/parameters';
import { nameField } from '../../fields/robots';

export const createDocumentParse = operation(
	{
		resource: 'robot',
		value: 'createDocumentParse',
		name: 'Create Document Parse Robot',
		action: 'Create document parse robot',
		description: 'Create a robot that converts a document to text',
		properties: [
			documentField,
			{ ...nameField, required: true, description: 'A name that no other robot has' },
			documentFormatsField,
		],
	},
	z.object({
		inputDataFieldName: binaryField(),
		name: text(),
		outputFormats: documentFormatsParameter,
	}),
	{
		needs: ({ robots }) => robots.createFromDocument,
		run: async (create, { inputDataFieldName, ...fields }, { document }) =>
			await create('parse', await document(inputDataFieldName), fields),
	},
);

import { z } from 'zod';
import { operation } from '../operation';
import { documentField } from '../../fields/documents';
import { binaryField, choices, several, text } from '../../fields/parameters';
import { nameField } from '../../fields/robots';

const FORMATS = choices([
	{ name: 'HTML', value: 'html' },
	{ name: 'Links', value: 'links' },
	{ name: 'Markdown', value: 'markdown' },
	{ name: 'Summary', value: 'summary' },
]);

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
			{
				displayName: 'Output Formats',
				name: 'outputFormats',
				type: 'multiOptions',
				options: FORMATS,
				default: ['markdown'],
				description: 'What to convert the document to',
			},
		],
	},
	z.object({
		inputDataFieldName: binaryField(),
		name: text(),
		outputFormats: several(FORMATS),
	}),
	{
		needs: ({ robots }) => robots.createFromDocument,
		run: async (create, { inputDataFieldName, ...fields }, { document }) =>
			await create('parse', await document(inputDataFieldName), fields),
	},
);

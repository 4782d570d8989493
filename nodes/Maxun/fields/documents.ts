import { entriesField } from './collections';
import { typeField, typeWord } from './columns';
import type { Field, Values } from './field';
import { binaryField, mustNotBeEmpty, text, type Problem } from './parameters';

export const documentField = {
	displayName: 'Input Data Field Name',
	name: 'inputDataFieldName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the input field containing the file to be uploaded',
	description: 'The document, as a PDF, DOCX, XLSX, CSV, JPG or PNG file of up to 10 MB',
	schema: binaryField(),
} as const satisfies Field;

export const promptField = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	placeholder: 'e.g. Invoice number, date, supplier and total',
	default: '',
	description: 'The fields to extract from the document, in plain language',
} as const satisfies Field;

export const documentFormatsField = {
	displayName: 'Output Formats',
	name: 'outputFormats',
	type: 'multiOptions',
	options: [
		{ name: 'HTML', value: 'html' },
		{ name: 'Links', value: 'links' },
		{ name: 'Markdown', value: 'markdown' },
		{ name: 'Summary', value: 'summary' },
	],
	default: ['markdown'],
	description: 'What to convert the document to',
	rule: mustNotBeEmpty,
} as const satisfies Field;

export const extractedFields = [
	{
		displayName: 'Describe the Data',
		name: 'specifyFields',
		type: 'options',
		options: [
			{ name: 'In a Prompt', value: 'prompt' },
			{ name: 'In This Form', value: 'fields' },
		],
		default: 'prompt',
		description: 'How to describe what to extract from the document',
	},
	{ ...promptField, displayOptions: { show: { specifyFields: ['prompt'] } } },
	{
		...entriesField(
			'Fields',
			'fields',
			'Field',
			'The fields to extract from the document. The node turns them into a prompt.',
			[
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Invoice number',
					description: 'The name of the field',
					schema: text(),
				},
				{ ...typeField, description: 'What the field contains' },
				{
					displayName: 'Description',
					name: 'description',
					type: 'string',
					default: '',
					placeholder: 'e.g. The amount to pay, including tax',
					description:
						'How to find the value in the document. Leave empty if the name is clear enough.',
				},
			],
		),
		displayOptions: { show: { specifyFields: ['fields'] } },
	},
] as const satisfies Field[];

type Extracted = Values<(typeof extractedFields)[number]>;

export const checkExtracted = ({ specifyFields, fields }: Extracted): Problem =>
	specifyFields === 'prompt' || fields.length > 0
		? undefined
		: [[[specifyFields], 'must contain at least one field']];

export function promptOf({ specifyFields, prompt = '', fields }: Extracted): string {
	if (specifyFields === 'prompt') return prompt;
	const lines = fields.map(({ name, type, description }) =>
		[`- ${name} (${typeWord(type)})`, description].filter(Boolean).join(': '),
	);
	return ['Extract exactly these fields:', ...lines].join('\n');
}

import { entriesField } from './collections';
import { typeField, typeWord } from './columns';
import { choiceField, choicesField, named, textField, type Values } from './field';
import { binaryField, mustNotBeEmpty, text, type Problem } from './parameters';

export const documentField = textField(
	'Input Data Field Name',
	'inputDataFieldName',
	'The document, as a PDF, DOCX, XLSX, CSV, JPG or PNG file of up to 10 MB',
	{
		required: true,
		default: 'data',
		hint: 'The name of the input field containing the file to be uploaded',
		schema: binaryField(),
	},
);

export const promptField = textField(
	'Prompt',
	'prompt',
	'The fields to extract from the document, in plain language',
	{
		typeOptions: { rows: 3 },
		required: true,
		placeholder: 'e.g. Invoice number, date, supplier and total',
	},
);

export const documentFormatsField = choicesField(
	'Output Formats',
	'outputFormats',
	'What to convert the document to',
	{
		options: named({ HTML: 'html', Links: 'links', Markdown: 'markdown', Summary: 'summary' }),
		default: ['markdown'],
		rule: mustNotBeEmpty,
	},
);

export const extractedFields = [
	choiceField(
		'Describe the Data',
		'specifyFields',
		'How to describe what to extract from the document',
		{
			options: named({ 'In a Prompt': 'prompt', 'As a List of Fields': 'fields' }),
			default: 'prompt',
		},
	),
	{ ...promptField, displayOptions: { show: { specifyFields: ['prompt'] } } },
	{
		...entriesField(
			'Fields',
			'fields',
			'Field',
			'The fields to extract from the document. The node turns them into a prompt.',
			[
				textField('Name', 'name', 'The name of the field', {
					placeholder: 'e.g. Invoice number',
					schema: text(),
				}),
				{ ...typeField, description: 'What the field contains' },
				textField(
					'Description',
					'description',
					'How to find the value in the document. Leave empty if the name is clear enough.',
					{ placeholder: 'e.g. The amount to pay, including tax' },
				),
			],
		),
		displayOptions: { show: { specifyFields: ['fields'] } },
	},
];

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

import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { typeField, TYPES, typeWord } from './columns';
import { entriesField } from './extract';
import { choices, entries, oneOf, optionalText, several, text } from './parameters';

export const documentField: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'inputDataFieldName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the input field containing the file to be uploaded',
	description: 'The document, as a PDF, DOCX, XLSX, CSV, JPG or PNG file of up to 10 MB',
};

export const promptField: INodeProperties = {
	displayName: 'Prompt',
	name: 'prompt',
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	placeholder: 'e.g. Invoice number, date, supplier and total',
	default: '',
	description: 'The fields to extract from the document, in plain language',
};

const FORMATS = choices([
	{ name: 'HTML', value: 'html' },
	{ name: 'Links', value: 'links' },
	{ name: 'Markdown', value: 'markdown' },
	{ name: 'Summary', value: 'summary' },
]);

/** The formats of a document's text. */
export const documentFormatsField: INodeProperties = {
	displayName: 'Output Formats',
	name: 'outputFormats',
	type: 'multiOptions',
	options: FORMATS,
	default: ['markdown'],
	description: 'What to convert the document to',
};

export const documentFormatsParameter = several(FORMATS);

/** What to extract from a document: in words, or as a list of fields. */
export const extractedFields: INodeProperties[] = [
	{
		displayName: 'Specify Fields',
		name: 'specifyFields',
		type: 'options',
		options: [
			{ name: 'Using a Prompt', value: 'prompt' },
			{ name: 'Using Fields Below', value: 'fields' },
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
			'The fields to extract from the document. The node makes the prompt from them.',
			[
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. Invoice number',
					description: 'The name of the field',
				},
				{ ...typeField, description: 'What the field contains' },
				{
					displayName: 'Description',
					name: 'description',
					type: 'string',
					default: '',
					placeholder: 'e.g. The amount to pay, including tax',
					description: 'How to find the value in the document. Leave empty if the name says it.',
				},
			],
		),
		displayOptions: { show: { specifyFields: ['fields'] } },
	},
];

const Field = z.object({
	name: text(),
	type: oneOf(TYPES).default('text'),
	description: optionalText(),
});

export const extractedParameters = {
	specifyFields: oneOf(['prompt', 'fields']).default('prompt'),
	prompt: optionalText(),
	fields: entries(Field),
};

type Extracted = z.output<z.ZodObject<typeof extractedParameters>>;

/** Checks that there is something to extract. */
export function checkExtracted(
	{ specifyFields, prompt, fields }: Extracted,
	context: z.RefinementCtx,
): void {
	const isMissing = specifyFields === 'prompt' ? prompt === undefined : fields.length === 0;
	if (!isMissing) return;
	const message = specifyFields === 'prompt' ? 'is required' : 'must contain at least one field';
	context.addIssue({ code: 'custom', path: [specifyFields], message });
}

/** The prompt in the form, or one that lists the fields. */
export function promptOf({ specifyFields, prompt = '', fields }: Extracted): string {
	if (specifyFields === 'prompt') return prompt;
	const lines = fields.map(({ name, type, description }) =>
		[`- ${name} (${typeWord(type)})`, description].filter(Boolean).join(': '),
	);
	return ['Extract exactly these fields:', ...lines].join('\n');
}

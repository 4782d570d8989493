import type { INodeProperties } from 'n8n-workflow';

export const documentField: INodeProperties = {
	displayName: 'Input Data Field Name',
	name: 'inputDataFieldName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the input field containing the file to be uploaded',
	description: 'The document, as a PDF, DOCX, XLSX, CSV, JPG or PNG file',
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

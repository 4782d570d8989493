import { expect } from 'vitest';
import { INVOICE, INVOICE_PROMPT, PDF } from '../../helpers/files.mts';
import { life, NAME, WAIT, expectNothingLeft } from '../support/temporary.mts';
import { one, operationCase } from '../support/operations.mts';
import { filePart } from './robot-create.mts';

const FORMATS = ['html', 'links', 'markdown', 'summary'];

export const documentCases = [
	operationCase(['document', 'extractData'], (given) => ({
		parameters: {
			inputDataFieldName: 'data',
			specifyFields: 'prompt',
			prompt: INVOICE_PROMPT,
			options: WAIT,
		},
		file: PDF,
		requests: life({
			method: 'POST',
			path: '/robots/document-extract',
			parts: [
				['file', filePart],
				['prompt', INVOICE_PROMPT],
				['name', NAME],
			],
		}),
		check: async (items) => {
			expect(one(items)).toEqual({ fileName: PDF.fileName, ...INVOICE });
			await expectNothingLeft(given);
		},
	})),
	operationCase(['document', 'convertToText'], (given) => ({
		parameters: { inputDataFieldName: 'data', outputFormats: FORMATS, options: WAIT },
		file: PDF,
		requests: life({
			method: 'POST',
			path: '/robots/document-parse',
			parts: [
				['file', filePart],
				...FORMATS.map((format): [string, string] => ['outputFormats', format]),
				['name', NAME],
			],
		}),
		check: async (items) => {
			const { fileName } = PDF;
			expect(one(items)).toMatchObject({
				fileName,
				markdown: expect.stringContaining('2024-17'),
			});
			await expectNothingLeft(given);
		},
	})),
];

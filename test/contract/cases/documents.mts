import { expectFields } from '../check.mts';
import type { Case } from '../contract.mts';

const CONTENT = 'Invoice,Total\n2026-17,129 EUR\n';

const file = () => ({
	data: {
		data: Buffer.from(CONTENT).toString('base64'),
		mimeType: 'text/csv',
		fileName: 'invoice.csv',
	},
});

export const documentCases: Case[] = [
	{
		resource: 'robot',
		operation: 'createDocumentExtract',
		async check(on) {
			const name = on.name();
			const fields = { inputDataFieldName: 'data', prompt: 'Get the total' };
			const parameters = { ...fields, additionalFields: { name } };
			const robot = await on.one('robot', 'createDocumentExtract', parameters, file());
			expectFields(robot, { name, type: 'doc-extract' });
		},
	},
	{
		resource: 'robot',
		operation: 'createDocumentParse',
		async check(on) {
			const name = on.name();
			const parameters = { inputDataFieldName: 'data', outputFormats: ['markdown'], name };
			const robot = await on.one('robot', 'createDocumentParse', parameters, file());
			expectFields(robot, { name, type: 'doc-parse' });
		},
	},
];

import { expectFields, expectTexts } from '../check.mts';
import { contractCase, type Case } from '../contract.mts';

const CONTENT = 'Invoice,Total\n2026-17,129 EUR\n';

const file = () => ({
	data: {
		data: Buffer.from(CONTENT).toString('base64'),
		mimeType: 'text/csv',
		fileName: 'invoice.csv',
	},
});

const FILE = { inputDataFieldName: 'data' };

export const documentCases: Case[] = [
	contractCase('document', 'extractData', async (on) => {
		const parameters = { ...FILE, specifyFields: 'prompt', prompt: 'Get the total' };
		// The sandbox doesn't find anything in the file for some prompts.
		const given = { ...parameters, ...on.runOptions({ ifNoData: 'item' }) };
		const fields = await on.one('document', 'extractData', given, file());
		expectFields(fields, { fileName: 'invoice.csv' });
	}),
	contractCase('document', 'convertToText', async (on) => {
		const parameters = { ...FILE, outputFormats: ['markdown'], ...on.runOptions() };
		const text = await on.one('document', 'convertToText', parameters, file());
		expectFields(text, { fileName: 'invoice.csv' });
		expectTexts(text, 'markdown');
	}),
	contractCase('robot', 'createDocumentExtract', async (on) => {
		const name = on.name();
		const fields = { ...FILE, prompt: 'Get the total' };
		const parameters = { ...fields, additionalFields: { name } };
		const robot = await on.one('robot', 'createDocumentExtract', parameters, file());
		expectFields(robot, { name, type: 'doc-extract' });
	}),
	contractCase('robot', 'createDocumentParse', async (on) => {
		const name = on.name();
		const parameters = { ...FILE, outputFormats: ['markdown'], name };
		const robot = await on.one('robot', 'createDocumentParse', parameters, file());
		expectFields(robot, { name, type: 'doc-parse' });
	}),
];

import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer, CloudClient } from '../helpers/client.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { sampleDocx, samplePdf, sampleXlsx } from './samples.mts';

const INVOICE = ['Invoice number: 2024-17', 'Date: 3 May 2024', 'Total: 42.50 EUR'];
const PROMPT = 'Extract the invoice number, the date and the total.';
const FIELDS = { invoiceNumber: '2024-17', date: '3 May 2024', total: '42.50 EUR' };

const sandbox = useSandbox({ settings: { runSeconds: 0 } });
let owner: CloudClient;
let count = 0;

beforeAll(async () => {
	owner = sandbox.owner;
});

type Fields = Array<[name: string, value: string]>;

function form(file: [name: string, content: Uint8Array | string] | undefined, fields: Fields) {
	const data = new FormData();
	if (file !== undefined) data.append('file', new File([file[1]], file[0]));
	for (const [name, value] of fields) data.append(name, value);
	return data;
}

async function extract(filename: string, content: Uint8Array, prompt = PROMPT): Promise<Answer> {
	const fields: Fields = [
		['prompt', prompt],
		['name', `Document ${++count}`],
	];
	return await owner.post('/robots/document-extract', form([filename, content], fields));
}

/** An image of the invoice's lines. */
async function invoiceImage(type: 'png' | 'jpeg'): Promise<Buffer> {
	return await readFile(new URL(`samples/invoice.${type}`, import.meta.url));
}

describe('document extract robots', () => {
	it('a document robot contains the fields to extract', async () => {
		const { status, data } = await extract('invoice.pdf', samplePdf(INVOICE));
		expect(status).toBe(201);
		expect(data).toMatchObject({ type: 'doc-extract', status: 'ready', url: null, formats: [] });
		expect(data.extractionSchema).toEqual({
			type: 'object',
			properties: {
				invoiceNumber: { type: 'string', description: 'invoice number' },
				date: { type: 'string', description: 'date' },
				total: { type: 'string', description: 'total' },
			},
		});
	});

	it.each([
		['invoice.pdf', async () => samplePdf(INVOICE)],
		['invoice.docx', async () => sampleDocx('Invoice', INVOICE)],
		['invoice.png', async () => await invoiceImage('png')],
		['invoice.JPEG', async () => await invoiceImage('jpeg')],
	])('a document robot reads fields from %s', async (filename, content) => {
		const { data } = await extract(filename, await content());
		const run = await owner.run(String(data.id));
		expect(run).toMatchObject({ status: 'success', error: null, data: { documentData: FIELDS } });
	});

	it.each([
		['prices.csv', Buffer.from('Product,Price\nDesk,249\n"Chair, oak",89.5\n')],
		[
			'prices.xlsx',
			sampleXlsx([
				['Product', 'Price'],
				['Desk', 249],
				['Chair, oak', 89.5],
			]),
		],
	])('a document robot reads columns from %s', async (filename, content) => {
		const { data } = await extract(filename, content, 'products, prices, color');
		const run = await owner.run(String(data.id));
		expect(run.data).toMatchObject({
			documentData: { products: ['Desk', 'Chair, oak'], prices: ['249', '89.5'], color: null },
		});
	});

	it('a document robot accepts a new file and prompt', async () => {
		const { data } = await extract('invoice.pdf', samplePdf(INVOICE));
		const path = `/robots/${String(data.id)}`;
		const file = samplePdf(['Total: 99 USD', 'Paid by: card']);
		expect((await owner.put(`${path}/document`, form(['other.pdf', file], []))).status).toBe(200);
		const changed = await owner.patch(`${path}/document-prompt`, { prompt: 'total and paid by' });
		expect(changed.data.extractionSchema).toMatchObject({ properties: { paidBy: {} } });
		const run = await owner.run(String(data.id));
		expect(run.data).toMatchObject({ documentData: { total: '99 USD', paidBy: 'card' } });
	});

	it('a broken document fails the run', async () => {
		const { data } = await extract('broken.pdf', Buffer.from('%PDF-1.4 nothing'));
		const run = await owner.run(String(data.id));
		expect(run).toMatchObject({ status: 'failed', error: expect.stringMatching(/PDF/) });
	});

	it.each([
		['file', form(undefined, [['prompt', 'total']])],
		['file', form(['a.txt', 'text'], [['prompt', 'total']])],
		['file', form(['a.pdf', 'text'], [['prompt', 'total']])],
		['file', form(['a.csv', ''], [['prompt', 'total']])],
		['prompt', form(['a.csv', 'a,b'], [])],
		[
			'url',
			form(
				['a.csv', 'a,b'],
				[
					['prompt', 'total'],
					['url', 'x'],
				],
			),
		],
		[
			'name',
			form(
				['a.csv', 'a,b'],
				[
					['prompt', 'total'],
					['name', ''],
				],
			),
		],
	])('a form with a wrong or missing %s is refused', async (field, body) => {
		const answer = await owner.post('/robots/document-extract', body);
		expect(answer.status).toBe(400);
		expect(answer.body.error).toContain(`"${field}"`);
	});

	it('a JSON body is invalid', async () => {
		const answer = await owner.post('/robots/document-extract', { prompt: 'total' });
		expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('multipart')]);
	});
});

describe('document parse robots', () => {
	const parse = async (content: [string, Uint8Array], fields: Fields) =>
		await owner.post('/robots/document-parse', form(content, fields));

	it('a document becomes Markdown and HTML', async () => {
		const docx = sampleDocx('Report', ['All is well. It will stay so.']);
		const { status, data } = await parse(
			['report.docx', docx],
			[
				['name', 'Report'],
				['outputFormats', 'markdown'],
				['outputFormats', 'summary'],
			],
		);
		expect([status, data.type, data.formats]).toEqual([201, 'doc-parse', ['markdown', 'summary']]);
		expect((await owner.run(String(data.id))).data).toMatchObject({
			markdown: '# Report\n\nAll is well. It will stay so.',
			summary: 'All is well. It will stay so.',
			html: null,
		});
	});

	it('a spreadsheet becomes tables, and a JSON list sets the formats', async () => {
		const csv = Buffer.from('Product,Price\nDesk,249\n');
		const { data } = await parse(
			['list.csv', csv],
			[
				['name', 'List'],
				['outputFormats', '["markdown","html"]'],
			],
		);
		expect((await owner.run(String(data.id))).data).toMatchObject({
			markdown: expect.stringMatching(/\| Product \| Price \|\n\| -+ \| -+ \|\n\| Desk \| 249 \|/),
			html: expect.stringContaining('<td>Desk</td>'),
		});
	});

	it('the API rejects unsupported formats', async () => {
		const answer = await parse(['a.csv', Buffer.from('a')], [['outputFormats', 'text']]);
		expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining('text')]);
	});

	it('a document parse robot has no prompt', async () => {
		const { data } = await parse(['b.csv', Buffer.from('a')], [['name', 'B']]);
		const path = `/robots/${String(data.id)}`;
		expect((await owner.patch(`${path}/document-prompt`, { prompt: 'a' })).status).toBe(400);
	});
});

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { QUICK } from './cases/index.mts';
import type { ExecuteOptions } from '../helpers/engine/index.mts';
import { DOCUMENTS, INVOICE_PROMPT, memoryFile, PDF, type SampleFile } from '../helpers/files.mts';
import { robotsLeft } from '../helpers/fixtures.mts';
import { succeeded, useOperations } from './support/details.mts';
import { pairedIndex } from './support/operations.mts';

const { sandbox, run } = useOperations({ settings: { ...QUICK.settings, slots: 5 } });

const pdf = (fileName: string, content: Buffer): SampleFile => ({ ...PDF, fileName, content });

const PROTECTED = PDF.content
	.toString('latin1')
	.replace(
		'trailer<<',
		`trailer<</Encrypt<</Filter/Standard/V 1/R 2/P -4/O(${'o'.repeat(32)})/U(${'u'.repeat(32)})>>/ID[<00><00>]`,
	);

const BAD: Array<[SampleFile, RegExp]> = [
	[
		{ content: Buffer.from('Notes'), fileName: 'notes.txt', mimeType: 'text/plain' },
		/type of 'notes\.txt'/,
	],
	[pdf('empty.pdf', Buffer.alloc(0)), /the file 'empty\.pdf' is empty/],
	[
		pdf('large.pdf', Buffer.concat([PDF.content, Buffer.alloc(11 * 1024 * 1024)])),
		/the file 'large\.pdf' is too large \(11\.0 MB\)/,
	],
	[
		pdf('damaged.pdf', Buffer.from('%PDF-1.7 and nothing else')),
		/^Run \S+ of 'damaged\.pdf' ended/,
	],
	[pdf('locked.pdf', Buffer.from(PROTECTED, 'latin1')), /^Run \S+ of 'locked\.pdf' ended/],
];

const itemOf = ({ content, fileName, mimeType }: SampleFile): INodeExecutionData => ({
	json: {},
	binary: { data: memoryFile(content, fileName, mimeType) },
});

const process = async (
	operation: 'extractData' | 'convertToText',
	files: SampleFile[],
	parameters: INodeParameters = {},
	options: Partial<ExecuteOptions> = {},
) =>
	await run(
		'document',
		operation,
		{
			inputDataFieldName: 'data',
			specifyFields: 'prompt',
			prompt: INVOICE_PROMPT,
			...parameters,
		},
		{ input: files.map(itemOf), ...options },
	);

describe('50 files in one execution, five of them bad', () => {
	const files = Array.from({ length: 50 }, (_, index) => {
		const [bad] = index % 10 === 7 ? (BAD[(index - 7) / 10] ?? []) : [];
		const good = DOCUMENTS[index % DOCUMENTS.length] ?? PDF;
		return bad ?? { ...good, fileName: `${index}-${good.fileName}` };
	});

	it.each(['extractData', 'convertToText'] as const)(
		'%s returns the good files in order and does not leave a robot',
		async (operation) => {
			const node = { onError: 'continueErrorOutput' } as const;
			const { rows, failed } = succeeded(
				await process(operation, files, { options: { ifNoData: 'item' } }, { node }),
			);
			const isGood = (index: number) => index % 10 !== 7;
			expect(rows.map(pairedIndex)).toEqual([...files.keys()].filter(isGood));
			for (const item of rows) expect(item.json.fileName).toBe(files[pairedIndex(item)]?.fileName);
			expect(failed.map(pairedIndex)).toEqual([7, 17, 27, 37, 47]);
			for (const [index, [, message]] of BAD.entries())
				expect(failed[index]?.json.error).toMatch(message);
			expect(await robotsLeft(sandbox)).toEqual([]);
		},
	);
});

it('with Stop at the First Failure, a file that Maxun cannot read fails the node before the first request', async () => {
	const [[notes]] = BAD;
	const options = { onFailure: 'error' };
	const { error } = await process('extractData', [PDF, PDF, notes], { options });
	expect(error).toMatchObject({ context: { itemIndex: 2 } });
	expect(await sandbox.sent()).toEqual([]);
});

it('fields become a prompt', async () => {
	const values = [
		{ name: 'invoice number', type: 'text', description: '' },
		{ name: 'total', type: 'number', description: 'The amount to pay, with tax' },
	];
	const parameters = { specifyFields: 'fields', fields: { values } };
	const { json } = succeeded(await process('extractData', [PDF], parameters));
	const { fileName } = PDF;
	expect(json).toMatchObject([{ fileName, invoiceNumber: '2024-17', total: '42.50 EUR' }]);
	const prompt =
		'Extract exactly these fields:\n- invoice number (text)\n- total (number): The amount to pay, with tax';
	const created = (await sandbox.sent()).find(({ method }) => method === 'POST');
	const sent = JSON.stringify(created?.body).replaceAll('\\r\\n', '\\n');
	expect(sent).toContain(JSON.stringify(prompt));
});

it("a document for a vector store has the same ID and its file's name in each execution", async () => {
	const read = async () => (await process('convertToText', [PDF], { output: 'documents' })).json[0];
	const first = await read();
	expect(first).toEqual({
		text: expect.stringContaining('2024-17'),
		metadata: { fileName: PDF.fileName, hash: expect.any(String), id: expect.any(String) },
	});
	expect(await read()).toEqual(first);
});

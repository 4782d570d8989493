import type { IBinaryData, INodeParameters } from 'n8n-workflow';
import { BinaryDataConfig, BinaryDataService, ErrorReporter } from 'n8n-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Container, logger } from '../helpers/engine/container.mts';
import { DOCUMENTS, memoryFile, PDF, type SampleFile } from '../helpers/files.mts';
import { newDocumentRobot, newRobot, unique } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';

const { sandbox, run, succeed } = useOperations();

/** Makes n8n store files on disk, its default in production, during the tests in a block. */
function useDisk(): void {
	const inMemory = Container.get(BinaryDataService);
	beforeAll(async () => {
		const config = Object.assign(Container.get(BinaryDataConfig), { mode: 'filesystem' });
		const onDisk = new BinaryDataService(config, Container.get(ErrorReporter), logger);
		await onDisk.init();
		Container.set(BinaryDataService, onDisk);
	});
	afterAll(() => {
		Container.set(BinaryDataService, inMemory);
	});
}

/** A file in n8n's disk mode: a reference without content. */
async function diskFile({ content, fileName, mimeType }: SampleFile): Promise<IBinaryData> {
	const location = { type: 'execution', workflowId: 'engine-test', executionId: '1' } as const;
	const entry = { ...memoryFile(content, fileName, mimeType), data: '' };
	const stored = await Container.get(BinaryDataService).store(location, content, entry);
	expect(stored.id).toMatch(/^filesystem-v2:/);
	expect(stored.data).toBe('filesystem-v2');
	return stored;
}

const upload = async (operation: string, binary: IBinaryData, more: INodeParameters) =>
	await succeed(
		'robot',
		operation,
		{ inputDataFieldName: 'attachment_0', ...more },
		{ input: [{ json: {}, binary: { attachment_0: binary } }] },
	);

/** Creates a robot for a file. @returns the parts of its request */
async function partsFor(binary: IBinaryData) {
	const parameters = { name: unique('Document'), outputFormats: ['markdown'] };
	const { json } = await upload('createDocumentParse', binary, parameters);
	expect(json).toMatchObject([{ type: 'doc-parse', status: 'ready' }]);
	return (await sandbox.sent())[0]?.body;
}

/** Creates a robot for the file, and checks that the whole file was uploaded. */
async function createsRobot({ fileName, mimeType, content }: SampleFile, binary: IBinaryData) {
	expect(await partsFor(binary)).toContainEqual({
		name: 'file',
		filename: fileName,
		contentType: mimeType,
		size: content.length,
	});
}

it.each(DOCUMENTS)('a document robot uses $fileName', async (file) => {
	await createsRobot(file, memoryFile(file.content, file.fileName, file.mimeType));
});

describe('a document on disk', () => {
	useDisk();

	it('is used by a document robot', async () => await createsRobot(PDF, await diskFile(PDF)));

	it("replaces a robot's document", async () => {
		const robotId = await newDocumentRobot(sandbox, { teamId: '' });
		const parameters = { robotId: locator(robotId) };
		const { json } = await upload('replaceDocument', await diskFile(PDF), parameters);
		expect(json).toMatchObject([{ id: robotId }]);
	});

	it('also contains screenshots', async () => {
		const robotId = await newRobot(sandbox, { teamId: '' });
		const png = DOCUMENTS.at(-1)?.content.toString('base64') ?? '';
		const [runId = ''] = await sandbox.control.runs({ robotId, run: { screenshots: [png] } });
		const options = { downloadScreenshots: true };
		const { rows } = await succeed('run', 'get', { runId: locator(runId), options });
		const file = rows[0]?.binary?.screenshot;
		expect(file).toMatchObject({ data: 'filesystem-v2', mimeType: 'image/png' });
		expect(file?.id).toMatch(/^filesystem-v2:/);
	});
});

it.each([
	[{ mimeType: 'application/pdf; charset=binary' }, 'document.pdf'],
	[{ fileName: 'Invoice', mimeType: 'Application/PDF' }, 'Invoice.pdf'],
	[{ fileName: 'INVOICE.PDF', mimeType: 'text/plain' }, 'INVOICE.pdf'],
	[{ fileName: 'invoice', fileExtension: 'PDF', mimeType: '' }, 'invoice.pdf'],
	[{ fileName: 'invoice.pdf ', mimeType: '' }, 'invoice.pdf'],
	[{ fileName: 'scan.png', mimeType: 'image/png' }, 'scan.png.pdf'],
	[{ fileName: 'download.php', mimeType: 'application/octet-stream' }, 'download.php.pdf'],
])('the node completes the name and type of the file %j', async (given, filename) => {
	const binary = { ...given, data: PDF.content.toString('base64') };
	expect(await partsFor(binary)).toContainEqual(
		expect.objectContaining({ filename, contentType: 'application/pdf' }),
	);
});

const WEB_PAGE = 'is a web page';
const UNKNOWN = 'Maxun does not support the type of';

it.each([
	['\n<!DOCTYPE html><p>Log in', 'invoice.pdf', `the file 'invoice.pdf' ${WEB_PAGE}`],
	['\ufeff<!-- Saved --><html><p>Log in', 'rows.csv', `the file 'rows.csv' ${WEB_PAGE}`],
	['{"error":"Gone"}', 'invoice.pdf', `${UNKNOWN} 'invoice.pdf'`],
	['GIF89a', 'photo.jpeg', `${UNKNOWN} 'photo.jpeg'`],
	['\xd0\xcf\x11\xe0', 'old.docx', `${UNKNOWN} 'old.docx'`],
])('the content %j of %s is not sent', async (content, fileName, reason) => {
	const { error } = await run(
		'robot',
		'createDocumentParse',
		{ inputDataFieldName: 'file', name: unique('Page') },
		{ input: [{ json: {}, binary: { file: memoryFile(Buffer.from(content), fileName, '') } }] },
	);
	expect(error?.message).toBe(`'Input Data Field Name': ${reason}`);
	expect(await sandbox.sent()).toEqual([]);
});

it.each(DOCUMENTS.filter(({ fileName }) => !fileName.endsWith('csv')))(
	'the content shows the type of $fileName',
	async ({ content, fileName, mimeType }) => {
		const binary = memoryFile(content, 'document', 'application/octet-stream');
		const filename = `document.${fileName.split('.')[1]}`;
		expect(await partsFor(binary)).toContainEqual(
			expect.objectContaining({ filename, contentType: mimeType }),
		);
	},
);

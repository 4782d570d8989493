import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { WRONG_INPUT } from './cases/wrong-input.mts';
import type { ExecuteOptions } from '../helpers/engine/index.mts';
import { memoryFile, PDF, type SampleFile } from '../helpers/files.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';

const { sandbox, run } = useOperations();

async function refusal(
	resource: string,
	operation: string,
	parameters: INodeParameters,
	files: Record<string, SampleFile> = { data: PDF },
) {
	const binary = Object.fromEntries(
		Object.entries(files).map(([name, { content, fileName, mimeType }]) => [
			name,
			memoryFile(content, fileName, mimeType),
		]),
	);
	const input = [{ json: {}, binary }];
	const { error, items } = await run(resource, operation, parameters, { input });
	expect(items).toEqual([]);
	expect(await sandbox.sent()).toEqual([]);
	return { message: error?.message ?? '', description: error?.description ?? '' };
}

it.each(WRONG_INPUT)(
	'%s: %s is rejected before any request: %j',
	async (resource, operation, parameters, message) => {
		const refused = await refusal(resource, operation, parameters);
		expect(refused.message.startsWith(message), refused.message).toBe(true);
		expect(refused.description).not.toBe('');
	},
);

describe('a document is rejected before any request', () => {
	const parameters = {
		inputDataFieldName: 'data',
		prompt: 'The total',
		name: 'Invoice',
		robotId: locator(DEMO.article),
		outputFormats: ['markdown'],
	};
	const pdf = (content: string | Buffer) => ({
		data: { ...PDF, fileName: 'a.pdf', content: Buffer.from(content) },
	});
	const notes = { content: Buffer.from('Notes'), fileName: 'notes.txt', mimeType: 'text/plain' };
	const NOTHING = "the item has no file in 'data'";
	const FILES: Array<[string, Record<string, SampleFile>, string, RegExp]> = [
		['that is not there', {}, NOTHING, /no files/],
		['under another name', { attachment: PDF }, NOTHING, /files in these fields: attachment/],
		['that is empty', pdf(''), "the file 'a.pdf' is empty", /./],
		[
			'that is too large',
			pdf(Buffer.alloc(11 * 1024 * 1024)),
			"the file 'a.pdf' is too large (11.0 MB)",
			/up to 10 MB/,
		],
		[
			'of another type',
			{ data: notes },
			"Maxun does not support the type of 'notes.txt'",
			/PDF, DOCX, XLSX, CSV, JPG or PNG\. The file is in the field 'data'/,
		],
	];
	for (const [resource, operation] of [
		['document', 'convertToText'],
		['document', 'extractData'],
		['robot', 'createDocumentExtract'],
		['robot', 'createDocumentParse'],
		['robot', 'replaceDocument'],
	] as const) {
		it.each(FILES)(`${operation}: %s`, async (_, files, message, description) => {
			const refused = await refusal(resource, operation, parameters, files);
			expect(refused.message).toBe(`'Input Data Field Name': ${message}`);
			expect(refused.description).toMatch(description);
		});
	}
});

const turnOnAlerts = async (robotId: string) =>
	await run('monitoring', 'update', {
		robotId: locator(robotId),
		updateFields: { alertsEnabled: true },
	});

it('alerts for a robot whose runs are not compared are rejected after one request', async () => {
	const { error } = await turnOnAlerts(await newRobot(sandbox));
	expect(error?.message).toMatch(/^'Send Alerts' requires 'Compare Runs'/);
	expect((await sandbox.sent()).map(({ method }) => method)).toEqual(['GET']);
});

it('alerts for a robot whose runs are already compared are accepted', async () => {
	const robotId = await newRobot(sandbox);
	await sandbox.owner.put(`/robots/${robotId}/monitoring`, { compareRuns: true });
	const { json } = await turnOnAlerts(robotId);
	expect(json).toMatchObject([{ compareRuns: true, alertsEnabled: true }]);
});

it('a wrong value in one item stops all items, and the error mentions the item', async () => {
	const parameters = { url: '={{ $json.url }}', formats: ['text'] };
	const items = [{ url: `${sandbox.siteUrl}/products` }, { url: 'nowhere' }];
	const { error } = await run('robot', 'createScrape', parameters, { items });
	expect(error).toMatchObject({
		message: expect.stringMatching(/^'URL' must be/),
		context: { itemIndex: 1 },
	});
	expect(error?.description).toContain('item 1');
	expect(await sandbox.sent()).toEqual([]);
});

it('an expression for Robot or Team without a result fails only its item', async () => {
	const options: Partial<ExecuteOptions> = {
		items: [{}, { id: '' }],
		node: { onError: 'continueRegularOutput' },
	};
	const chosen = { __rl: true, mode: 'id', value: '={{ $json.id }}' };
	for (const [name, parameters] of [
		['Robot', { robotId: chosen }],
		['Team', { generalOptions: { teamId: chosen } }],
	] as const) {
		const given = { returnAll: false, limit: 1, ...parameters };
		const { json } = await run('run', 'getAll', given, options);
		const errors = json.flatMap((item) => item.error ?? []);
		expect(errors.join()).toMatch(new RegExp(`'${name}' is empty, because its expression`));
		expect(errors).toHaveLength(1);
	}
});

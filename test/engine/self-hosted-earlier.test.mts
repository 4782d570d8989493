import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { memoryFile, PDF } from '../helpers/files.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { selfHostedOn } from './support/self-hosted.mts';

// Earlier servers, and Maxun Cloud with a self-hosted server's credential, only have the documented routes.

const sandbox = useSandbox();
const own = selfHostedOn(sandbox);

const robotId = locator(DEMO.products);
const file = { data: memoryFile(PDF.content, PDF.fileName, PDF.mimeType) };
const url = 'https://example.com/';
const additionalFields = { name: 'New' };
const document = {
	inputDataFieldName: 'data',
	prompt: 'The total',
	name: 'New',
	additionalFields,
	outputFormats: ['links'],
};
const fields = { values: [{ name: 'Heading', selector: 'h1' }] };
const on = `/robots/${DEMO.products}`;

/** An ID without a robot or run, with which the node asks whether a server compares runs. */
const NONE = '00000000-0000-0000-0000-000000000000';
const diffOf = (robot: string, run: string) => `GET /sdk/robots/${robot}/runs/${run}/diff`;

type Row = [
	resource: string,
	operation: string,
	parameters: INodeParameters,
	...requests: string[],
];

const needs = (version: string, rows: Row[]) =>
	rows.map((row) => ({ name: `${row[0]}: ${row[1]}`, version, row }));

/** Operations that need a route below /sdk, and their requests up to the missing route. */
const MISSING = [
	...needs('0.0.47', [
		['monitoring', 'update', { robotId, updateFields: { compareRuns: true } }, diffOf(NONE, NONE)],
		['monitoring', 'getDiff', { robotId, runId: locator('r') }, diffOf(DEMO.products, 'r')],
	]),
	...needs('0.0.44', [
		['robot', 'createDocumentExtract', document, 'POST /sdk/robots/document'],
		['robot', 'createDocumentParse', document, 'POST /sdk/robots/document-parse'],
	]),
	...needs('0.0.43', [
		['account', 'get', {}, 'GET /sdk/status'],
		['agent', 'create', { prompt: 'x', additionalFields }, 'POST /sdk/extract/llm'],
		['monitoring', 'get', { robotId }, `GET /sdk${on}`],
		['robot', 'createScrape', { url, formats: ['text'], additionalFields }, 'POST /sdk/robots'],
		['robot', 'createCrawl', { url, additionalFields }, 'POST /sdk/crawl'],
		['robot', 'createSearch', { query: 'x', additionalFields }, 'GET /robots', 'POST /sdk/search'],
		['robot', 'duplicate', { robotId, url, additionalFields }, 'GET /robots', `GET /sdk${on}`],
		[
			'robot',
			'createExtract',
			{ url, name: 'New', specifyFields: 'fields', fields },
			'POST /sdk/robots',
		],
		['robot', 'update', { robotId, updateFields: { name: 'New' } }, `GET /sdk${on}`],
		['robot', 'delete', { robotId }, `GET ${on}/runs`, `DELETE /sdk${on}`],
		['run', 'cancel', { robotId, runId: locator('run') }, `GET /sdk${on}/runs/run`],
		['schedule', 'getAll', {}, 'GET /sdk/robots'],
	]),
];

it.each(MISSING)(
	'$name says that it needs a later server version, and changes nothing',
	async (missing) => {
		const { version, row } = missing;
		const [resource, operation, parameters, ...requests] = row;
		const before = await sandbox.owner.get('/robots?limit=100');
		const input = [{ json: {}, binary: file }];
		const { items, error } = await own.run(resource, operation, parameters, { input });
		expect(items).toEqual([]);
		expect(error?.message).toBe('This server version does not support this operation');
		expect(error?.description).toContain(`version ${version} or later`);
		expect(error?.description).not.toContain('Cannot');
		expect(await sandbox.lines()).toEqual(requests);
		expect((await sandbox.owner.get('/robots?limit=100')).list).toEqual(before.list);
	},
);

it('run: runOnUrls does not make a copy, and the error mentions the version that has the routes', async () => {
	const { error } = await own.run('run', 'runOnUrls', { robotId, urls: url });
	expect(error?.message).toBe('This server version does not support this operation');
	expect(error?.description).toContain('version 0.0.43 or later');
	expect(await sandbox.count(/^(POST|PUT)/)).toBe(0);
});

describe.each(['html', 'json', 'text'] as const)(
	'a server with only the documented routes, whose response to others is %s',
	(selfHostedUnknownRoute) => {
		beforeEach(async () => await sandbox.control.settings({ selfHostedUnknownRoute }));

		it('reads robots', async () => {
			const robots = await own.succeed('robot', 'getAll', { returnAll: true });
			expect(robots.length).toBeGreaterThan(0);
			expect(await own.succeed('robot', 'get', { robotId })).toMatchObject([{ id: DEMO.products }]);
		});

		it('reports a robot that does not exist', async () => {
			const { error } = await own.run('robot', 'get', { robotId: locator('nobody') });
			expect(error?.message).toBe("Maxun could not find robot 'nobody'");
		});
	},
);

it('Maxun Cloud runs robots, and lists and compares runs, with these routes', async () => {
	await sandbox.control.settings({ runSeconds: 60 });
	const credentials = sandbox.serverCredentials({ baseUrl: `${sandbox.url}/api/v1` });
	const run = async (operation: string, parameters: INodeParameters = {}) => {
		return await own.succeed('run', operation, parameters, { credentials });
	};
	const [started] = await run('start', { robotId });
	const id = String(started?.id);
	expect(await run('getActive')).toContainEqual(expect.objectContaining({ id }));
	await sandbox.control.finishRun(id);
	expect(await sandbox.owner.finished(id)).toMatchObject({ status: 'success', source: 'api' });
	const ended = async (markdown: string) =>
		(await sandbox.control.runs({ robotId: DEMO.products, run: { data: { markdown } } }))[0] ?? '';
	const previousRunId = locator(await ended('One'));
	const two = { runId: locator(await ended('Two')), previousRunId };
	expect((await run('compare', { robotId, ...two })).length).toBeGreaterThan(0);
});

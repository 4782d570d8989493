import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodePropertyOptions } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { ACTION_NODE, loadPackage } from '../helpers/engine/index.mts';
import { memoryFile, PDF } from '../helpers/files.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { NO_PAUSE, SelfHosted } from './support/self-hosted.mts';

// Maxun Cloud also has the documented routes of self-hosted servers, for the same robots, but none below /sdk.

const sandbox = useSandbox();
const own = new SelfHosted(sandbox);
beforeEach(
	async () => await sandbox.control.settings({ selfHostedForm: 'documented', runSeconds: 0.3 }),
);

const robotId = locator(DEMO.products);
const weekly = {
	runEvery: 1,
	runEveryUnit: 'WEEKS',
	startFrom: 'FRIDAY',
	atTimeStart: '09:30',
	timezone: 'Europe/Berlin',
};

const file = { data: memoryFile(PDF.content, PDF.fileName, PDF.mimeType) };
const page = 'https://example.com/';
const additionalFields = { name: 'New' };
const robot = `/sdk/robots/${DEMO.products}`;

/** Operations that need a route below /sdk: their parameters, and their requests up to the missing route. */
const MISSING: Array<
	[resource: string, operation: string, parameters: INodeParameters, requests: string[]]
> = [
	[
		'robot',
		'createScrape',
		{ url: page, formats: ['text'], additionalFields },
		['POST /sdk/robots'],
	],
	['robot', 'createCrawl', { url: page, additionalFields }, ['POST /sdk/crawl']],
	[
		'robot',
		'createSearch',
		{ query: 'desk', additionalFields },
		['GET /robots', 'POST /sdk/search'],
	],
	[
		'robot',
		'createExtract',
		{ url: page, name: 'New', fields: { values: [{ name: 'Heading', selector: 'h1' }] } },
		['POST /sdk/robots'],
	],
	[
		'robot',
		'createDocumentExtract',
		{ inputDataFieldName: 'data', prompt: 'The total', additionalFields },
		['POST /sdk/robots/document'],
	],
	[
		'robot',
		'createDocumentParse',
		{ inputDataFieldName: 'data', name: 'New', outputFormats: ['links'] },
		['POST /sdk/robots/document-parse'],
	],
	['robot', 'update', { robotId, updateFields: { name: 'New' } }, [`GET ${robot}`]],
	['robot', 'delete', { robotId }, [`GET /robots/${DEMO.products}/runs`, `DELETE ${robot}`]],
	['run', 'cancel', { robotId, runId: locator('run') }, [`GET ${robot}/runs/run`]],
	['schedule', 'getAll', {}, ['GET /sdk/robots']],
];

/** The node's operations for self-hosted servers: `resource operation`. */
async function offered(): Promise<string[]> {
	const { nodeTypes } = await loadPackage();
	const { description } = nodeTypes.getByNameAndVersion(ACTION_NODE, 1);
	const isChoice = (option: object): option is INodePropertyOptions => 'value' in option;
	return ['robot', 'run', 'schedule'].flatMap((resource) => {
		const parameters = maxun(resource, '', { server: 'selfHosted' });
		const node = { typeVersion: 1 };
		const field = description.properties.find(
			(property) =>
				property.name === 'operation' &&
				NodeHelpers.displayParameter(parameters, property, node, description),
		);
		return (field?.options ?? [])
			.filter(isChoice)
			.filter((option) => NodeHelpers.displayParameter(parameters, option, node, description))
			.map(({ value }) => `${resource} ${String(value)}`);
	});
}

describe.each(['', '/api/v1'])('the deprecated routes at a base URL that ends in "%s"', (end) => {
	const used = new Set<string>();

	/** Runs an operation with the credential of a self-hosted server. */
	async function run(resource: string, operation: string, parameters: INodeParameters) {
		used.add(`${resource} ${operation}`);
		const baseUrl = sandbox.url + end;
		const credentials = sandbox.serverCredentials({ baseUrl, timezone: 'UTC' });
		const { items, error } = await own.run(resource, operation, parameters, { credentials });
		expect(error).toBeUndefined();
		return (items[0] ?? []).map(({ json }) => json);
	}

	it("the deprecated routes return and copy the account's robots", async () => {
		const [robot] = await run('robot', 'get', { robotId });
		expect(robot).toMatchObject({ id: DEMO.products, name: 'Shop products' });
		expect(await run('robot', 'getAll', { returnAll: true })).toContainEqual(robot);
		const url = `${sandbox.siteUrl}/products/3`;
		const [copy] = await run('robot', 'duplicate', { robotId, url });
		const { body } = await sandbox.owner.get(`/robots/${String(copy?.id)}`);
		expect(body.data).toMatchObject({ id: copy?.id, url, type: 'extract' });
	});

	it('the deprecated routes schedule robots', async () => {
		const [schedule] = await run('schedule', 'upsert', { robotId, ...weekly });
		const { data } = await sandbox.owner.get(`/robots/${DEMO.products}/schedule`);
		expect(data).toMatchObject(weekly);
		expect(schedule).toMatchObject({ nextRunAt: data.nextRunAt });
		expect(await run('schedule', 'get', { robotId })).toEqual([schedule]);
		await run('schedule', 'delete', { robotId });
		expect((await sandbox.owner.get(`/robots/${DEMO.products}/schedule`)).body.data).toBeNull();
	});

	it('the deprecated routes run robots and return runs', async () => {
		const [ended] = await run('run', 'runAndWait', {
			output: 'simplified',
			robotId,
			options: NO_PAUSE,
		});
		const { body } = await sandbox.owner.get(`/runs/${String(ended?.id)}`);
		expect(body.data).toMatchObject({ id: ended?.id, status: 'success', source: 'api' });
		const runId = locator(String(ended?.id));
		expect(await run('run', 'get', { robotId, runId })).toEqual([ended]);
		const [latest] = await run('run', 'getAll', { robotId, returnAll: false, limit: 1 });
		expect(latest).toMatchObject({ id: ended?.id, status: 'success' });
		const [statistics] = await run('robot', 'getStatistics', { robotId, period: 'week' });
		expect(statistics).toMatchObject({ lastSuccessRunId: ended?.id });
	});

	it('many URLs need copies with names, so the node refuses them before there is a copy', async () => {
		used.add('run runOnUrls');
		const credentials = sandbox.serverCredentials({ baseUrl: sandbox.url + end });
		const parameters = { robotId, urls: page, options: NO_PAUSE };
		const before = (await sandbox.owner.get('/robots?limit=1')).list;
		const { items, error } = await own.run('run', 'runOnUrls', parameters, { credentials });
		expect(items).toEqual([]);
		expect(error?.message).toBe('This server version does not support duplicating robots');
		expect(error?.description).toMatch(/^Update your Maxun server to version 0\.0\.35 or later/);
		expect((await sandbox.owner.get('/robots?limit=1')).list).toEqual(before);
		expect((await sandbox.lines()).filter((line) => line.endsWith('/runs'))).toEqual([]);
	});

	it('the deprecated routes start, list and compare runs', async () => {
		await sandbox.control.settings({ runSeconds: 60 });
		const [started] = await run('run', 'start', { robotId });
		const id = String(started?.id);
		expect(await run('run', 'getActive', {})).toContainEqual(expect.objectContaining({ id }));
		await sandbox.control.finishRun(id);
		await sandbox.owner.finished(id);
		const [runId = ''] = await sandbox.control.runs({ robotId: DEMO.products });
		const changes = await run('run', 'compare', {
			robotId,
			runId: locator(id),
			previousRunId: locator(runId),
		});
		expect(changes.length).toBeGreaterThan(0);
	});

	it.each(MISSING)(
		'%s: %s says that the server does not support it, and changes nothing',
		async (resource, operation, parameters, requests) => {
			used.add(`${resource} ${operation}`);
			const before = await sandbox.owner.get('/robots?limit=100');
			const credentials = sandbox.serverCredentials({ baseUrl: sandbox.url + end });
			const input = [{ json: {}, binary: file }];
			const { items, error } = await own.run(resource, operation, parameters, {
				credentials,
				input,
			});
			expect(items).toEqual([]);
			expect(error?.message).toMatch(/^This server version does not support /);
			expect(error?.description).toMatch(/version \d+\.\d+\.\d+ or later/);
			expect(await sandbox.lines()).toEqual(requests);
			expect((await sandbox.owner.get('/robots?limit=100')).list).toEqual(before.list);
		},
	);

	it('these tests run every operation for self-hosted servers', async () => {
		expect([...used].sort()).toEqual((await offered()).sort());
	});
});

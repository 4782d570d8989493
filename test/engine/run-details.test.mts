import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { operationsOn } from './support/details.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();

const { run } = operationsOn(sandbox);

describe('run: start', () => {
	const started = async (options: INodeParameters) => {
		const robotId = await newRobot(sandbox, { params: { page: '1', sort: '' } });
		const { error } = await run('run', 'start', { robotId: locator(robotId), options });
		expect(error).toBeUndefined();
		return (await sandbox.sent())[0]?.body;
	};

	it('a start takes formats and a list of parameters', async () => {
		const params = {
			parameter: [
				{ name: 'page', value: '2' },
				{ name: 'sort', value: 'price' },
			],
		};
		expect(await started({ formats: ['html', 'links'], params })).toEqual({
			formats: ['html', 'links'],
			params: { page: '2', sort: 'price' },
		});
	});

	it.each([
		['an object', '={{ { page: 3 } }}'],
		['JSON text', '{ "page": 3 }'],
	])('a start takes parameters as %s', async (_, value) => {
		expect(await started({ params: { json: [{ value }] } })).toEqual({ params: { page: 3 } });
	});

	it.each(['{page: 3', '[1, 2]', '"text"', '={{ 3 }}'])(
		'the parameters %s are refused before any request',
		async (value) => {
			const options = { params: { json: [{ value }] } };
			const { error } = await run('run', 'start', { robotId: locator(DEMO.products), options });
			expect(error?.name).toBe('NodeOperationError');
			expect(error?.message).toMatch(/JSON|Input Parameters/);
			expect(await sandbox.sent()).toEqual([]);
		},
	);
});

describe('run: get', () => {
	it('a run is found by its URL', async () => {
		const [runId = ''] = await sandbox.control.runs({ robotId: DEMO.article });
		const url = `${sandbox.baseUrl}/runs/${runId}`;
		const { json } = await run('run', 'get', { runId: locator(url, 'url') });
		expect(json[0]).toMatchObject({ id: runId });
		expect((await sandbox.sent())[0]?.path).toBe(`/runs/${runId}`);
	});

	it.each<[string, object, object[]]>([
		['rows of a list', { listData: [{ a: 1 }, { a: 2 }] }, [{ a: 1 }, { a: 2 }]],
		['rows by list name', { listData: { one: [{ a: 1 }], two: [{ b: 2 }] } }, [{ a: 1 }, { b: 2 }]],
		['crawled pages', { crawlData: [{ url: 'x' }, { url: 'y' }] }, [{ url: 'x' }, { url: 'y' }]],
		['search results', { searchData: { results: [{ title: 't' }] } }, [{ title: 't' }]],
		['single fields', { textData: { Title: 'T', Price: '1' } }, [{ Title: 'T', Price: '1' }]],
		['a page', { markdown: '# T', html: null, links: [] }, [{ markdown: '# T' }]],
		['nothing', {}, []],
	])('rows are read from %s', async (_, data, rows) => {
		const [runId = ''] = await sandbox.control.runs({ robotId: DEMO.article });
		await sandbox.control.patchRun(runId, { data: { ...data } });
		const { json, error } = await run('run', 'get', { runId: locator(runId), output: 'rows' });
		expect(error).toBeUndefined();
		expect(json).toEqual(rows);
	});

	it('raw output is the run as the service sent it, simplified output its essentials', async () => {
		const [runId = ''] = await sandbox.control.runs({ robotId: DEMO.article });
		await sandbox.control.patchRun(runId, { data: { markdown: '# T', html: null }, extra: 'kept' });
		const raw = await run('run', 'get', { runId: locator(runId), output: 'raw' });
		expect(raw.json[0]).toMatchObject({ extra: 'kept', data: { markdown: '# T', html: null } });
		const simplified = await run('run', 'get', { runId: locator(runId), output: 'simplified' });
		expect(simplified.json[0]).toMatchObject({ id: runId, data: { markdown: '# T' } });
		expect(simplified.json[0]?.data).not.toHaveProperty('html');
	});
});

describe('run: getAll', () => {
	it('all runs are returned if no robot is selected', async () => {
		await sandbox.control.runs({ robotId: DEMO.article });
		const { json } = await run('run', 'getAll', {
			robotId: locator('', 'list'),
			returnAll: false,
			limit: 1,
		});
		expect(json).toHaveLength(1);
		expect((await sandbox.sent())[0]).toMatchObject({ path: '/runs', query: { limit: '1' } });
	});

	it('each filter of runs is sent under its own name', async () => {
		const robotId = await newRobot(sandbox);
		const [failed] = await sandbox.control.runs({ robotId, status: 'failed' });
		await sandbox.control.runs({ robotId, status: 'success' });
		const { json } = await run('run', 'getAll', {
			robotId: locator(robotId),
			returnAll: true,
			filters: {
				status: ['failed', 'aborted'],
				source: 'api',
				hasChanges: false,
				since: '2026-01-01T00:00:00.000Z',
				until: '2099-01-01T01:00:00+01:00',
			},
		});
		expect(json.map(({ id }) => id)).toEqual([failed]);
		const query = (await sandbox.sent())[0]?.query ?? {};
		expect(query).toMatchObject({ status: 'failed,aborted', source: 'api', hasChanges: 'false' });
		expect(Date.parse(String(query.since))).toBe(Date.UTC(2026, 0, 1));
		expect(Date.parse(String(query.until))).toBe(Date.UTC(2099, 0, 1));
	});

	it("a time without a zone is in the workflow's time zone", async () => {
		await run('run', 'getAll', {
			robotId: locator('', 'list'),
			returnAll: false,
			limit: 1,
			filters: {
				since: '2026-06-01T12:00:00',
				until: '={{ DateTime.fromISO("2026-06-02T12:00:00Z") }}',
			},
		});
		const query = (await sandbox.sent())[0]?.query ?? {};
		expect(Date.parse(String(query.since))).toBe(Date.UTC(2026, 5, 1, 10));
		expect(Date.parse(String(query.until))).toBe(Date.UTC(2026, 5, 2, 12));
	});

	it('runs from more than one page are returned', async () => {
		const robotId = await newRobot(sandbox);
		const ids = await sandbox.control.runs({ robotId, count: 101 });
		const { json } = await run('run', 'getAll', { robotId: locator(robotId), returnAll: true });
		expect(json.map(({ id }) => id)).toEqual([...ids].reverse());
	});
});

it('the error says if a run to cancel has ended', async () => {
	const [runId = ''] = await sandbox.control.runs({ robotId: DEMO.article });
	const { error } = await run('run', 'cancel', { runId: locator(runId) });
	expect(error).toMatchObject({ httpCode: '409' });
	expect(error?.message).toMatch(/cancel/i);
});

import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useOperations } from './support/details.mts';
import { locator } from '../helpers/parameters.mts';

const { sandbox, run } = useOperations();

describe('run: start', () => {
	const schema = [
		{ id: 'page', displayName: 'Page', required: false, defaultValue: 1 },
		{ id: 'sort', displayName: 'Sort By', required: true },
	];

	/** The body of the start, or the error before any request. */
	async function started(params: INodeParameters | string, options: INodeParameters = {}) {
		const robotId = await newRobot(sandbox, { params: { page: '1', sort: '' } });
		const items = [{ page: 7, sort: 'name' }];
		const parameters = { robotId: locator(robotId), params, options };
		const { json, error } = await run('run', 'start', parameters, { items });
		const request = (await sandbox.sent()).at(-1);
		expect(json).toHaveLength(request ? 1 : 0);
		return { body: request?.body, error };
	}

	it("a start sends output formats and the inputs' values", async () => {
		const params = {
			mappingMode: 'defineBelow',
			value: { page: 2, sort: '={{ $json.sort }}' },
			schema,
		};
		expect((await started(params, { formats: ['html', 'links'] })).body).toEqual({
			formats: ['html', 'links'],
			params: { page: 2, sort: 'name' },
		});
	});

	it('an input that is empty or has its default is not sent', async () => {
		const value = { page: 1, sort: 'price' };
		expect((await started({ mappingMode: 'defineBelow', value, schema })).body).toEqual({
			params: { sort: 'price' },
		});
		const { body } = await started({ mappingMode: 'defineBelow', value: null });
		expect(body ?? {}).toEqual({});
	});

	it("the item's fields become the values if the user maps them automatically", async () => {
		expect((await started({ mappingMode: 'autoMapInputData', value: null })).body).toEqual({
			params: { page: 7, sort: 'name' },
		});
	});

	it.each([[{ page: 2 }], ['{"page": 2}']])(
		'the values can be an object or JSON: %o',
		async (params) => {
			expect((await started(params)).body).toEqual({ params: { page: 2 } });
		},
	);
});

describe('run: getAll', () => {
	it('each filter for runs is sent under its own name', async () => {
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

	it("contains the runs of all robots, and a time without a zone is in the workflow's time zone", async () => {
		await run('run', 'getAll', {
			robotId: locator('', 'list'),
			returnAll: false,
			limit: 1,
			filters: {
				since: '2026-06-01T12:00:00',
				until: '={{ DateTime.fromISO("2026-06-02T12:00:00Z") }}',
			},
		});
		const [request] = await sandbox.sent();
		expect(request).toMatchObject({ path: '/runs', query: { limit: '1' } });
		const query = request?.query ?? {};
		expect(Date.parse(String(query.since))).toBe(Date.UTC(2026, 5, 1, 10));
		expect(Date.parse(String(query.until))).toBe(Date.UTC(2026, 5, 2, 12));
	});
});

it('the error says that the run to cancel has already ended', async () => {
	const [runId = ''] = await sandbox.control.runs({ robotId: DEMO.article });
	const { error } = await run('run', 'cancel', { runId: locator(runId) });
	expect(error).toMatchObject({ httpCode: '409' });
	expect(error?.message).toMatch(/cancel/i);
});

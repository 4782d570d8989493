import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { DEMO, KEYS } from '../sandbox/index.mts';
import { listSearch } from '../helpers/engine/index.mts';
import { locator } from '../helpers/parameters.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { describeForms } from './support/self-hosted.mts';

const sandbox = useSandbox();

describeForms(sandbox, (form, own) => {
	const robotId = locator(DEMO.products);
	const label = form === 'observed' ? 'Shop products (extract, ready)' : 'Shop products';
	/** A request for the server's own record. Servers without this route need a second request. */
	const reads = (path: string) =>
		form === 'observed' ? [`GET /sdk${path}`] : [`GET /sdk${path}`, `GET ${path}`];

	describe('every request', () => {
		it('has the key in x-api-key and nothing else about the caller', async () => {
			await own.run('robot', 'get', { robotId });
			const [request] = await sandbox.control.requests();
			const headers = request?.headers ?? {};
			expect(request?.path).toBe(`/sdk/robots/${DEMO.products}`);
			expect(headers['x-api-key']).toBe(KEYS.owner);
			expect(headers.authorization).toBeUndefined();
			expect(headers['x-team-id']).toBeUndefined();
		});

		it.each(['', '/', '/api', '/api/', '/api/v1'])(
			'goes to /api for a base URL that ends in "%s"',
			async (end) => {
				const credentials = sandbox.serverCredentials({ baseUrl: sandbox.url + end });
				await own.succeed('robot', 'get', { robotId }, { credentials });
				expect(await sandbox.lines()).toEqual(reads(`/robots/${DEMO.products}`));
			},
		);
	});

	it('robot: get many sends one request and returns the newest robots, up to the limit', async () => {
		await newRobot(sandbox, { name: `Older ${form}` });
		await newRobot(sandbox, { name: `Newest ${form}` });
		const newest = await own.succeed('robot', 'getAll', { returnAll: false, limit: 2 });
		expect(newest.map(({ name }) => name)).toEqual([`Newest ${form}`, `Older ${form}`]);
		const all = await own.succeed('robot', 'getAll', { returnAll: true });
		const { body } = await sandbox.server.get('/robots');
		expect(all).toHaveLength(Object(body.robots).totalCount);
		expect(await sandbox.lines()).toEqual([...reads('/robots'), ...reads('/robots')]);
	});

	it('run: get many returns the newest runs first, without data, and filters in the node', async () => {
		const id = await newRobot(sandbox, { name: `With all kinds of runs ${form}` });
		for (const run of [
			{ status: 'success', source: 'api', startedAt: '2025-11-20T09:00:00Z' },
			{ status: 'failed', source: 'schedule', startedAt: '2025-11-22T09:00:00Z' },
			{ status: 'failed', source: 'api', startedAt: '2025-11-21T09:00:00Z' },
		]) {
			await sandbox.control.runs({ robotId: id, run: { finishedAt: run.startedAt, ...run } });
		}
		const get = async (filters: Record<string, string | string[]>, timezone = '') => {
			const parameters = { robotId: locator(id), returnAll: true, filters };
			const credentials = sandbox.serverCredentials({ timezone });
			return await own.run('run', 'getAll', parameters, { credentials });
		};
		const statuses = async (...given: Parameters<typeof get>) =>
			(await get(...given)).json.map(({ source, status }) => `${source} ${status}`);
		const parameters = { robotId: locator(id), returnAll: false, limit: 2 };
		const newest = await own.succeed('run', 'getAll', parameters);
		expect(await sandbox.lines()).toEqual([`GET /robots/${id}/runs`]);
		expect(newest).toMatchObject([
			{ robotId: id, startedAt: '11/22/2025, 9:00:00 AM', source: 'schedule' },
			{ robotId: id, startedAt: '11/21/2025, 9:00:00 AM', source: 'api' },
		]);
		for (const run of newest) expect(run).not.toHaveProperty('data');
		expect(await statuses({ status: ['failed'] })).toEqual(['schedule failed', 'api failed']);
		expect(await statuses({ source: 'api' })).toEqual(['api failed', 'api success']);
		const since = '2025-11-20T12:00:00Z';
		const until = '2025-11-21T12:00:00Z';
		expect(await statuses({ since, until }, 'UTC')).toEqual(['api failed']);
		const { error } = await get({ since });
		expect(error?.message).toMatch(/the server's time zone/);
		expect(error?.description).toMatch(/Server Time Zone/);
	});

	describe('webhooks', () => {
		if (form === 'documented') {
			it('a server without webhook routes causes a helpful error message', async () => {
				const { error } = await own.run('webhook', 'getAll', { robotId });
				expect(error?.message).toMatch(
					/^This server version does not support registering webhooks/,
				);
				expect(error?.description).toContain('in the dashboard');
			});
			return;
		}

		it.each(['update', 'delete'])('%s: the error mentions a missing webhook', async (operation) => {
			const webhookId = locator('w1');
			const { error } = await own.run('webhook', operation, {
				robotId,
				webhookId,
				updateFields: { active: false },
			});
			expect(error).toMatchObject({ httpCode: '404' });
			expect(error?.message).toContain('w1');
		});
	});

	describe('schedules', () => {
		const weekly = { runEvery: 1, runEveryUnit: 'WEEKS', startFrom: 'FRIDAY', atTimeStart: '9:30' };
		const times = { atTimeStart: '09:30', atTimeEnd: '23:59', timezone: 'Europe/Berlin' };
		const sent = { ...weekly, ...times };
		/** The documented request, and the request that servers without its route need. */
		const requests = (method: string, sdkMethod: string) => [
			`${method} /robots/${DEMO.products}/schedule`,
			...(form === 'observed' ? [`${sdkMethod} /sdk/robots/${DEMO.products}`] : []),
		];

		it('schedules are set, read and removed', async () => {
			const set = await own.succeed('schedule', 'upsert', { robotId, ...weekly, timezone: '' });
			const complete = {
				robotId: DEMO.products,
				...sent,
				cronExpression: expect.any(String),
				nextRunAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
			};
			expect(set).toMatchObject([complete]);
			expect(await sandbox.lines()).toEqual(requests('POST', 'PUT'));
			const bodies = (await sandbox.sent()).map(({ body }) => body);
			expect(bodies).toEqual(form === 'documented' ? [sent] : [sent, { schedule: sent }]);

			await sandbox.control.clear();
			expect(await own.succeed('schedule', 'get', { robotId })).toMatchObject([complete]);
			expect(await sandbox.lines()).toEqual(requests('GET', 'GET'));

			await sandbox.control.clear();
			const gone = await own.succeed('schedule', 'delete', { robotId });
			expect(gone).toEqual([{ id: DEMO.products, deleted: true }]);
			expect(await sandbox.lines()).toEqual(requests('DELETE', 'PUT'));

			expect(await own.succeed('schedule', 'get', { robotId })).toEqual([]);
			await own.succeed('schedule', 'delete', { robotId });
		});
	});

	describe('lists to choose from', () => {
		const setup = (parameters: INodeParameters = {}) => ({
			parameters: { server: 'selfHosted', resource: 'run', operation: 'get', ...parameters },
			credentials: sandbox.serverCredentials(),
		});

		it('the list shows robots that contain a text', async () => {
			const { results } = await listSearch('searchRobots', { ...setup(), filter: 'shop products' });
			expect(results).toContainEqual({ name: label, value: DEMO.products });
			for (const { name } of results) expect(name).toMatch(/shop products/i);
			expect(await sandbox.lines()).toEqual(reads('/robots'));
		});

		it("the list shows the selected robot's runs", async () => {
			await own.runAndWait(DEMO.article);
			const parameters = { robotId: locator(DEMO.article) };
			const { results } = await listSearch('searchRuns', setup(parameters));
			expect(results[0]?.name).toMatch(/^Shop article, success, /);
			await expect(listSearch('searchRuns', setup())).rejects.toThrow(/No robot selected/);
		});
	});

	it.each([
		['account', 'getQueue'],
		['run', 'delete'],
		['robot', 'replaceDocument'],
		['webhook', 'test'],
	])('%s: %s is reported as missing', async (resource, operation) => {
		const { error } = await own.run(resource, operation, { robotId });
		expect(error?.message).toMatch(/^This server does not support the operation '/);
		expect(await sandbox.lines()).toEqual([]);
	});
});

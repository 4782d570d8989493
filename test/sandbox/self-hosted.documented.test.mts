import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEMO, KEYS } from './index.mts';
import { type CloudClient, SelfHostedClient } from '../helpers/client.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { TestSandbox } from '../helpers/sandbox.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const sandbox = useSandbox({ settings: { runSeconds: 0.05, selfHostedStepSeconds: 0.02 } });
let api: SelfHostedClient;
let hosted: CloudClient;

beforeAll(async () => {
	api = sandbox.server;
	hosted = sandbox.owner;
});
beforeEach(async () => {
	await sandbox.control.clearFaults();
	await sandbox.control.clear();
	await sandbox.control.settings({
		selfHostedAnswersAtOnce: false,
		selfHostedWaitSeconds: 60,
		selfHostedCutAfterSeconds: null,
		selfHostedTimezone: 'UTC',
		selfHostedDatabaseDown: false,
	});
});

describe('robots of the documented form', () => {
	it('the list contains the personal robots, newest first', async () => {
		const { status, body } = await api.get('/robots');
		expect(status).toBe(200);
		expect(body).toMatchObject({ statusCode: 200, messageCode: 'success' });
		expect(body.robots).toMatchObject({
			totalCount: 4,
			items: [{ id: DEMO.products, name: 'Shop products' }, {}, {}, {}],
		});
		const other = await SelfHostedClient.withKey(sandbox, KEYS.member).get('/robots');
		expect(other.body.robots).toEqual({ totalCount: 0, items: [] });
	});

	it('a robot has its URL as an input parameter', async () => {
		const { body } = await api.get(`/robots/${DEMO.article}`);
		expect(body.robot).toEqual({
			id: DEMO.article,
			name: 'Shop article',
			createdAt: expect.any(Number),
			inputParameters: [
				{
					type: 'string',
					name: 'originUrl',
					label: 'Origin URL',
					required: true,
					defaultValue: `${sandbox.siteUrl}/articles/oiling-a-desk`,
				},
			],
		});
	});

	it('a duplicate robot runs on its own page', async () => {
		const targetUrl = `${sandbox.siteUrl}/products/3`;
		const { status, body } = await api.post(`/robots/${DEMO.article}/duplicate`, { targetUrl });
		expect(status).toBe(201);
		expect(body).toMatchObject({ statusCode: 201, robot: { name: 'Shop article (3)' } });
		const list = await hosted.get('/robots?q=Shop%20article%20(3)');
		const run = await api.run(String(list.list[0]?.id));
		const page = await (await fetch(targetUrl)).text();
		const heading = /<h1>(.*?)<\/h1>/.exec(page)?.[1] ?? 'no heading';
		expect(JSON.stringify(run.data)).toContain(heading);
		await hosted.delete(`/robots/${String(list.list[0]?.id)}`);
	});

	it.each([
		[{}, 400, 'The "targetUrl" field is required.'],
		[{ targetUrl: 'not a url' }, 400, 'The "targetUrl" must be a valid URL.'],
		[{ targetUrl: 'http://a.test', name: 'x' }, 400, 'The "name" field is not known.'],
	])('a duplicate on %j is invalid', async (body, status, message) => {
		const answer = await api.post(`/robots/${DEMO.article}/duplicate`, body);
		expect(answer.status).toBe(status);
		expect(answer.body).toMatchObject({ statusCode: 400, messageCode: 'bad_request', message });
	});

	it('the response mentions the missing robot', async () => {
		const message = `Robot with ID "${UNKNOWN}" not found.`;
		const notFound = { statusCode: 404, messageCode: 'not_found', message };
		expect((await api.get(`/robots/${UNKNOWN}`)).body).toEqual(notFound);
		const targetUrl = 'http://a.test/';
		const { status, body } = await api.post(`/robots/${UNKNOWN}/duplicate`, { targetUrl });
		expect([status, body]).toEqual([404, notFound]);
	});
});

describe('runs of the documented form', () => {
	it('a start returns the finished run with rows of strings', async () => {
		const { status, body } = await api.post(`/robots/${DEMO.products}/runs`, {});
		expect(status).toBe(200);
		expect(body.run).toMatchObject({
			status: 'success',
			name: 'Shop products',
			robotId: DEMO.products,
			runByUserId: null,
			runByScheduleId: null,
			runByAPI: true,
			screenshot: null,
		});
		const { data, id, runId } = await api.run(DEMO.products);
		expect(data).toEqual(
			expect.arrayContaining([expect.objectContaining({ Price: expect.stringMatching(/\d/) })]),
		);
		expect(id).not.toBe(runId);
	});

	it('a run request needs the runId, which also works under v1', async () => {
		const run = await api.run(DEMO.article);
		const path = `/robots/${DEMO.article}/runs`;
		expect((await api.get(`${path}/${String(run.runId)}`)).body.run).toEqual(run);
		expect((await hosted.get(`/runs/${String(run.runId)}`)).data).toMatchObject({ source: 'api' });
		const { status, body } = await api.get(`${path}/${String(run.id)}`);
		expect([status, body.messageCode]).toEqual([404, 'not_found']);
		expect((await api.runs(DEMO.article))[0]).toEqual(run);
	});

	it('a failed run returns with that status', async () => {
		const { status, body } = await api.post(`/robots/${DEMO.failing}/runs`);
		expect([status, body.run]).toMatchObject([200, { status: 'failed', data: [] }]);
	});

	it('a start returns at once if the settings say so', async () => {
		await sandbox.control.settings({ selfHostedAnswersAtOnce: true });
		const { runId, status, finishedAt } = await api.run(DEMO.article);
		expect([status, finishedAt]).toEqual(['running', '']);
		expect((await hosted.finished(String(runId))).status).toBe('success');
	});

	it('dates use the time zone of the server without naming it', async () => {
		const [id] = await insertRun({ startedAt: '2026-01-31T23:05:09.000Z' });
		await sandbox.control.settings({ selfHostedTimezone: 'Asia/Kolkata' });
		const { body } = await api.get(`/robots/${DEMO.slow}/runs/${id}`);
		expect(body.run).toMatchObject({ startedAt: '2/1/2026, 4:35:09 AM' });
	});

	it('a run continues if a proxy cuts its connection', async () => {
		await sandbox.control.settings({
			selfHostedCutAfterSeconds: 0.05,
			runSeconds: 60,
		});
		await expect(api.post(`/robots/${DEMO.article}/runs`)).rejects.toThrow('fetch failed');
		await sandbox.control.settings({ runSeconds: 0.05 });
		const { list } = await hosted.get(`/runs?robotId=${DEMO.article}&limit=1`);
		expect(list[0]?.status).toBe('running');
		await sandbox.control.finishRun(String(list[0]?.id));
		expect((await hosted.finished(String(list[0]?.id))).status).toBe('success');
	});

	it('the sandbox can close while a request waits', async () => {
		const other = await TestSandbox.start();
		const waiting = other.server.post(`/robots/${DEMO.slow}/runs`);
		const lost = expect(waiting).rejects.toThrow('fetch failed');
		const client = other.owner;
		await until('the run', PATIENCE, async () =>
			(await client.get('/runs/active')).list.length > 0 ? true : undefined,
		);
		await other.stop();
		await lost;
	});

	it('a start returns after the longest wait while the run continues', async () => {
		await sandbox.control.settings({ selfHostedWaitSeconds: 0.1 });
		const { status } = await api.post(`/robots/${DEMO.slow}/runs`);
		expect(status).toBe(500);
		const { list } = await hosted.get('/runs/active');
		await hosted.post(`/runs/${String(list[0]?.id)}/cancel`);
	});

	it('the API rejects unknown fields and parameters', async () => {
		const { status, body } = await api.get('/robots?limit=5');
		expect([status, body]).toMatchObject([400, { messageCode: 'bad_request', field: 'limit' }]);
		const start = await api.post(`/robots/${DEMO.article}/runs`, { formats: ['html'] });
		expect([start.status, start.body]).toMatchObject([400, { field: 'formats' }]);
	});

	it.each(['PUT', 'GET'])('the documented API has no %s /api/sdk', async (method) => {
		const { status, type, text } = await api.send(method, `/sdk/robots/${DEMO.article}`);
		expect([status, type]).toEqual([404, 'text/html; charset=utf-8']);
		expect(text).toContain(`Cannot ${method} /api/sdk/robots/${DEMO.article}`);
	});

	const insertRun = async (run: object) => await sandbox.control.runs({ robotId: DEMO.slow, run });
});

describe('failures of the documented form', () => {
	it.each([
		['GET', '/robots', { statusCode: 401, messageCode: 'error', message: 'API key is missing' }],
		['POST', `/robots/${DEMO.article}/runs`, { ok: false, error: 'API key is missing' }],
	])('%s %s requires a key', async (method, path, body) => {
		const answer = await new SelfHostedClient(`${sandbox.url}/api`, {}).send(method, path);
		expect([answer.status, answer.body]).toEqual([401, body]);
	});

	it('a key works only in x-api-key', async () => {
		const headers = { authorization: `Bearer ${KEYS.owner}` };
		expect((await new SelfHostedClient(`${sandbox.url}/api`, headers).get('/robots')).status).toBe(
			401,
		);
		const wrong = SelfHostedClient.withKey(sandbox, 'wrong');
		expect((await wrong.get('/robots')).status).toBe(401);
	});

	it('a server error comes in the envelope', async () => {
		await sandbox.control.settings({ selfHostedDatabaseDown: true });
		const { status, body } = await api.get('/robots');
		expect([status, body]).toMatchObject([500, { messageCode: 'error' }]);
	});

	it('a run needs a known robot and a credit', async () => {
		const failed = { statusCode: 500, messageCode: 'error', message: 'Failed to run robot' };
		expect((await api.post(`/robots/${UNKNOWN}/runs`)).body).toEqual(failed);
		const url = `${sandbox.siteUrl}/products`;
		const owner = 'poor';
		const id = await newRobot(sandbox, { name: 'Poor', url, owner });
		const poor = SelfHostedClient.withKey(sandbox, KEYS.poor);
		expect((await poor.post(`/robots/${id}/runs`)).body).toEqual(failed);
	});

	it('the API explains unreadable bodies and paths', async () => {
		const broken = await api.post(`/robots/${DEMO.article}/duplicate`, '{"targetUrl":');
		expect([broken.status, broken.body.messageCode]).toEqual([400, 'bad_request']);
		const path = await api.get('/robots/%ZZ');
		expect([path.status, path.body.messageCode]).toEqual([400, 'bad_request']);
	});

	it('faults apply, and the log records requests', async () => {
		await sandbox.control.fault({ path: '^/robots$', kind: 'status', status: 502 });
		const { status, body } = await api.get('/robots');
		expect([status, body]).toMatchObject([502, { statusCode: 502, messageCode: 'error' }]);
		expect((await api.get('/robots')).status).toBe(200);
		const log = await sandbox.control.requests();
		expect(log.map(({ root, method, path }) => [root, method, path])).toEqual([
			['/api', 'GET', '/robots'],
			['/api', 'GET', '/robots'],
		]);
	});

	it('a request runs even if its response is lost', async () => {
		const before = (await api.runs(DEMO.article)).length;
		const fault = { path: '/runs$', method: 'POST', kind: 'reset', before: false } as const;
		await sandbox.control.fault(fault);
		await expect(api.post(`/robots/${DEMO.article}/runs`)).rejects.toThrow('fetch failed');
		const runs = await until('the runs', PATIENCE, async () => {
			const all = await api.runs(DEMO.article);
			return all.length > before ? all : undefined;
		});
		expect(runs).toHaveLength(before + 1);
	});
});

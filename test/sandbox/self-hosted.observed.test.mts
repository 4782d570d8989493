import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEMO, KEYS } from './index.mts';
import { type CloudClient, SelfHostedClient } from '../helpers/client.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const NOT_RUN = { statusCode: 500, messageCode: 'error', message: 'Failed to run robot' };
const EMPTY = {
	textData: {},
	listData: {},
	crawlData: {},
	searchData: {},
	markdown: '',
	html: '',
	links: [],
	summary: null,
	promptResult: null,
};

const sandbox = useSandbox({
	settings: {
		selfHostedForm: 'observed',
		selfHostedAbortedRunsContinue: false,
		runSeconds: 0.05,
		selfHostedStepSeconds: 0.02,
	},
});
let api: SelfHostedClient;
let hosted: CloudClient;

beforeAll(async () => {
	api = sandbox.server;
	hosted = sandbox.owner;
});
beforeEach(async () => {
	await sandbox.control.settings({
		selfHostedHangsWithinSeconds: 0,
		selfHostedAnswersAtOnce: false,
		selfHostedDatabaseDown: false,
	});
});

describe('robots of the observed form', () => {
	it('the list is unordered and ignores a limit', async () => {
		const { body } = await api.get('/robots?limit=1');
		const { items } = z
			.object({ items: z.array(z.object({ createdAt: z.number(), name: z.string() })) })
			.parse(body.robots);
		expect(items).toHaveLength(4);
		const names = items.map(({ name }) => name);
		const newestFirst = ['Shop products', 'Shop article', 'Slow page', 'Missing page'];
		expect([...names].sort()).toEqual([...newestFirst].sort());
		expect([names, [...names].reverse()]).not.toContainEqual(newestFirst);
	});

	it('each duplicate gets a unique name', async () => {
		const body = { targetUrl: 'http://127.0.0.1:9/product/2', name: 'Mine' };
		const robots = [1, 2].map(async () => await api.post(`/robots/${DEMO.slow}/duplicate`, body));
		for (const { status, body: answer } of await Promise.all(robots)) {
			expect(status).toBe(201);
			expect(answer.robot).toMatchObject({ name: 'Slow page (2)' });
			const { createdAt } = z.object({ createdAt: z.number() }).parse(answer.robot);
			expect(createdAt % 1000).toBe(0);
		}
	});
});

describe('runs of the observed form', () => {
	it('a start returns the finished run with its data as one object', async () => {
		const run = await api.run(DEMO.products);
		expect(run).toMatchObject({
			status: 'success',
			runByUserId: 1,
			runByScheduleId: null,
			runByAPI: true,
			runBySDK: false,
			runByMCP: false,
			runByCLI: false,
			screenshots: [],
			finishedAt: expect.stringMatching(/^\d+\/\d+\/\d{4}, \d+:\d\d:\d\d [AP]M$/),
		});
		expect(run.data).toMatchObject({
			...EMPTY,
			textData: { 'Page info': [{ Heading: expect.any(String) }] },
			listData: { Products: expect.arrayContaining([{ ...anyProduct() }]) },
		});
		expect(run).not.toHaveProperty('screenshot');
	});

	it('an active run is running and has no end time', async () => {
		const started = api.post(`/robots/${DEMO.slow}/runs`, {});
		const run = await running(DEMO.slow);
		expect(run).toMatchObject({ status: 'running', finishedAt: '', data: EMPTY });
		const path = `/sdk/robots/${DEMO.slow}/runs/${String(run.runId)}/abort`;
		const { status, body } = await api.post(path, {});
		expect(status).toBe(200);
		expect(body).toMatchObject({
			message: 'Run abortion initiated',
			data: {
				id: run.id,
				runId: run.runId,
				robotMetaId: DEMO.slow,
				status: 'aborted',
				finishedAt: '',
				serializableOutput: {},
				retryCount: 0,
			},
		});
		expect((await started).body).toEqual(NOT_RUN);
		const read = await api.get(`/robots/${DEMO.slow}/runs/${String(run.runId)}`);
		expect(read.body.run).toMatchObject({ status: 'aborted', finishedAt: '' });
		expect((await api.post(path, {})).status).toBe(400);
	});

	it('every failure returns the same 500', async () => {
		const failing = await api.post(`/robots/${DEMO.failing}/runs`);
		expect([failing.status, failing.body]).toEqual([500, NOT_RUN]);
		expect((await api.runs(DEMO.failing))[0]).toMatchObject({ status: 'failed', data: EMPTY });
		const unknown = await api.post(`/robots/${UNKNOWN}/runs`);
		expect([unknown.status, unknown.body]).toEqual([500, NOT_RUN]);
	});

	it('a run on an unreachable page succeeds without data', async () => {
		const url = 'http://127.0.0.1:9/';
		const id = await newRobot(sandbox, { name: 'Refused', url });
		expect(await api.run(id)).toMatchObject({ status: 'success', data: EMPTY });
		await hosted.delete(`/robots/${id}`);
	});

	it('a third concurrent run is rejected and leaves no record', async () => {
		const before = (await api.runs(DEMO.article)).length;
		const two = [1, 2].map(async () => await api.post(`/robots/${DEMO.slow}/runs`));
		await until('two runs', PATIENCE, async () =>
			(await active()).length === 2 ? true : undefined,
		);
		const third = await api.post(`/robots/${DEMO.article}/runs`);
		expect([third.status, third.body]).toEqual([500, NOT_RUN]);
		expect(await api.runs(DEMO.article)).toHaveLength(before);
		for (const { id } of await active()) await hosted.post(`/runs/${String(id)}/cancel`);
		await Promise.all(two);
	});

	it('a scheduled run waits for a free slot', async () => {
		const run = { status: 'queued', source: 'schedule', startedAt: null, finishedAt: null };
		await sandbox.control.settings({ selfHostedSlots: 0 });
		await sandbox.control.runs({ robotId: DEMO.article, run });
		const scheduled = (await api.runs(DEMO.article)).find(({ status }) => status === 'scheduled');
		expect(scheduled).toMatchObject({ runByAPI: null, runByScheduleId: expect.any(String) });
		await sandbox.control.settings({ selfHostedSlots: 2 });
		await hosted.finished(String(scheduled?.runId));
	});

	it('a run continues after its client hangs up', async () => {
		const stop = new AbortController();
		const url = `${sandbox.url}/api/robots/${DEMO.slow}/runs`;
		const headers = { 'x-api-key': KEYS.owner };
		const started = fetch(url, { method: 'POST', headers, signal: stop.signal });
		const { runId } = await running(DEMO.slow);
		stop.abort();
		await expect(started).rejects.toThrow();
		await sleep(100);
		expect((await hosted.get(`/runs/${String(runId)}`)).data.status).toBe('running');
		await hosted.post(`/runs/${String(runId)}/cancel`);
	});

	it('a run hangs and blocks its slot if it starts too soon after another', async () => {
		await api.run(DEMO.article);
		await sandbox.control.settings({
			selfHostedHangsWithinSeconds: 60,
			selfHostedAnswersAtOnce: true,
		});
		const { runId, status } = await api.run(DEMO.article);
		expect(status).toBe('running');
		await sleep(300);
		expect((await active()).map(({ id }) => id)).toEqual([runId]);
		await api.post(`/sdk/robots/${DEMO.article}/runs/${String(runId)}/abort`);
		expect(await active()).toEqual([]);
	});

	it('a run returns overridden values, such as an intermediate status', async () => {
		const { runId } = await api.run(DEMO.article);
		await sandbox.control.patchRun(String(runId), { status: 'aborting' });
		const { body } = await api.get(`/robots/${DEMO.article}/runs/${String(runId)}`);
		expect(body.run).toMatchObject({ status: 'aborting' });
	});

	async function active(): Promise<Array<Record<string, unknown>>> {
		return (await hosted.get('/runs/active')).list;
	}

	async function running(robotId: string): Promise<Record<string, unknown>> {
		return await until('the run', PATIENCE, async () =>
			(await api.runs(robotId)).find(({ status }) => status === 'running'),
		);
	}

	function anyProduct() {
		const text = expect.any(String);
		return { Product: text, Price: text, Stock: text, Link: expect.stringMatching(/^http/) };
	}
});

describe('failures of the observed form', () => {
	it.each([
		['GET', '/robots'],
		['POST', `/robots/${DEMO.article}/runs`],
		['GET', `/sdk/robots/${DEMO.article}`],
	])('%s %s rejects a missing key and a wrong key', async (method, path) => {
		const missing = await new SelfHostedClient(`${sandbox.url}/api`, {}).send(method, path);
		expect([missing.status, missing.body]).toEqual([401, { error: 'API key is missing' }]);
		const wrong = await SelfHostedClient.withKey(sandbox, 'no').send(method, path);
		expect([wrong.status, wrong.body]).toEqual([403, { error: 'Invalid API key' }]);
	});

	it('the key check needs the database', async () => {
		await sandbox.control.settings({ selfHostedDatabaseDown: true });
		const { status, body } = await api.get('/robots');
		const error = 'Authentication service temporarily unavailable';
		expect([status, body]).toEqual([503, { error }]);
	});

	it.each([
		['an unknown route', 'GET', '/nothing?a=1', undefined, 404, 'Cannot GET /api/nothing'],
		['broken JSON', 'POST', `/robots/${DEMO.slow}/duplicate`, '{"a":', 400, 'Bad Request'],
		['a bad escape', 'GET', '/robots/%ZZ', undefined, 400, 'Bad Request'],
	])('%s returns an HTML page', async (_, method, path, body, status, text) => {
		const answer = await api.send(method, path, body);
		expect([answer.status, answer.type]).toEqual([status, 'text/html; charset=utf-8']);
		expect(answer.text).toBe(
			`<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>${text}</pre>\n</body>\n</html>\n`,
		);
	});

	it('the response explains an invalid URL for a duplicate', async () => {
		const path = `/robots/${DEMO.article}/duplicate`;
		const bad = { statusCode: 400, messageCode: 'bad_request' };
		const required = 'The "targetUrl" field is required.';
		expect((await api.post(path, {})).body).toEqual({ ...bad, message: required });
		const invalid = 'The "targetUrl" must be a valid URL.';
		expect((await api.post(path, { targetUrl: 'x' })).body).toEqual({ ...bad, message: invalid });
	});

	it('unknown robots and runs return different errors', async () => {
		const message = `Run with id "${UNKNOWN}" for robot with id "${DEMO.slow}" not found.`;
		const notFound = { statusCode: 404, messageCode: 'not_found' };
		const run = await api.get(`/robots/${DEMO.slow}/runs/${UNKNOWN}`);
		expect([run.status, run.body]).toEqual([404, { ...notFound, message }]);
		const runs = await api.get(`/robots/${UNKNOWN}/runs`);
		expect([runs.status, runs.body]).toEqual([404, { ...notFound, message: 'Robot not found' }]);
		const robot = await api.get(`/sdk/robots/${UNKNOWN}`);
		expect([robot.status, robot.body]).toEqual([404, { error: 'Robot not found' }]);
	});
});

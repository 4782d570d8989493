import { setTimeout as sleep } from 'node:timers/promises';
import * as n8nWorkflow from 'n8n-workflow';
import type { Failure, INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { FaultFields as Fault } from '../sandbox/faults.mts';
import type { ExecuteOptions } from '../helpers/engine/index.mts';
import { abortAfter } from '../helpers/engine/time.mts';
import { locator } from '../helpers/parameters.mts';
import { AT_ONCE } from '../helpers/until.mts';
import { succeeded, useOperations } from './support/details.mts';
import { Triggers } from './support/triggers.mts';

const { sandbox, run } = useOperations();
const triggers = new Triggers(sandbox);

const NOW = { 'retry-after': '0' };
const HOUR = { 'retry-after': '3600' };
const failure = (error: string) => ({ success: false, error });
const ONCE = { maxRetries: 0 };

const products = (): string => sandbox.demo.products;

const getRobot = async (
	generalOptions: INodeParameters = {},
	options: Partial<ExecuteOptions> = {},
) => {
	const parameters = { robotId: locator(products()), output: 'raw', generalOptions };
	return await run('robot', 'get', parameters, options);
};
const startRun = async (options: Partial<ExecuteOptions> = {}) =>
	await run('run', 'start', { robotId: locator(products()) }, options);

const sentCount = async () => (await sandbox.sent()).length;

/** The failure that an error declares to n8n, which stores it as a plain object. Older engines ignore it. */
const expectFailure = (error: unknown, failure: Failure | undefined) => {
	expect(error).toBeDefined();
	if ('TIMED_CAUSES' in n8nWorkflow) expect(Object(error).failure).toEqual(failure);
};
const REJECTED: Failure = { cause: 'credential-invalid' };
const USED_UP: Failure = { cause: 'quota-exhausted' };
const MISCONFIGURED: Failure = { cause: 'configuration-invalid' };
const UNAVAILABLE = { cause: 'temporarily-unavailable' } as const;
const DOWN_FOR_AN_HOUR: Failure = { ...UNAVAILABLE, retryAfterMs: 3_600_000 };

describe('requests that the service rejects', () => {
	const REFUSALS: Array<[number, string, Failure?]> = [
		[400, 'The field "limit" must be a whole number'],
		[401, 'API key is missing', REJECTED],
		[402, 'Not enough credits', USED_UP],
		[403, 'Invalid API key', REJECTED],
		[403, 'Your plan allows 10 robots', USED_UP],
		[403, 'Your team role VIEWER does not allow this operation', MISCONFIGURED],
		[404, 'Robot not found', MISCONFIGURED],
		[409, 'A robot of this name exists already'],
	];
	const OTHERS: typeof REFUSALS = [
		[403, 'You are not part of this team', MISCONFIGURED],
		[403, 'You are not a member of this team', MISCONFIGURED],
		[403, 'Something that no document names'],
		[422, 'Something that no document names'],
		[500, 'Broken', UNAVAILABLE],
	];

	it.each([...REFUSALS, ...OTHERS])(
		"%i (%s) fails the node at once, with the service's message, and tells n8n why",
		async (status, words, why) => {
			await sandbox.control.fault({ kind: 'status', status, body: failure(words), times: 5 });
			const { error } = await getRobot();
			expect(await sentCount()).toBe(1);
			expect(error).toMatchObject({ name: 'NodeApiError', httpCode: String(status) });
			expect(error?.message).toMatch(/^\S.{10,}/);
			expect(error?.message).not.toMatch(/\b(error|problem|failure|mistake)\b/i);
			expect(error?.description).toContain(words);
			expect(error?.description?.length).toBeGreaterThan(words.length + 20);
			expectFailure(error, why);
		},
	);

	it('each reason for a rejection has its own message', async () => {
		const messages: string[] = [];
		for (const [status, words] of REFUSALS) {
			await sandbox.control.fault({ kind: 'status', status, body: failure(words) });
			messages.push((await getRobot()).error?.message ?? '');
		}
		expect(new Set(messages).size).toBe(messages.length);
	});

	it.each<[string, Fault, Failure]>([
		[
			'a rate limit with its time',
			{ kind: 'status', status: 429, headers: HOUR },
			{ cause: 'rate-limited', retryAfterMs: 3_600_000 },
		],
		['a status 503 with a time', { kind: 'status', status: 503, headers: HOUR }, DOWN_FOR_AN_HOUR],
		['a cut connection', { kind: 'reset' }, UNAVAILABLE],
		["a proxy's page", { kind: 'status', status: 403, body: '<h1>No</h1>' }, UNAVAILABLE],
	])('the error tells n8n why: %s', async (_, fault, why) => {
		await sandbox.control.fault({ body: failure('Down'), ...fault, times: 9 });
		const { error } = await getRobot(ONCE);
		expectFailure(error, why);
	});

	it.each([
		[401, 'API key is missing', REJECTED],
		[503, 'Down', DOWN_FOR_AN_HOUR],
	])('the error of a poll tells n8n why: %i', async (status, error, why) => {
		await sandbox.respond(status, 'GET', { error, headers: HOUR, times: 9 });
		const reason = await triggers.poller([products()]).catch((thrown: unknown) => thrown);
		expect(reason).toBeInstanceOf(Error);
		expectFailure(reason, why);
	});

	it.each<[string, number, string | object, Failure]>([
		['an invalid API key', 401, failure('Unauthorized'), REJECTED],
		['a missing robot', 404, failure('Robot not found'), MISCONFIGURED],
		['a URL without an API', 404, '<pre>Cannot GET /api</pre>', MISCONFIGURED],
		['a database that is down', 503, failure('No database'), DOWN_FOR_AN_HOUR],
	])('the error of a self-hosted server tells n8n why: %s', async (_, status, body, why) => {
		await sandbox.control.fault({ kind: 'status', status, headers: HOUR, body, times: 9 });
		const parameters = { server: 'selfHosted', robotId: locator('r1') };
		const credentials = sandbox.serverCredentials();
		expectFailure((await run('robot', 'get', parameters, { credentials })).error, why);
	});

	it('a failure with status 200 also fails the node', async () => {
		await sandbox.control.fault({ kind: 'body', status: 200, body: failure('It went wrong') });
		const { error } = await getRobot();
		expect(error?.description).toContain('It went wrong');
	});
});

describe('transient faults', () => {
	const passing: Array<[string, Fault]> = [
		['502', { kind: 'status', status: 502, headers: NOW, body: '<h1>Bad Gateway</h1>' }],
		['503', { kind: 'status', status: 503, headers: NOW, body: failure('Down') }],
		['504', { kind: 'status', status: 504, headers: NOW, body: failure('Too late') }],
		['429', { kind: 'status', status: 429, headers: NOW, body: failure('Too many requests') }],
		['a cut connection', { kind: 'reset' }],
		['a cut answer', { kind: 'truncate' }],
	];

	it.each(passing)('a read is retried after %s', async (_, fault) => {
		await sandbox.control.fault({ ...fault, times: 1 });
		const { json } = succeeded(await getRobot());
		expect(json[0]?.id).toBe(products());
		expect(await sentCount()).toBe(2);
	});

	it('a deletion is retried, and succeeds if the retry does not find anything', async () => {
		const robotId = await sandbox.control.robot({ type: 'scrape', name: 'To be deleted' });
		await sandbox.control.fault({ kind: 'reset', method: 'DELETE', before: false });
		const { json } = succeeded(await run('robot', 'delete', { robotId: locator(robotId) }));
		expect(json).toEqual([{ id: robotId, deleted: true }]);
		expect(await sentCount()).toBe(2);
	});

	it("retries stop at the node's limit", async () => {
		await sandbox.respond(503, 'GET', { headers: NOW, times: 50 });
		const { error } = await getRobot({ maxRetries: 2 });
		expect(error).toMatchObject({ httpCode: '503' });
		expect(await sentCount()).toBe(3);
	});
});

// The tests of lost starts show the same for runs, and the tests of Retry On Fail show it for robots.
it.each<[string, Fault]>([
	['502', { kind: 'status', status: 502, headers: NOW, before: false }],
	['a cut connection', { kind: 'reset', before: false }],
	['a cut answer', { kind: 'truncate', before: false }],
])('a webhook is created only once, whatever happens: %s', async (_, fault) => {
	await sandbox.control.fault({ ...fault, method: 'POST', times: 9 });
	const parameters = { robotId: locator(products()), url: 'https://a.example.com/' };
	const { error } = await run('webhook', 'create', parameters);
	expect(error?.name).toBe('NodeApiError');
	expect(error?.description).toMatch(/may have processed the request\. Check in Maxun/);
	expect(error?.description).not.toMatch(/Try again/);
	expect(await sandbox.count(/^POST /)).toBe(1);
});

describe('if nothing responds', () => {
	it('the error for a refused connection mentions the URL and the field to check', async () => {
		const baseUrl = 'http://127.0.0.1:9/api/v1';
		const { error } = await getRobot(ONCE, { credentials: sandbox.credentials({ baseUrl }) });
		expect(error?.name).toBe('NodeApiError');
		expect(error?.description).toContain(baseUrl);
		expect(error?.description).toContain('Base URL');
	});

	it('a refused connection is retried, even for a start', async () => {
		const { port } = new URL(sandbox.url);
		const credentials = sandbox.credentials();
		await sandbox.stop();
		const running = startRun({ credentials });
		await sleep(300);
		await sandbox.start({ port: Number(port) });
		const { json } = succeeded(await running);
		expect(json).toHaveLength(1);
	});

	it('canceling ends the wait for a retry at once', async () => {
		const headers = { 'retry-after': '60' };
		await sandbox.control.fault({ kind: 'status', status: 429, headers, times: 9 });
		const began = Date.now();
		const { execution } = await getRobot({}, { signal: abortAfter(1000) });
		expect(Date.now() - began).toBeLessThan(AT_ONCE);
		expect(execution.status).not.toBe('success');
	});
});

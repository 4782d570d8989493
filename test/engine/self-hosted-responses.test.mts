import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { credentialTest } from '../helpers/engine/index.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { selfHostedOn } from './support/self-hosted.mts';

const sandbox = useSandbox();
const own = selfHostedOn(sandbox);

const PAGE = '<!DOCTYPE html>\n<html><body><pre>Cannot GET /api</pre></body></html>';

const answer = async (status: number, body: string | IDataObject) =>
	await sandbox.control.fault({
		kind: 'status',
		status,
		body,
		...(typeof body === 'string' && { contentType: 'text/html; charset=utf-8' }),
	});

const RUN = {
	id: '5c1d7f20-4be0-4a35-8a16-0f3f6d2b9c11',
	runId: '0e9a6f3c-77d1-4c9b-9a55-5d2a1b7c4e22',
	robotId: 'r1',
	name: 'Bike offers',
	status: 'success',
	startedAt: '3/9/2026, 11:58:41 PM',
	finishedAt: '3/10/2026, 12:00:03 AM',
	runByUserId: 7,
	runByScheduleId: null,
	runByAPI: true,
};

async function read(run: IDataObject, output: string, timezone = '') {
	await answer(200, { statusCode: 200, messageCode: 'success', run: { ...RUN, ...run } });
	const parameters = { robotId: locator('r1'), runId: locator(RUN.runId), output };
	const credentials = sandbox.serverCredentials({ timezone });
	return await own.succeed('run', 'get', parameters, { credentials });
}

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

const BIKES = [
	{ Model: 'Trail 5', Offer: '€ 799' },
	{ Model: 'City 2', Offer: '€ 459' },
];

it("one list's data is under listData, as on Maxun Cloud", async () => {
	const [run] = await read({ data: { ...EMPTY, listData: { Bikes: BIKES } } }, 'simplified');
	expect(run).toMatchObject({ hasData: true, data: { listData: BIKES } });
	expect(Object.keys(Object(run?.data))).toEqual(['listData']);
});

describe('the fields of a run', () => {
	it.each([
		[{ runByScheduleId: 's1', runByAPI: null, runByUserId: null }, 'schedule'],
		[{ runBySDK: true, runByAPI: false }, 'sdk'],
		[{ runByMCP: true, runByAPI: false }, 'mcp'],
		[{ runByCLI: true, runByAPI: false }, 'cli'],
		[{ runByAPI: true }, 'api'],
		[{ runByAPI: false }, 'dashboard'],
	])('a run of %o came from %s', async (flags, source) => {
		expect(await read({ ...flags, data: EMPTY }, 'simplified')).toMatchObject([{ source }]);
	});

	it('times without a zone are returned as the server sent them', async () => {
		const [run] = await read({ data: EMPTY }, 'raw');
		expect(run).toMatchObject({
			id: RUN.runId,
			rowId: RUN.id,
			robotName: 'Bike offers',
			startedAt: RUN.startedAt,
			finishedAt: RUN.finishedAt,
			durationMs: 82_000,
		});
	});

	it.each([
		['Europe/Berlin', '2026-03-09T22:58:41.000Z', '2026-03-09T23:00:03.000Z'],
		['America/New_York', '2026-03-10T03:58:41.000Z', '2026-03-10T04:00:03.000Z'],
	])('the times of a server in %s are ISO 8601', async (zone, startedAt, finishedAt) => {
		const [run] = await read({ data: EMPTY }, 'raw', zone);
		expect(run).toMatchObject({
			startedAt,
			startedAtLocal: RUN.startedAt,
			finishedAt,
			finishedAtLocal: RUN.finishedAt,
		});
	});

	it('an active run has no end time', async () => {
		const changes = { status: 'running', finishedAt: '', data: EMPTY };
		const [run] = await read(changes, 'simplified', 'UTC');
		expect(run).toMatchObject({ status: 'running', finishedAt: null, hasData: false });
		expect(run).not.toHaveProperty('durationMs');
	});

	it.each([
		[{ screenshots: ['https://pics.example/a', 'https://pics.example/b'] }, 2],
		[{ screenshot: 'https://pics.example/a' }, 1],
		[{ screenshot: null }, 0],
	])('%o has %i screenshots', async (changes, count) => {
		const [run] = await read({ ...changes, data: EMPTY }, 'raw');
		expect(run?.screenshots).toHaveLength(count);
	});
});

describe('a failed run', () => {
	const FAILED = { ...RUN, status: 'failed', data: EMPTY, screenshots: [] };
	const runs = (...items: IDataObject[]) => ({
		statusCode: 200,
		messageCode: 'success',
		runs: { totalCount: items.length, items },
	});
	const refused = { statusCode: 500, messageCode: 'error', message: 'Failed to run robot' };

	it.each([
		['without a reason', {}, /Maxun did not say why/],
		['with its log', { log: 'No URL was given' }, /No URL was given/],
		[
			'with a stack in its log',
			{ log: '[12:00] Page crashed\n    at process.processTimers (node:internal/timers:529:9)' },
			/Page crashed(?!.*processTimers)/,
		],
	])('%s is not mistaken for a rejected start', async (_, more, reason) => {
		await answer(200, runs());
		await answer(500, refused);
		const run = { ...FAILED, ...more };
		await answer(200, runs(run));
		await answer(404, PAGE); // An earlier server.
		await answer(200, { statusCode: 200, messageCode: 'success', run });
		const { error } = await own.runAndWait('r1');
		expect(error?.message).toMatch(
			/^Run 0e9a6f3c-\S+ of robot 'Bike offers' ended with status failed/,
		);
		expect(error?.description).toMatch(reason);
		const starts = (await sandbox.lines()).filter((line) => line.startsWith('POST'));
		expect(starts).toEqual(['POST /robots/r1/runs']);
	});
});

describe('a rejection', () => {
	const refusal = (statusCode: number, messageCode: string, message: string, more = {}) => ({
		...{ statusCode, messageCode, message, ...more },
	});
	const FIELD = refusal(400, 'bad_request', 'Not a zone', { field: 'timezone' });
	const VALUE = refusal(400, 'bad_request', 'Must be a URL');
	const WRONG = /did not accept the values/;
	const ROBOT = refusal(404, 'not_found', 'Robot not found.');

	it.each<[string, number, string | IDataObject, RegExp, RegExp]>([
		['no key', 401, { error: 'API key is missing' }, /no API key/, /API key is missing/],
		['a key, as documented', 401, { ok: false, error: 'Unauthorized' }, /rejected/, /Unauth/],
		['a wrong key', 403, { error: 'Invalid API key' }, /rejected/, /Invalid API key/],
		['no database', 503, { error: 'Away for now' }, /cannot respond right now/, /Away for now/],
		['a field', 400, FIELD, WRONG, /Not a zone \(field 'timezone'\)/],
		['a value without its field', 400, VALUE, WRONG, /Must be a URL$/],
		['an unreadable request', 400, PAGE, WRONG, /./],
		['an unknown robot', 404, ROBOT, /could not find robot 'r1'/, /Robot not found/],
		['no such route', 404, PAGE, /no Maxun API at this URL/, /Base URL/],
		['a fault', 500, refusal(500, 'error', 'No data'), /returned status 500/, /No data/],
	])('a rejection because of %s is explained', async (_, status, body, message, description) => {
		await answer(status, body);
		// Without the server's own record, the node reads the documented route.
		if (body === PAGE) await answer(status, body);
		const parameters = { robotId: locator('r1'), generalOptions: { maxRetries: 0 } };
		const { error } = await own.run('robot', 'get', parameters);
		expect(error).toMatchObject({ httpCode: String(status) });
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(description);
	});

	it("the error of a deleted robot mentions the name in the form, and not a field that isn't there", async () => {
		await answer(404, { error: 'Robot not found' });
		const selected = { ...locator('r1'), mode: 'list', cachedResultName: 'Prices' };
		const { error } = await own.run('robot', 'get', { robotId: selected });
		expect(error?.message).toBe("Maxun could not find robot 'Prices'");
		expect(error?.description).not.toContain('Team');
	});

	it('the error says that both schedule routes are rejected', async () => {
		await answer(404, PAGE);
		await answer(404, PAGE);
		const { error } = await own.run('schedule', 'get', { robotId: locator('r1') });
		expect(error?.message).toBe('This server version does not support this operation');
	});

	it('a rejection with status 200 still causes an error', async () => {
		await answer(200, { statusCode: 404, messageCode: 'not_found', message: 'Robot gone' });
		const { error } = await own.run('robot', 'get', { robotId: locator('r1') });
		expect(error?.description).toContain('Robot gone');
	});
});

describe('the credential', () => {
	const check = async (changes = {}) =>
		await credentialTest(
			'maxunSelfHostedApi',
			sandbox.serverCredentials(changes).maxunSelfHostedApi,
		);

	it.each(['documented', 'observed'] as const)(
		'the credential test shows a wrong key as %s',
		async (form) => {
			await sandbox.control.settings({ selfHostedForm: form });
			expect(await check({ apiKey: 'mx-not-a-key' })).toEqual({
				status: 'Error',
				message: expect.stringMatching(/^Maxun rejected the API key\. Copy the key/),
			});
		},
	);

	it.each<[string, number, string | IDataObject, RegExp]>([
		['does not know the address', 404, PAGE, /no Maxun API at this URL.*backend/],
		['shows its page everywhere', 200, '<!doctype html><title>Shop</title>', /begins with: Shop/],
		['says something else', 200, { status: 'ok' }, /the URL of the Maxun API.*lacks 'robots'/],
	])('the credential test reports the URL of a server that %s', async (_, status, body, text) => {
		await answer(status, body);
		expect(await check()).toEqual({ status: 'Error', message: expect.stringMatching(text) });
	});

	it.each([
		['http://127.0.0.1:9', /No server is running at this URL.*127\.0\.0\.1:9/],
		['http://no-such-server.invalid', /No server has this name|could not resolve/],
		['localhost:8080', /must start|not a valid URL/],
	])('the credential test explains why it cannot connect to %s', async (baseUrl, text) => {
		expect((await check({ baseUrl })).message).toMatch(text);
	});

	it('an unknown time zone is rejected, as in the credential test', async () => {
		expect((await check({ timezone: 'Berlin' })).message).toMatch(/is unknown.*Europe\/Berlin/);
		const credentials = sandbox.serverCredentials({ timezone: 'Berlin' });
		const { error } = await own.run('robot', 'getAll', {}, { credentials });
		expect(error?.message).toContain("'Server Time Zone' in the credential is unknown: 'Berlin'");
	});
});

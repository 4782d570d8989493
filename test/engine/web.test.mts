import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../sandbox/index.mts';
import { QUICK } from './cases/index.mts';
import { lineOf } from '../helpers/control.mts';
import { execute, type ExecuteOptions } from '../helpers/engine/index.mts';
import { maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox(QUICK);
beforeEach(async () => await sandbox.control.settings({ slots: 5, runSeconds: 0.05 }));

/** Half a second. */
/** Long enough to build an agent. */
const BRIEFLY = { waitFor: 2 / 60 };

const OPERATIONS: Array<[operation: string, parameters: () => INodeParameters]> = [
	['scrape', () => ({ url: `${sandbox.siteUrl}/products`, formats: ['markdown'] })],
	['crawl', () => ({ url: `${sandbox.siteUrl}/`, crawlConfig: { limit: 2 } })],
	['search', () => ({ query: 'oiling a desk', searchConfig: {} })],
	['extract', () => ({ prompt: 'Get the products', url: `${sandbox.siteUrl}/products` })],
];

async function web(
	operation: string,
	parameters: INodeParameters,
	options: Partial<ExecuteOptions> = {},
) {
	const { items, error, hints } = await execute({
		parameters: maxun('web', operation, parameters),
		credentials: sandbox.credentials(),
		...options,
	});
	return {
		json: items[0]?.map(({ json }) => json) ?? [],
		error,
		hints: hints.map(({ message }) => message),
	};
}

/** Names of the robots that the node created on the service. */
async function robotsLeft(apiKey = KEYS.owner): Promise<string[]> {
	const { list } = await sandbox.client({ apiKey }).get('/robots?q=n8n&limit=100');
	return list.map(({ name }) => String(name));
}

/** Methods and paths of all requests, each once. */
const linesSent = async () => new Set((await sandbox.sent()).map(lineOf));

describe.each(OPERATIONS)('%s leaves no robot', (operation, parameters) => {
	it('no robot remains after a failed run', async () => {
		await sandbox.control.settings({ slots: 0 });
		const failing = web(operation, parameters());
		await failQueuedRun();
		const { error } = await failing;
		expect(error?.message).toMatch(
			/^Run \S+ of robot 'n8n \w+ until \S+ \w+' ended with status failed/,
		);
		expect(error?.description).toContain('The page is gone');
		expect(await robotsLeft()).toEqual([]);
	});

	it('no robot remains after a timeout, and the run is aborted', async () => {
		await sandbox.control.settings({ slots: 0 });
		const { error } = await web(operation, {
			...parameters(),
			options: { ...BRIEFLY, onTimeout: 'error' },
		});
		expect(error?.message).toMatch(/did not end within \S+ minutes \(status: queued\)$/);
		expect(error?.description).not.toMatch(/continues in Maxun|Run: Get/);
		expect(await robotsLeft()).toEqual([]);
		expect([...(await linesSent())].some((line) => /^POST .*\/cancel$/.test(line))).toBe(true);
	});

	it('no robot remains after a timeout that is not an error', async () => {
		await sandbox.control.settings({ slots: 0 });
		const { json, error } = await web(operation, {
			...parameters(),
			options: { ...BRIEFLY, onTimeout: 'return' },
		});
		expect(error).toBeUndefined();
		expect(json).toEqual([expect.objectContaining({ timedOut: true, status: 'queued' })]);
		expect(await robotsLeft()).toEqual([]);
	});

	it('no robot remains after a canceled execution', async () => {
		await sandbox.control.settings({ slots: 0 });
		const controller = new AbortController();
		const running = web(operation, parameters(), { signal: controller.signal });
		await sandbox.owner.startedRun();
		controller.abort();
		await running;
		await expect.poll(robotsLeft, { timeout: 5000 }).toEqual([]);
	});

	it('no robot remains if the run is refused', async () => {
		await sandbox.control.fault({ kind: 'status', status: 402, method: 'POST', path: '/runs$' });
		const { error } = await web(operation, parameters());
		expect(error).toMatchObject({ httpCode: '402' });
		expect(await robotsLeft()).toEqual([]);
	});

	it('a robot is kept if the options say so', async () => {
		const { error } = await web(operation, { ...parameters(), options: { keepRobot: true } });
		expect(error).toBeUndefined();
		const left = await robotsLeft();
		expect(left).toEqual([expect.stringMatching(new RegExp(`^n8n ${operation} `))]);
		expect([...(await linesSent())].some((line) => line.startsWith('DELETE'))).toBe(false);
		await removeAll();
	});

	it('a hint mentions a remaining robot', async () => {
		await sandbox.control.fault({ kind: 'status', status: 403, method: 'DELETE' });
		const { json, error, hints } = await web(operation, parameters());
		expect(error).toBeUndefined();
		const [id = ''] = await removeAll();
		expect(json.length).toBeGreaterThan(0);
		expect(hints).toEqual([expect.stringContaining(`The temporary robot ${id} remains in Maxun`)]);
	});
});

it('scrape returns a failed run if the options say so', async () => {
	const url = `${sandbox.siteUrl}/missing`;
	const { json, error } = await web('scrape', {
		url,
		formats: ['text'],
		options: { onFailure: 'return' },
	});
	expect(error).toBeUndefined();
	expect(json).toEqual([expect.objectContaining({ url, status: 'failed' })]);
	expect(await robotsLeft()).toEqual([]);
});

it('the error for a failed run whose robot cannot be deleted reports both', async () => {
	await sandbox.control.fault({ kind: 'status', status: 403, method: 'DELETE' });
	const url = `${sandbox.siteUrl}/missing`;
	const { error } = await web('scrape', { url, formats: ['text'] });
	const [id = ''] = await removeAll();
	expect(error?.message).toMatch(/ended with status failed/);
	expect(error?.description).toContain(`The temporary robot ${id} remains in Maxun`);
});

it('an agent that fails to build is deleted, and says why', async () => {
	const { error } = await web('extract', { prompt: 'Something impossible' });
	expect(error?.message).toMatch(/^Maxun could not build agent/);
	expect(error?.description).toContain('could not work out');
	expect(await robotsLeft()).toEqual([]);
});

it('an agent waits for the plan until another one that fails to build is deleted', async () => {
	await sandbox.control.settings({ agentBuildSeconds: 0.2 });
	const body = { success: false, error: 'Your plan allows 1 agent' };
	const agents = { kind: 'status', status: 403, method: 'POST', path: '/agents$', body } as const;
	await sandbox.control.fault({ ...agents, skip: 1, times: 2 });
	const { json } = await web(
		'extract',
		{ prompt: 'Something impossible' },
		{ items: [{}, {}], node: { onError: 'continueRegularOutput' } },
	);
	await sandbox.control.clearFaults();
	const failed: unknown = expect.stringMatching(/^Maxun could not build agent/);
	expect(json.map(({ error }) => error)).toEqual([failed, failed]);
	expect(await robotsLeft()).toEqual([]);
});

it('a deletion that is refused while the run ends is retried', async () => {
	await sandbox.control.fault({ kind: 'status', status: 409, method: 'DELETE', times: 2 });
	const url = `${sandbox.siteUrl}/products`;
	const { json, error } = await web('scrape', { url, formats: ['text'] });
	expect(error).toBeUndefined();
	expect(json[0]).not.toHaveProperty('warning');
	expect(await robotsLeft()).toEqual([]);
});

describe('a create response lost in a gateway', () => {
	const page = () => ({ url: `${sandbox.siteUrl}/products`, formats: ['text'] });
	const JSON_BODY = { success: false, error: 'Gateway timeout' };
	const lose = async (body: string | IDataObject = '<html>Gateway Timeout</html>') =>
		await sandbox.control.fault({
			kind: 'status',
			method: 'POST',
			path: '^/robots/scrape$',
			status: 504,
			body,
		});

	it.each([
		['a page', '<html>Gateway Timeout</html>'],
		['JSON', JSON_BODY],
	])(
		'a robot that exists although the response was %s is found, used and deleted',
		async (_, response) => {
			await lose(response);
			const running = web('scrape', page());
			const isLooking = async () =>
				[...(await linesSent())].some((line) => line.startsWith('GET /robots?'));
			await expect.poll(isLooking).toBe(true);
			const [creation] = await sandbox.sent();
			const body: IDataObject = Object(creation?.body);
			await sandbox.owner.post('/robots/scrape', body);
			const { json, error } = await running;
			expect(error).toBeUndefined();
			expect(json).toHaveLength(1);
			expect(await robotsLeft()).toEqual([]);
		},
	);

	it('the error says what may remain if no robot appears after a lost response', async () => {
		await lose();
		const { error } = await web('scrape', page());
		expect(error).toMatchObject({ httpCode: '504' });
		expect(error?.description).toMatch(
			/A robot named 'n8n scrape until \S+ \w{10}' may remain in Maxun/,
		);
		const lines = (await sandbox.sent()).map(lineOf);
		expect(lines.filter((line) => line.startsWith('GET /robots?'))).toHaveLength(3);
	});
});

it('a creation that the service refuses causes no search', async () => {
	await sandbox.control.fault({
		kind: 'status',
		method: 'POST',
		path: '^/robots/scrape$',
		status: 400,
		body: { success: false, error: 'Something is wrong' },
	});
	const url = `${sandbox.siteUrl}/products`;
	const { error } = await web('scrape', { url, formats: ['text'] });
	expect(error).toMatchObject({ httpCode: '400' });
	expect(await linesSent()).toEqual(new Set(['POST /robots/scrape']));
});

it('one failed page of several reaches the error output, and no robot remains', async () => {
	const { siteUrl } = sandbox;
	const { items } = await execute({
		parameters: maxun('web', 'scrape', { url: '={{ $json.url }}', formats: ['text'] }),
		items: ['/products', '/missing', '/articles'].map((path) => ({ url: siteUrl + path })),
		credentials: sandbox.credentials(),
		node: { onError: 'continueErrorOutput' },
	});
	const [pages = [], failed = []] = items;
	expect(pages.map(({ json }) => json.url)).toEqual([`${siteUrl}/products`, `${siteUrl}/articles`]);
	expect(failed.map(({ json }) => String(json.error))).toEqual([
		expect.stringMatching(/ended with status failed/),
	]);
	expect(await robotsLeft()).toEqual([]);
});

async function failQueuedRun(): Promise<void> {
	const fields = { status: 'failed', error: 'The page is gone' };
	await sandbox.control.patchRun(await sandbox.owner.startedRun(), fields);
}

/** Deletes the remaining robots and returns their IDs. */
async function removeAll(): Promise<string[]> {
	const { list } = await sandbox.owner.get('/robots?q=n8n&limit=100');
	const ids = list.map(({ id }) => String(id));
	for (const id of ids) await sandbox.owner.delete(`/robots/${id}`);
	return ids;
}

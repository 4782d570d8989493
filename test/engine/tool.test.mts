import type { INodeParameters } from 'n8n-workflow';
import { encodingForModel } from 'js-tiktoken';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { executeAsTool, TOOL_NODE } from '../helpers/engine/index.mts';
import { robotsLeft } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { succeeded, useOperations } from './support/details.mts';

const { sandbox, run } = useOperations({ settings: { runSeconds: 0.1 } });
const tokenizer = encodingForModel('gpt-4o');

const tokens = (value: unknown) => tokenizer.encode(JSON.stringify(value)).length;

const call = async (resource: string, operation: string, parameters: INodeParameters) =>
	await run(resource, operation, parameters, { type: TOOL_NODE });

async function answer(resource: string, operation: string, parameters: INodeParameters) {
	const { json } = succeeded(await call(resource, operation, parameters));
	return json;
}

async function rawRun(robotId: string): Promise<Record<string, unknown>> {
	const { list } = await sandbox.owner.get(`/robots/${robotId}/runs`);
	return (await sandbox.owner.get(`/runs/${String(list[0]?.id)}`)).data;
}

const TEXTS = ['markdown', 'html', 'text'];
const OPENED = { mode: 'scrape', limit: 3, outputFormats: ['markdown', 'html'] };

describe('results have at most half as many tokens as the raw response', () => {
	const measure = (raw: unknown, given: unknown) =>
		expect(tokens(given)).toBeLessThanOrEqual(tokens(raw) / 2);

	it.each<[string, (page: (path: string) => string) => INodeParameters]>([
		['scrape', (page) => ({ url: page('/articles/oiling-a-desk'), formats: TEXTS })],
		['crawl', (page) => ({ url: page('/') })],
		['search', () => ({ query: 'oiling a desk', searchConfig: OPENED })],
	])('%s', async (operation, parameters) => {
		const given = parameters((path) => sandbox.siteUrl + path);
		const json = await answer('web', operation, { ...given, options: { keepRobot: true } });
		expect(json.length).toBeGreaterThan(0);
		const [made = ''] = await robotsLeft(sandbox);
		measure(await rawRun(made), json);
		await sandbox.owner.delete(`/robots/${made}`);
	});

	it('a robot found by name', async () => {
		const { body } = await sandbox.owner.get('/robots?q=products');
		const json = await answer('robot', 'getAll', { filters: { q: 'products' } });
		expect(json).toMatchObject([{ id: DEMO.products }]);
		measure(body.data, json);
	});

	it("a robot's run", async () => {
		const robotId = locator(DEMO.products);
		const simplified = await answer('run', 'runAndWait', { output: 'simplified', robotId });
		const raw = await rawRun(DEMO.products);
		expect(tokens(simplified)).toBeLessThan(tokens(raw));
		const fields = ['Product'];
		const json = await answer('run', 'runAndWait', { robotId, output: 'fields', fields });
		measure(raw, json);
	});

	it('the whole result has a limit, even if each text is short', async () => {
		const crawlData = Array.from({ length: 40 }, (_, index) => ({
			url: `https://example.com/${index}`,
			markdown: 'word '.repeat(380),
		}));
		const run = { data: { crawlData } };
		const [runId = ''] = await sandbox.control.runs({ robotId: DEMO.article, run });
		const rows = await answer('run', 'get', { runId: locator(runId), output: 'rows' });
		expect(JSON.stringify(rows).length).toBeLessThan(25_000);
		expect(rows.at(-1)).toEqual({ cut: expect.stringMatching(/^\[\d+ more omitted\]$/) });
		const [whole] = await answer('run', 'get', { runId: locator(runId) });
		expect(JSON.stringify(whole).length).toBeLessThan(25_000);
	});
});

describe('what a model reads about a failure', () => {
	it.each<[string, string, string, INodeParameters, RegExp]>([
		[
			'an unknown robot',
			'robot',
			'get',
			{ robotId: locator('no-such-robot') },
			/^Maxun could not find robot 'no-such-robot'.*\. Use a tool that lists IDs/,
		],
		[
			'a wrong value',
			'web',
			'scrape',
			{ url: 'shop.example', formats: ['markdown'] },
			/^'URL' must be a valid URL .*\. Call the tool again with a correct value$/,
		],
	])('%s', async (_, resource, operation, parameters, message) => {
		const { error } = await call(resource, operation, parameters);
		expect(error?.message).toMatch(message);
		expect(error?.message).not.toMatch(/credential|in this node|from the list/i);
	});

	it('examples that are not on the page, with the most similar texts for each', async () => {
		const values = [
			{ name: 'Product', example: 'Walnutt desk' },
			{ name: 'Price', example: '$250.00' },
		];
		const { error } = await call('web', 'extractRows', {
			url: `${sandbox.siteUrl}/products`,
			specifyFields: 'example',
			examples: { values },
		});
		expect(error?.message).toMatch(
			/^The page does not contain the example of 'Product' \('Walnutt desk'\), 'Price' \('\$250\.00'\): .*\. The most similar texts for 'Product' are 'Walnut desk'.*\. The most similar texts for 'Price' are .*'\$249\.00'.*\. Use values from one row of the page, exactly as they appear there/,
		);
	});

	it("a rejection, with Maxun's own words", async () => {
		await sandbox.respond(400, 'GET', { error: 'The field "x" is not right' });
		const { error } = await call('robot', 'get', { robotId: locator(DEMO.products) });
		expect(error?.message).toBe(
			'Maxun did not accept the values in this node. Maxun says: The field "x" is not right. Change the value that Maxun mentions, and call the tool again',
		);
		const plan = 'Your plan allows 10 robots. Upgrade to create more';
		await sandbox.respond(403, 'POST /robots/scrape$', { error: plan });
		const url = `${sandbox.siteUrl}/products`;
		const { error: refused } = await call('web', 'scrape', { url, formats: ['text'] });
		expect(refused?.message).toMatch(
			/Your plan allows 10 robots.*Tell the user that the credits or the limits of the Maxun plan are used up/,
		);
		expect(refused?.message).not.toContain('API key');
	});

	it.each([
		[
			'failed',
			DEMO.failing,
			1,
			/ended with status failed.*(404|could not|not found).*Try another page or robot, or tell the user the reason$/i,
		],
		[
			'takes too long',
			DEMO.slow,
			0.01,
			/did not end within 0.01 minutes.*Do not start it again, and tell the user/,
		],
	])('a run that %s', async (_, robotId, timeoutMinutes, message) => {
		const options = { timeoutMinutes };
		const form = { output: 'simplified', robotId: locator(robotId), options };
		const { error } = await call('run', 'runAndWait', form);
		expect(error?.message).toMatch(message);
		expect(error?.message).not.toMatch(/Increase|On Timeout|On Failure/);
	});

	it('two runs are needed for a comparison', async () => {
		const robotId = locator(await sandbox.control.robot({ type: 'scrape', name: 'No runs' }));
		const { error } = await call('run', 'compare', { robotId });
		expect(error?.message).toBe(
			'This robot does not have two completed runs with data to compare. Run the robot first, then call the tool again',
		);
	});
});

describe('a tool for agents before version 3, which run tools themselves', () => {
	const setup = () => ({
		parameters: maxun('robot', 'get', { robotId: locator('no-such-robot') }),
		credentials: sandbox.credentials(),
	});

	it("returns a failed call's message to the model", async () => {
		const output = await executeAsTool(setup());
		expect(output.map(({ json }) => json)).toEqual([
			{
				error: expect.stringMatching(
					/^Maxun could not find robot 'no-such-robot'.* call this tool/,
				),
			},
		]);
	});

	it('throws an error if n8n should retry the call', async () => {
		const failing = executeAsTool({ ...setup(), node: { retryOnFail: true } });
		await expect(failing).rejects.toThrow(/^Maxun could not find robot 'no-such-robot'/);
	});

	it("returns a completed call's result", async () => {
		const [{ json } = { json: {} }] = await executeAsTool({
			...setup(),
			parameters: maxun('robot', 'get', { robotId: locator(DEMO.products) }),
		});
		expect(json).toMatchObject({ id: DEMO.products });
	});
});

it('a tool does not return empty fields unless the user asks for them', async () => {
	const robotId = locator(DEMO.products);
	const [robot] = await answer('robot', 'get', { robotId });
	expect(Object.values(robot ?? {})).not.toContain(null);
	const [raw] = await answer('robot', 'get', { robotId, output: 'raw' });
	expect(raw).toMatchObject({ schedule: null, webhooks: [] });
});

describe('an optional parameter that a model leaves out', () => {
	const WAYS = ["''", 'null', 'undefined', "' '", '\'""\'', "'null'", "'undefined'"];
	const robot = (value: string) => ({ __rl: true, mode: 'id', value });
	const demo = robot(DEMO.products);
	let since = '';
	beforeAll(() => void (since = new Date(Date.now() - 60_000).toISOString()));

	it.each<[string, string, string, (value: string) => INodeParameters]>([
		['Since', 'run', 'getAll', (value) => ({ robotId: demo, filters: { since: value } })],
		['Status', 'run', 'getAll', (value) => ({ filters: { since, status: value } })],
		['Robot', 'run', 'getAll', (value) => ({ robotId: robot(value), filters: { since } })],
		['Limit', 'robot', 'getAll', (value) => ({ returnAll: false, limit: value })],
		['Name Contains', 'robot', 'getAll', (value) => ({ filters: { q: value } })],
	])('has its default: %s', async (_, resource, operation, parameters) => {
		const lines: string[] = [];
		for (const value of WAYS) {
			await sandbox.control.clear();
			await answer(resource, operation, parameters(`={{ ${value} }}`));
			lines.push((await sandbox.lines()).map((line) => line.replace(/since=[^&]*/, '')).join());
		}
		expect(new Set(lines).size).toBe(1);
		expect(lines[0]).toMatch(/limit=50/);
	});
});

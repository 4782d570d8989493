import type { INodeListSearchResult } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { DEMO, KEYS, TEAM_ID } from '../sandbox/index.mts';
import {
	listSearch,
	loadOptions,
	loadPackage,
	ACTION_NODE,
	TRIGGER_NODE,
} from '../helpers/engine/index.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();

const setup = (parameters = maxun('robot', 'get'), credentials = sandbox.credentials()) => ({
	parameters,
	credentials,
});

/** Reads page after page, as the editor does while one scrolls. */
async function scroll(method: string, filter?: string): Promise<INodeListSearchResult['results']> {
	const results: INodeListSearchResult['results'] = [];
	let paginationToken: string | undefined;
	do {
		const page = await listSearch(method, { ...setup(), filter, paginationToken });
		results.push(...page.results);
		paginationToken = page.paginationToken;
		if (paginationToken !== undefined) expect(paginationToken).toBeTypeOf('string');
	} while (paginationToken !== undefined);
	return results;
}

describe('robots', () => {
	test('are named with type and status, and found by their ids', async () => {
		const { results } = await listSearch('searchRobots', setup());
		const found = results.find(({ value }) => value === sandbox.demo.products);
		expect(found?.name).toMatch(/Shop products/);
		expect(found?.name).toMatch(/extract/i);
		expect(found?.name).toMatch(/ready/i);
	});

	test('are searched on the server', async () => {
		const { results } = await listSearch('searchRobots', { ...setup(), filter: 'article' });
		expect(results.map(({ value }) => value)).toEqual([sandbox.demo.article]);
		const [request] = await sandbox.sent();
		expect(request).toMatchObject({ method: 'GET', path: '/robots' });
		expect(request?.query.q).toBe('article');
	});

	test('are all reached page by page, each once', async () => {
		const made = await sandbox.control.bulkRobots(230, 'scrape');
		await sandbox.control.clear();
		const results = await scroll('searchRobots', 'Bulk');
		expect(results.map(({ value }) => value).sort()).toEqual([...made].sort());
		expect((await sandbox.sent()).length).toBeLessThanOrEqual(10);
	});

	test("are the team's where the node names one", async () => {
		const own = await sandbox.control.robot({
			type: 'scrape',
			name: 'Of the team',
			teamId: TEAM_ID,
		});
		const parameters = maxun('robot', 'get', { options: { teamId: locator(TEAM_ID) } });
		const { results } = await listSearch('searchRobots', setup(parameters));
		expect(results.map(({ value }) => value)).toContain(own);
		expect(results.map(({ value }) => value)).not.toContain(sandbox.demo.products);
	});

	test('that cannot be read give an error, not an empty list', async () => {
		await expect(
			listSearch('searchRobots', setup(undefined, sandbox.credentials({ apiKey: 'wrong' }))),
		).rejects.toThrow(/API key/);
	});
});

test('a trigger lists all robots by their names', async () => {
	const robots = await loadOptions('getRobots', {
		type: TRIGGER_NODE,
		...setup({ server: 'cloud', events: ['run_completed'], robotIds: [], options: {} }),
	});
	expect(robots).toContainEqual({ name: 'Shop products (extract, ready)', value: DEMO.products });
	const names = robots.map(({ name }) => name);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
});

describe('inputs', () => {
	test.each([
		['run', 'start', 'robotId'],
		['agent', 'run', 'agentId'],
	])('of %s: %s are those that it says it takes', async (resource, operation, field) => {
		const inputParameters = [{ name: 'city', label: 'City' }, { name: 'page' }];
		await sandbox.control.fault({
			kind: 'body',
			body: { success: true, data: { id: 'r1', name: 'Weather', inputParameters } },
		});
		const parameters = maxun(resource, operation, { [field]: locator('r1') });
		expect(await loadOptions('getRobotInputs', setup(parameters))).toEqual([
			{ name: 'City', value: 'city' },
			{ name: 'page', value: 'page' },
		]);
		expect(await sandbox.control.lines()).toEqual(['GET /robots/r1']);
	});

	test('ask for a robot first', async () => {
		await expect(loadOptions('getRobotInputs', setup(maxun('run', 'start')))).rejects.toThrow(
			/No robot is chosen/,
		);
	});
});

describe('runs', () => {
	test('are listed newest first, with status, page by page', async () => {
		const robotId = await sandbox.control.robot({ type: 'scrape', name: 'With many runs' });
		const ids = await sandbox.control.runs({ robotId, count: 120 });
		const results = await scroll('searchRuns');
		const own = results.map(({ value }) => value).filter((id) => ids.includes(String(id)));
		expect(own).toEqual([...ids].reverse());
		expect(results[0]?.name).toMatch(/success/i);
	});
});

describe('webhooks', () => {
	test("are those of the node's robot, named by their addresses", async () => {
		const robotId = await sandbox.control.robot({ type: 'scrape', name: 'With a webhook' });
		const url = 'https://receiver.example.com/hook';
		const { data } = await sandbox.owner.post(`/robots/${robotId}/webhooks`, { url });
		const parameters = maxun('webhook', 'delete', { robotId: locator(robotId) });
		const { results } = await listSearch('searchWebhooks', setup(parameters));
		expect(results).toHaveLength(1);
		expect(results[0]?.value).toBe(data.id);
		expect(results[0]?.name).toContain('receiver.example.com');
	});

	test('ask for a robot first', async () => {
		await expect(listSearch('searchWebhooks', setup(maxun('webhook', 'delete')))).rejects.toThrow(
			/robot/i,
		);
	});
});

test('teams are those of the key', async () => {
	const { results } = await listSearch('searchTeams', setup());
	expect(results).toEqual([expect.objectContaining({ value: TEAM_ID })]);
	expect(results[0]?.name).toContain('Demo team');
	const poor = sandbox.credentials({ apiKey: KEYS.poor });
	expect((await listSearch('searchTeams', setup(undefined, poor))).results).toEqual([]);
});

test('every list that a field names exists in the node', async () => {
	const { nodeTypes } = await loadPackage();
	const { description, methods } = nodeTypes.getByNameAndVersion(ACTION_NODE, 1);
	const named = [...JSON.stringify(description.properties).matchAll(/"searchListMethod":"(\w+)"/g)];
	expect(named.length).toBeGreaterThan(0);
	for (const [, method = ''] of named) {
		expect(methods?.listSearch?.[method], method).toBeTypeOf('function');
	}
});

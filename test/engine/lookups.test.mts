import type { INodeListSearchResult } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { DEMO, KEYS, TEAM_ID } from '../sandbox/index.mts';
import {
	listSearch,
	loadOptions,
	loadPackage,
	mapperFields,
	ACTION_NODE,
	TRIGGER_NODE,
} from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();

const setup = (parameters = maxun('robot', 'get'), credentials = sandbox.credentials()) => ({
	parameters,
	credentials,
});

/** Reads page by page, as the editor does while the user scrolls. */
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
	it('robots are listed by ID, with type and status', async () => {
		const { results } = await listSearch('searchRobots', setup());
		const name = 'Shop products (extract, ready)';
		expect(results).toContainEqual(expect.objectContaining({ name, value: DEMO.products }));
	});

	it('the server searches for robots', async () => {
		const { results } = await listSearch('searchRobots', { ...setup(), filter: 'article' });
		expect(results.map(({ value }) => value)).toEqual([sandbox.demo.article]);
		const [request] = await sandbox.sent();
		expect(request).toMatchObject({ method: 'GET', path: '/robots' });
		expect(request?.query.q).toBe('article');
	});

	it('all robots are listed once, page by page', async () => {
		const made = await sandbox.control.bulkRobots(230, 'scrape');
		await sandbox.control.clear();
		const results = await scroll('searchRobots', 'Bulk');
		expect(results.map(({ value }) => value).sort()).toEqual([...made].sort());
		expect((await sandbox.sent()).length).toBeLessThanOrEqual(10);
	});

	it("the lists leave out the nodes' own robots, even if they fill a page", async () => {
		const until = 'until 2099-01-01T00:00Z';
		const watching = `n8n watches shop.example/ ${until} 0123456789abcdef0123abcdef 1 run-1`;
		const watched = await newRobot(sandbox, { name: watching });
		const name = 'n8n scrape until 2099-01-01T00:00Z Xk3fQ9aB2c';
		const temporary = await newRobot(sandbox, { name });
		const results = await scroll('searchRobots', 'n8n');
		const listed = await loadOptions('getRobots', { ...setup(), type: TRIGGER_NODE });
		const found = [...results, ...listed].map(({ value }) => value);
		expect(found).toContain(sandbox.demo.products);
		expect(found).not.toContain(watched);
		expect(found).not.toContain(temporary);
	});

	it("the list shows the robots of the node's team", async () => {
		const own = await newRobot(sandbox, { teamId: TEAM_ID });
		const parameters = maxun('robot', 'get', { generalOptions: { teamId: locator(TEAM_ID) } });
		const { results } = await listSearch('searchRobots', setup(parameters));
		expect(results.map(({ value }) => value)).toContain(own);
		expect(results.map(({ value }) => value)).not.toContain(sandbox.demo.products);
	});
});

it('a trigger lists all robots by name', async () => {
	const robots = await loadOptions('getRobots', {
		type: TRIGGER_NODE,
		...setup({ server: 'cloud', events: ['run_completed'], robotIds: [], options: {} }),
	});
	expect(robots).toContainEqual({ name: 'Shop products (extract, ready)', value: DEMO.products });
	const names = robots.map(({ name }) => name);
	expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
});

describe('inputs', () => {
	it.each([
		['run', 'start', 'robotId'],
		['agent', 'start', 'agentId'],
	])(
		"the inputs of %s: %s are fields with the robot's defaults",
		async (resource, operation, field) => {
			const inputParameters = [
				{ name: 'city', label: 'City', required: true, defaultValue: 'Graz' },
				{ name: 'day', required: true },
				{ name: 'page', type: 'number', defaultValue: '1' },
				{ name: 'all', type: 'boolean', defaultValue: 'false' },
			];
			const data = { id: 'r1', name: 'Weather', inputParameters };
			await sandbox.control.fault({ kind: 'body', body: { success: true, data } });
			const parameters = maxun(resource, operation, { [field]: locator('r1') });
			const { fields } = await mapperFields('getRobotInputs', setup(parameters));
			expect(fields).toMatchObject([
				{ id: 'city', displayName: 'City', type: 'string', required: false, defaultValue: 'Graz' },
				{ id: 'day', displayName: 'day', type: 'string', required: true },
				{ id: 'page', displayName: 'page', type: 'number', required: false, defaultValue: 1 },
				{ id: 'all', displayName: 'all', type: 'boolean', required: false, defaultValue: false },
			]);
			expect(await sandbox.control.lines()).toEqual(['GET /robots/r1']);
		},
	);

	it("the page's URL is not an input if the node has a list of URLs", async () => {
		const parameters = maxun('run', 'runOnUrls', { robotId: locator(DEMO.products) });
		const { fields } = await mapperFields('getRobotInputs', setup(parameters));
		expect(fields).toMatchObject([{ id: 'page' }]);
	});

	it('a notice says that Maxun does not list inputs', async () => {
		const parameters = maxun('run', 'start', { robotId: locator(DEMO.article) });
		expect(await mapperFields('getRobotInputs', setup(parameters))).toEqual({
			fields: [],
			emptyFieldsNotice: expect.stringMatching(
				/^Maxun does not list inputs for this robot\. If the robot has inputs, set /,
			),
		});
	});

	it('without a robot, a notice asks for a robot', async () => {
		const nothing = setup(maxun('run', 'start', { robotId: locator('') }));
		expect(await mapperFields('getRobotInputs', nothing)).toEqual({
			fields: [],
			emptyFieldsNotice: 'Select a robot to see its inputs.',
		});
		expect(await sandbox.control.lines()).toEqual([]);
	});
});

it('runs are listed newest first, with status, page by page', async () => {
	const robotId = await sandbox.control.robot({ type: 'scrape', name: 'With many runs' });
	const ids = await sandbox.control.runs({ robotId, count: 120 });
	const results = await scroll('searchRuns');
	const own = results.map(({ value }) => value).filter((id) => ids.includes(String(id)));
	expect(own).toEqual([...ids].reverse());
	expect(results[0]?.name).toMatch(/success/i);
});

describe('webhooks', () => {
	it("the list shows the selected robot's webhooks by URL", async () => {
		const robotId = await sandbox.control.robot({ type: 'scrape', name: 'With a webhook' });
		const url = 'https://receiver.example.com/hook';
		const { data } = await sandbox.owner.post(`/robots/${robotId}/webhooks`, { url });
		const parameters = maxun('webhook', 'delete', { robotId: locator(robotId) });
		const { results } = await listSearch('searchWebhooks', setup(parameters));
		expect(results).toHaveLength(1);
		expect(results[0]?.value).toBe(data.id);
		expect(results[0]?.name).toContain('receiver.example.com');
	});

	it('the list of webhooks requires a robot', async () => {
		const listing = listSearch('searchWebhooks', setup(maxun('webhook', 'delete')));
		await expect(listing).rejects.toThrow(/robot/i);
	});
});

it("the list of teams contains the key's teams", async () => {
	const { results } = await listSearch('searchTeams', setup());
	expect(results).toEqual([expect.objectContaining({ value: TEAM_ID })]);
	expect(results[0]?.name).toContain('Demo team');
	const poor = sandbox.credentials({ apiKey: KEYS.poor });
	expect((await listSearch('searchTeams', setup(undefined, poor))).results).toEqual([]);
});

it('the list of teams loads even if the key has no access to the selected team', async () => {
	const parameters = { generalOptions: { teamId: locator('no-team') } };
	const { results } = await listSearch('searchTeams', setup(parameters));
	expect(results).toEqual([expect.objectContaining({ value: TEAM_ID })]);
	const [request] = await sandbox.sent();
	expect(request?.headers['x-team-id']).toBeUndefined();
});

it('every list that a field refers to exists in the node', async () => {
	const { nodeTypes } = await loadPackage();
	const { description, methods } = nodeTypes.getByNameAndVersion(ACTION_NODE, 1);
	for (const [kind, lists] of [
		['searchListMethod', methods?.listSearch],
		['resourceMapperMethod', methods?.resourceMapping],
	] as const) {
		const pattern = new RegExp(`"${kind}":"(\\w+)"`, 'g');
		const named = [...JSON.stringify(description.properties).matchAll(pattern)];
		expect(named.length).toBeGreaterThan(0);
		for (const [, method = ''] of named) expect(lists?.[method], method).toBeTypeOf('function');
	}
});

import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { DEMO, TEAM_ID } from '../sandbox/index.mts';
import { newRecorded, newRobot, unique } from '../helpers/fixtures.mts';
import { useOperations } from './support/details.mts';
import { locator } from '../helpers/parameters.mts';

const { sandbox, run, succeed } = useOperations();

describe('robot: getAll', () => {
	it('sends each filter for robots under its own name', async () => {
		const filters = { type: 'scrape', q: 'Shop', scheduled: false };
		const { json } = await run('robot', 'getAll', { returnAll: false, limit: 5, filters });
		expect((await sandbox.sent())[0]?.query).toEqual({
			type: 'scrape',
			q: 'Shop',
			scheduled: 'false',
			limit: '5',
			offset: '0',
		});
		expect(json.map(({ id }) => id)).toEqual([DEMO.article]);
	});

	it('does not return an item if the result is empty', async () => {
		const { json } = await succeed('robot', 'getAll', {
			returnAll: true,
			filters: { q: 'no such' },
		});
		expect(json).toEqual([]);
	});
});

it('robot: createScrape: the error says that a name is taken', async () => {
	const url = `${sandbox.siteUrl}/products`;
	const additionalFields = { name: 'Only once' };
	const parameters = { url, formats: ['markdown'], additionalFields };
	expect((await run('robot', 'createScrape', parameters)).error).toBeUndefined();
	const { error } = await run('robot', 'createScrape', parameters);
	expect(error).toMatchObject({ httpCode: '409' });
	expect(error?.description).toMatch(/name/i);
});

describe('robot: update', () => {
	const update = async (robotId: string, searchConfig: INodeParameters) =>
		await run('robot', 'update', { robotId: locator(robotId), updateFields: { searchConfig } });

	it("resets a search's time range to any time", async () => {
		const { data } = await sandbox.owner.post('/robots/search', {
			name: unique('Search'),
			searchConfig: { query: 'desk', filters: { timeRange: 'day' } },
		});
		const id = String(data.id);
		expect((await update(id, { timeRange: 'any' })).error).toBeUndefined();
		expect((await sandbox.sent()).map(({ body }) => body)).toEqual([
			{ searchConfig: { filters: { timeRange: null } } },
		]);
	});
});

describe('robot: get', () => {
	it.each(['express', 'json'] as const)(
		'does not show a hint if Maxun Cloud lacks the route for selectors (%s)',
		async (selfHostedUnknownRoute) => {
			await sandbox.control.settings({ hostedSdk: false, selfHostedUnknownRoute });
			const robotId = await newRecorded(sandbox, { teamId: '' });
			const { json, hints } = await run('robot', 'get', { robotId: locator(robotId) });
			expect(json).toMatchObject([{ id: robotId, type: 'extract' }]);
			expect(hints).toEqual([]);
		},
	);
});

it('the error says what to do if a deleted robot has active runs', async () => {
	const robotId = await newRobot(sandbox);
	await sandbox.control.settings({ slots: 0 });
	await sandbox.owner.post(`/robots/${robotId}/runs`);
	const { error } = await run('robot', 'delete', { robotId: locator(robotId) });
	expect(error).toMatchObject({ httpCode: '409' });
	expect(error?.description).toMatch(/cancel/i);
});

it.each(['data', 'success', 'empty'] as const)(
	'a deletion returns the same item, whatever the response: %s',
	async (deleteAnswer) => {
		await sandbox.control.settings({ deleteAnswer });
		const robotId = await newRobot(sandbox);
		const [runId = ''] = await sandbox.control.runs({ robotId });
		expect((await run('run', 'delete', { runId: locator(runId) })).json).toEqual([
			{ id: runId, deleted: true },
		]);
		expect((await run('robot', 'delete', { robotId: locator(robotId) })).json).toEqual([
			{ id: robotId, deleted: true },
		]);
	},
);

it('a new webhook contains only the values that were set', async () => {
	const robotId = await newRobot(sandbox);
	await run('webhook', 'create', { robotId: locator(robotId), url: 'https://a.example.com/x' });
	expect((await sandbox.sent())[0]?.body).toEqual({ url: 'https://a.example.com/x' });
});

it('a missing robot prevents the workflow from running', async () => {
	await expect(run('robot', 'get', { robotId: locator('', 'list') })).rejects.toThrow(
		/"Robot"|has issues/,
	);
});

it("a team's robot is not one of the personal robots", async () => {
	const robotId = await newRobot(sandbox, { teamId: TEAM_ID });
	const { error } = await run('robot', 'get', { robotId: locator(robotId) });
	expect(error).toMatchObject({ httpCode: '404' });
	expect(error?.message).toContain(robotId);
	expect(error?.description).toMatch(/team/i);
});

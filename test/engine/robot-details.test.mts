import { expect, it } from 'vitest';
import { DEMO, TEAM_ID } from '../sandbox/index.mts';
import { newRecorded, newRobot, unique } from '../helpers/fixtures.mts';
import { useOperations } from './support/details.mts';
import { locator } from '../helpers/parameters.mts';

const { sandbox, run, succeed } = useOperations();

it('robot: getAll sends each filter for robots under its own name', async () => {
	const filters = { type: 'scrape', q: 'Shop', scheduled: false };
	const { json } = await run('robot', 'getAll', { returnAll: false, limit: 5, filters });
	const query = { ...filters, scheduled: 'false', limit: '5', offset: '0' };
	expect((await sandbox.sent())[0]?.query).toEqual(query);
	expect(json.map(({ id }) => id)).toEqual([DEMO.article]);
});

it("robot: update resets a search's time range to any time", async () => {
	const config = { query: 'desk', filters: { timeRange: 'day' } };
	const search = { name: unique('Search'), searchConfig: config };
	const { data } = await sandbox.owner.post('/robots/search', search);
	const updateFields = { searchConfig: { timeRange: 'any' } };
	await succeed('robot', 'update', { robotId: locator(String(data.id)), updateFields });
	expect((await sandbox.sent()).map(({ body }) => body)).toEqual([
		{ searchConfig: { filters: { timeRange: null } } },
	]);
});

it.each(['express', 'json'] as const)(
	'robot: get does not show a hint if Maxun Cloud lacks the route for selectors (%s)',
	async (selfHostedUnknownRoute) => {
		await sandbox.control.settings({ hostedSdk: false, selfHostedUnknownRoute });
		const robotId = await newRecorded(sandbox, { teamId: '' });
		const { json, hints } = await run('robot', 'get', { robotId: locator(robotId) });
		expect(json).toMatchObject([{ id: robotId, type: 'extract' }]);
		expect(hints).toEqual([]);
	},
);

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

it("a team's robot is not one of the personal robots", async () => {
	const robotId = await newRobot(sandbox, { teamId: TEAM_ID });
	const { error } = await run('robot', 'get', { robotId: locator(robotId) });
	expect(error).toMatchObject({ httpCode: '404' });
	expect(error?.message).toContain(robotId);
	expect(error?.description).toMatch(/team/i);
});

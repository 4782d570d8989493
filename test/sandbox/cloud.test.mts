import { beforeEach, describe, expect, it } from 'vitest';
import { DEMO, KEYS, TEAM_ID } from './index.mts';
import { Client, CloudClient } from '../helpers/client.mts';
import { newRobot, unique } from '../helpers/fixtures.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { startReceiver } from './receiver.mts';
import { completeSchedule } from './scheduler.mts';

// What the documentation of Maxun Cloud says, and no test of the nodes shows.

const sandbox = useSandbox();
const DEFAULTS = { slots: 5, runSeconds: 0, rateLimitPerMinute: 6000 };
beforeEach(async () => await sandbox.control.settings(DEFAULTS));

const as = (key: string, teamId?: string) => CloudClient.withKey(sandbox, key, teamId);
const page = (path = '/products/1') => ({ url: sandbox.siteUrl + path, name: unique('Page') });

describe('authentication', () => {
	it.each<[string, Record<string, string>, number]>([
		['in Authorization', { authorization: `Bearer ${KEYS.owner}` }, 200],
		['in x-api-key', { 'x-api-key': KEYS.owner }, 200],
		['that is missing', {}, 401],
		['that is wrong', { 'x-api-key': 'wrong' }, 403],
		["and another caller's team", { 'x-api-key': KEYS.poor, 'x-team-id': TEAM_ID }, 403],
	])('a key %s', async (_, headers, status) => {
		expect((await new Client(sandbox.baseUrl, headers).get('/me')).status).toBe(status);
	});

	it.each([
		['viewer', 200, 403, 403],
		['member', 200, 201, 403],
		['admin', 200, 201, 200],
		['owner', 200, 201, 200],
	] as const)(
		'a team %s has only the permissions of the role',
		async (role, read, create, remove) => {
			const team = as(KEYS[role], TEAM_ID);
			const id = await newRobot(sandbox, { teamId: TEAM_ID });
			expect((await team.get(`/robots/${id}`)).status).toBe(read);
			expect((await team.post('/robots/scrape', page())).status).toBe(create);
			expect((await team.delete(`/robots/${id}`)).status).toBe(remove);
		},
	);
});

describe('robots', () => {
	it('a new scrape robot has all documented fields, with the documented defaults', async () => {
		const { url } = page();
		const { status, data } = await sandbox.owner.post('/robots/scrape', { url });
		expect(status).toBe(201);
		expect(data).toEqual({
			id: expect.any(String),
			name: 'Scrape Robot - 127.0.0.1',
			type: 'scrape',
			status: 'ready',
			error: null,
			url,
			description: null,
			smartQueries: null,
			formats: ['markdown'],
			teamId: null,
			createdAt: expect.any(String),
			updatedAt: expect.any(String),
			schedule: null,
			monitoring: {
				compareRuns: false,
				monitoringPrompt: null,
				alertsEnabled: false,
				alertEmail: null,
			},
			webhooks: [],
		});
	});

	it('a conflict has status 409: a used name, active runs, an agent that is being built', async () => {
		const given = page();
		const made = await sandbox.owner.post('/robots/scrape', given);
		const statuses = [(await sandbox.owner.post('/robots/scrape', given)).status];
		await sandbox.control.settings({ slots: 0, agentBuildSeconds: 60 });
		const id = String(made.data.id);
		const run = await sandbox.owner.start(id);
		statuses.push((await sandbox.owner.delete(`/robots/${id}`)).status);
		statuses.push((await sandbox.owner.delete(`/runs/${run}`)).status);
		const agent = await sandbox.owner.post('/agents', { prompt: 'prices', name: unique('Agent') });
		statuses.push((await sandbox.owner.post(`/agents/${String(agent.data.id)}/runs`)).status);
		expect(statuses).toEqual([409, 409, 409, 409]);
	});

	it('the plan limits the number of robots, and deep extraction needs a paid plan', async () => {
		const member = as(KEYS.member);
		await sandbox.control.bulkRobots(10, 'scrape', { owner: 'member' });
		const refused = [await member.post('/robots/scrape', page())];
		const prompt = 'prices';
		const deep = { ...page('/products'), prompt, deepExtraction: true };
		refused.push(await member.post('/agents', deep));
		expect(refused.map(({ status }) => status)).toEqual([403, 403]);
		expect(refused.map(({ body }) => body.error)).toEqual([
			expect.stringContaining('plan'),
			expect.stringContaining('paid plan'),
		]);
	});

	it('a robot accepts at most ten webhooks, whose URLs may have to be public', async () => {
		const webhooks = `/robots/${await newRobot(sandbox)}/webhooks`;
		const url = 'https://example.com/hook';
		for (let count = 0; count < 10; count++)
			expect((await sandbox.owner.post(webhooks, { url })).status).toBe(201);
		expect((await sandbox.owner.post(webhooks, { url })).status).toBe(400);
		await sandbox.control.settings({ allowPrivateWebhooks: false });
		const other = `/robots/${await newRobot(sandbox)}/webhooks`;
		for (const local of ['http://localhost/a', 'http://10.1.2.3/', 'http://[::1]/'])
			expect((await sandbox.owner.post(other, { url: local })).status).toBe(400);
		expect((await sandbox.owner.post(other, { url })).data).toMatchObject({
			events: ['run_completed', 'run_failed'],
			active: true,
			retryAttempts: 3,
			retryDelay: 5,
			timeout: 30,
		});
		await sandbox.control.settings({ allowPrivateWebhooks: true });
	});
});

describe('limits', () => {
	it('each category has a rate limit, and headers show how many requests remain', async () => {
		await sandbox.control.settings({ rateLimitPerMinute: 2 });
		const poor = as(KEYS.poor);
		const first = await poor.get('/me');
		expect(first.headers.get('x-ratelimit-limit')).toBe('2');
		expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
		const limits = await poor.get('/usage/rate-limits');
		expect(limits.list).toContainEqual({ category: 'read', limitPerMinute: 2, remaining: 0 });
		const refused = await poor.get('/me');
		expect([refused.status, refused.body.success]).toEqual([429, false]);
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
		expect((await poor.post('/robots/scrape', {})).status).toBe(400);
	});

	it('each slot processes one run, and the queue keeps its order', async () => {
		await sandbox.control.abortRuns(await sandbox.owner.activeRuns());
		await sandbox.control.settings({ slots: 2, runSeconds: 60 });
		const started = [];
		for (let count = 0; count < 4; count++)
			started.push((await sandbox.owner.post(`/robots/${DEMO.article}/runs`)).body);
		const statuses = started.map(({ status }) => status);
		expect(statuses).toEqual(['running', 'running', 'queued', 'queued']);
		expect((await sandbox.owner.get('/queue')).data).toMatchObject({ running: 2, queued: 2 });
		const ids = started.map(({ id = '' }) => id);
		expect(await sandbox.owner.activeRuns()).toEqual([...ids].reverse());
		await sandbox.control.settings({ runSeconds: 0 });
		for (const id of ids.slice(0, 2)) await sandbox.control.finishRun(id);
		const runs = await Promise.all(ids.map(async (id) => await sandbox.owner.finished(id)));
		const starts = runs.map(({ startedAt }) => Date.parse(String(startedAt)));
		expect(starts[2]).toBeGreaterThanOrEqual(Date.parse(String(runs[0]?.finishedAt)));
		expect(starts).toEqual([...starts].sort());
	});
});

it('lists of runs support filters and paging, newest first, and omit the data', async () => {
	const robotId = await newRobot(sandbox);
	await sandbox.control.runs({ robotId, count: 60 });
	await sandbox.control.runs({ robotId, count: 3, status: 'failed' });
	const startedAt = '2020-05-01T00:00:00.000Z';
	const run = { source: 'schedule', hasChanges: true, startedAt };
	await sandbox.control.runs({ robotId, run });
	const list = async (query: string) =>
		(await sandbox.owner.get(`/runs?robotId=${robotId}&${query}`)).list;
	for (const [query, count] of [
		['', 25],
		['limit=50&offset=50', 14],
		['status=failed', 3],
		['status=failed,success&limit=100', 64],
		['source=schedule', 1],
		['hasChanges=true', 1],
		['until=2020-06-01T00:00:00Z', 1],
		['since=2020-06-01&limit=100', 63],
	] as const)
		expect(await list(query), query).toHaveLength(count);
	const all = await list('limit=100');
	expect(all[0]).not.toHaveProperty('data');
	const times = all.map((entry) => Date.parse(String(entry.startedAt)));
	expect(times).toEqual([...times].sort((a, b) => b - a));
});

describe('schedules', () => {
	const from = new Date('2024-03-30T12:00:00Z');
	const daily = { runEvery: 1, runEveryUnit: 'DAYS', timezone: 'Europe/Berlin' } as const;
	const rule = { ...daily, atTimeStart: '00:00', startFrom: 'SUNDAY', dayOfMonth: 1 } as const;

	it.each([
		[{ runEvery: 15, runEveryUnit: 'MINUTES' }, '*/15 * * * *', '2024-03-30T12:15:00.000Z'],
		[{ runEveryUnit: 'HOURS', atTimeStart: '00:30' }, '30 * * * *', '2024-03-30T12:30:00.000Z'],
		[{ atTimeStart: '08:05' }, '5 8 * * *', '2024-03-31T06:05:00.000Z'],
		[{ atTimeStart: '08:05', timezone: 'UTC' }, '5 8 * * *', '2024-03-31T08:05:00.000Z'],
		[{ runEveryUnit: 'WEEKS', startFrom: 'MONDAY' }, '0 0 * * 1', '2024-03-31T22:00:00.000Z'],
		[{ runEveryUnit: 'MONTHS', dayOfMonth: 15 }, '0 0 15 * *', '2024-04-14T22:00:00.000Z'],
		[{ runEvery: 2, runEveryUnit: 'MONTHS' }, '0 0 1 */2 *', '2024-04-30T22:00:00.000Z'],
	] as const)('the next run of %j follows the time zone', (changes, cronExpression, nextRunAt) => {
		const schedule = completeSchedule({ ...rule, ...changes }, from);
		expect(schedule).toMatchObject({ cronExpression, nextRunAt });
	});

	it("a due schedule starts a run that the robot's creator pays for", async () => {
		const [member, team] = [as(KEYS.member), as(KEYS.member, TEAM_ID)];
		const id = String((await team.post('/robots/scrape', page())).data.id);
		const { data } = await team.put(`/robots/${id}/schedule`, daily);
		const before = Number((await member.get('/me')).data.credits);
		const nextRunAt = new Date(Date.now() + 150).toISOString();
		await sandbox.control.patchRobot(id, { schedule: { ...data, nextRunAt } });
		const run = await until('the scheduled run', PATIENCE, async () => {
			return (await team.get(`/robots/${id}/runs`)).list[0];
		});
		expect(run.source).toBe('schedule');
		expect(Number((await member.get('/me')).data.credits)).toBe(before - 1);
		expect((await team.get(`/robots/${id}/schedule`)).data).toEqual(data);
	});
});

describe('deliveries', () => {
	it('the delays between attempts double, and all attempts have the same body', async () => {
		const receiver = await startReceiver();
		receiver.statuses = [500, 302];
		const robotId = await newRobot(sandbox);
		await sandbox.owner.post(`/robots/${robotId}/webhooks`, { url: receiver.url, retryDelay: 1 });
		await sandbox.owner.run(robotId);
		const [first, second, third] = await until('three attempts', PATIENCE, () =>
			receiver.received.length >= 3 ? receiver.received : undefined,
		);
		expect([second?.body, third?.body]).toEqual([first?.body, first?.body]);
		const waits = [Number(second?.at) - Number(first?.at), Number(third?.at) - Number(second?.at)];
		expect(waits[0]).toBeGreaterThan(950);
		expect(waits[1]).toBeGreaterThan(1950);
		await receiver.close();
	});

	it('the last attempt is the end, and a timeout counts as a failure', async () => {
		const receiver = await startReceiver();
		receiver.delay = 1500;
		const robotId = await newRobot(sandbox);
		const webhook = { url: receiver.url, retryDelay: 0, retryAttempts: 2, timeout: 1 };
		await sandbox.owner.post(`/robots/${robotId}/webhooks`, webhook);
		const { id } = await sandbox.owner.run(robotId);
		const attempts = await until('two attempts', PATIENCE, async () => {
			const found = (await sandbox.control.deliveries()).filter(({ runId }) => runId === id);
			return found.length >= 2 ? found : undefined;
		});
		expect(attempts).toMatchObject([{ error: expect.stringContaining('1 s') }, { attempt: 2 }]);
		await receiver.close();
	});
});

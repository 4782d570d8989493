import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO, KEYS, TEAM_ID } from './index.mts';
import { Client, CloudClient } from '../helpers/client.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
let owner: CloudClient;

beforeAll(async () => {
	owner = sandbox.owner;
});

describe('authentication', () => {
	it('the API accepts the key in either header', async () => {
		for (const [name, value] of [
			['authorization', `Bearer ${KEYS.owner}`],
			['x-api-key', KEYS.owner],
		] as const) {
			const answer = await new Client(sandbox.baseUrl, { [name]: value }).get('/me');
			expect(answer.status).toBe(200);
			expect(answer.data.email).toBe('owner@example.com');
		}
	});

	it('a missing key returns 401, and a wrong key 403', async () => {
		const missing = await new Client(sandbox.baseUrl, {}).get('/me');
		expect([missing.status, missing.body]).toMatchObject([401, { success: false }]);
		const wrong = await CloudClient.withKey(sandbox, 'wrong').get('/me');
		expect([wrong.status, wrong.body.error]).toEqual([403, 'Invalid API key']);
	});

	it('the API rejects teams without the caller', async () => {
		expect((await CloudClient.withKey(sandbox, KEYS.poor, TEAM_ID).get('/robots')).status).toBe(
			403,
		);
		expect((await CloudClient.withKey(sandbox, KEYS.owner, 'nobody').get('/robots')).status).toBe(
			403,
		);
	});

	it.each([
		['viewer', 200, 403, 403],
		['member', 200, 201, 403],
		['admin', 200, 201, 200],
		['owner', 200, 201, 200],
	] as const)(
		'a team %s has only the permissions of the role',
		async (role, read, create, remove) => {
			const team = CloudClient.withKey(sandbox, KEYS[role], TEAM_ID);
			const id = await newRobot(sandbox, { name: role, teamId: TEAM_ID });
			expect((await team.get(`/robots/${id}`)).status).toBe(read);
			const made = await team.post('/robots/scrape', {
				url: `${sandbox.siteUrl}/`,
				name: `of ${role}`,
			});
			expect(made.status).toBe(create);
			expect((await team.delete(`/robots/${id}`)).status).toBe(remove);
		},
	);

	it('personal and team robots are separate', async () => {
		const team = CloudClient.withKey(sandbox, KEYS.owner, TEAM_ID);
		expect((await team.get(`/robots/${DEMO.products}`)).status).toBe(404);
		const id = await newRobot(sandbox, { name: 'Shared', teamId: TEAM_ID });
		expect((await owner.get(`/robots/${id}`)).status).toBe(404);
		expect((await team.get(`/robots/${id}`)).data.teamId).toBe(TEAM_ID);
	});
});

describe('account', () => {
	it('the account identifies the caller', async () => {
		const { data } = await CloudClient.withKey(sandbox, KEYS.viewer).get('/me');
		expect(data).toEqual({
			email: 'viewer@example.com',
			plan: 'FREE',
			credits: 500,
			expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
			teams: [{ id: TEAM_ID, name: 'Demo team', role: 'VIEWER', isOwner: false }],
		});
	});

	it("the usage covers the scope's robots and runs on the team owner's plan", async () => {
		const personal = await CloudClient.withKey(sandbox, KEYS.member).get('/usage');
		expect(personal.data).toMatchObject({
			scope: { type: 'personal' },
			plan: 'FREE',
			billingCycle: 'MONTHLY',
			robots: 0,
			agents: 0,
			runs: 0,
		});
		const team = await CloudClient.withKey(sandbox, KEYS.member, TEAM_ID).get('/usage');
		expect(team.data).toMatchObject({ scope: { type: 'team' }, plan: 'PRO' });
		expect(team.data.robots).toBeGreaterThan(0);
	});

	it('each run costs a credit and counts toward the usage', async () => {
		const before = (await owner.get('/usage')).data;
		await owner.run(DEMO.article);
		const after = (await owner.get('/usage')).data;
		expect(after.credits).toBe(Number(before.credits) - 1);
		expect(after.runs).toBe(Number(before.runs) + 1);
	});

	it('the queue counts waiting and active runs', async () => {
		await owner.run(DEMO.article);
		const { data } = await owner.get('/queue');
		expect(data).toMatchObject({ running: 0, queued: 0, oldestQueuedAt: null });
		expect(Date.parse(String(data.lastSuccessAt))).toBeGreaterThan(Date.now() - 60_000);
	});

	it('each category has a rate limit, and headers show how many requests remain', async () => {
		await sandbox.control.settings({ rateLimitPerMinute: 2 });
		const poor = CloudClient.withKey(sandbox, KEYS.poor);
		const first = await poor.get('/me');
		expect(first.headers.get('x-ratelimit-limit')).toBe('2');
		expect(first.headers.get('x-ratelimit-remaining')).toBe('1');
		const limits = await poor.get('/usage/rate-limits');
		expect(limits.list).toContainEqual({ category: 'read', limitPerMinute: 2, remaining: 0 });
		const refused = await poor.get('/me');
		expect(refused.status).toBe(429);
		expect(refused.body.success).toBe(false);
		expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
		expect((await poor.post('/robots/scrape', {})).status).toBe(400);
		await sandbox.control.settings({ rateLimitPerMinute: 6000 });
		expect((await poor.get('/me')).status).toBe(200);
	});
});

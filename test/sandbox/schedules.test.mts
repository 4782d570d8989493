import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DateTime } from 'luxon';
import { beforeAll, describe, expect, it } from 'vitest';
import { DEMO, KEYS, TEAM_ID } from './index.mts';
import { CloudClient } from '../helpers/client.mts';
import { TestSandbox } from '../helpers/sandbox.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { completeSchedule } from './scheduler.mts';

const sandbox = useSandbox({ settings: { runSeconds: 0 } });
let owner: CloudClient;

beforeAll(async () => {
	owner = sandbox.owner;
});

const path = `/robots/${DEMO.article}/schedule`;
const daily = { runEvery: 1, runEveryUnit: 'DAYS', timezone: 'Europe/Berlin' } as const;

describe('the next run', () => {
	const from = new Date('2024-03-30T12:00:00Z');
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
});

describe('schedules', () => {
	it('the API sets, reads, lists and removes schedules', async () => {
		expect((await owner.get(path)).body).toEqual({ success: true, data: null });
		const { status, data } = await owner.put(path, { ...daily, atTimeStart: '07:30' });
		expect(status).toBe(200);
		expect(data).toMatchObject({ ...daily, startFrom: 'SUNDAY', cronExpression: '30 7 * * *' });
		const next = DateTime.fromISO(String(data.nextRunAt), { zone: 'Europe/Berlin' });
		expect(next.toFormat('HH:mm')).toBe('07:30');
		expect(next.diffNow('hours').hours).toBeLessThanOrEqual(25);
		expect((await owner.get(`/robots/${DEMO.article}`)).data.schedule).toEqual(data);
		const hourly = { runEvery: 1, runEveryUnit: 'MINUTES', timezone: 'UTC' };
		expect((await owner.put(`/robots/${DEMO.slow}/schedule`, hourly)).status).toBe(200);
		expect((await owner.get('/schedules')).list.map(({ id }) => id)).toEqual([
			DEMO.slow,
			DEMO.article,
		]);
		expect((await owner.get('/robots?scheduled=true')).list).toHaveLength(2);
		expect((await owner.delete(`/robots/${DEMO.slow}/schedule`)).status).toBe(200);
		expect((await owner.delete(path)).status).toBe(200);
		expect((await owner.delete(path)).status).toBe(404);
	});

	it.each([
		['runEvery', { runEveryUnit: 'DAYS', timezone: 'UTC' }],
		['runEvery', { ...daily, runEvery: 0 }],
		['runEvery', { ...daily, runEvery: 60, runEveryUnit: 'MINUTES' }],
		['runEvery', { ...daily, runEvery: 24, runEveryUnit: 'HOURS' }],
		['runEvery', { ...daily, runEvery: 2, runEveryUnit: 'WEEKS' }],
		['runEveryUnit', { ...daily, runEveryUnit: 'YEARS' }],
		['timezone', { runEvery: 1, runEveryUnit: 'DAYS' }],
		['timezone', { ...daily, timezone: 'Mars/Olympus' }],
		['atTimeStart', { ...daily, atTimeStart: '24:00' }],
		['startFrom', { ...daily, startFrom: 'Monday' }],
		['dayOfMonth', { ...daily, dayOfMonth: 32 }],
		['atTimeEnd', { ...daily, atTimeEnd: '10:00' }],
	])('the %s of %j is invalid', async (field, body) => {
		const answer = await owner.put(path, body);
		expect([answer.status, answer.body.error]).toEqual([400, expect.stringContaining(field)]);
	});

	it("a due schedule starts a run that the robot's creator pays for", async () => {
		const member = CloudClient.withKey(sandbox, KEYS.member);
		const team = CloudClient.withKey(sandbox, KEYS.member, TEAM_ID);
		const made = await team.post('/robots/scrape', { url: `${sandbox.siteUrl}/`, name: 'Team’s' });
		const id = String(made.data.id);
		const { data } = await team.put(`/robots/${id}/schedule`, daily);
		const before = Number((await member.get('/me')).data.credits);
		const nextRunAt = new Date(Date.now() + 150).toISOString();
		await sandbox.control.patchRobot(id, { schedule: { ...data, nextRunAt } });
		const run = await until(
			'the scheduled run',
			PATIENCE,
			async () => (await team.get(`/robots/${id}/runs`)).list[0],
		);
		expect(run.source).toBe('schedule');
		expect(Number((await member.get('/me')).data.credits)).toBe(before - 1);
		expect((await team.get(`/robots/${id}/schedule`)).data).toEqual(data);
	});

	it('a run missed during a shutdown starts later', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
		const stateFile = join(folder, 'state.json');
		const first = await TestSandbox.start({ stateFile });
		const before = first.owner;
		const { data } = await before.put(path, daily);
		const nextRunAt = new Date(Date.now() + 1500).toISOString();
		await first.control.patchRobot(DEMO.article, { schedule: { ...data, nextRunAt } });
		await first.stop();
		await sleep(1600);
		const second = await TestSandbox.start({ stateFile });
		const after = second.owner;
		const runs = (await after.get(`/robots/${DEMO.article}/runs`)).list;
		expect(runs).toMatchObject([{ source: 'schedule' }]);
		expect((await after.get(path)).data.nextRunAt).toBe(data.nextRunAt);
		await second.stop();
		await rm(folder, { recursive: true });
	});
});

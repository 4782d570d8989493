import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEMO } from './index.mts';
import { type CloudClient, type SelfHostedClient, fieldsOf } from '../helpers/client.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const SCHEDULE = {
	runEvery: 1,
	runEveryUnit: 'WEEKS',
	startFrom: 'MONDAY',
	atTimeStart: '09:30',
	atTimeEnd: '18:00',
	timezone: 'Europe/Berlin',
};
const PATH = `/robots/${DEMO.article}/schedule`;
const SDK_PATH = `/sdk/robots/${DEMO.article}`;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const shown = z.object({ cronExpression: z.string(), nextRunAt: z.string().datetime() });

const sandbox = useSandbox({ settings: { runSeconds: 0.05 } });
let api: SelfHostedClient;
let hosted: CloudClient;

beforeAll(async () => {
	api = sandbox.server;
	hosted = sandbox.owner;
});

describe('schedules of the documented form', () => {
	it('the cron expression and the next run use the time zone of the schedule', async () => {
		const { status, body } = await api.post(PATH, SCHEDULE);
		expect([status, body]).toMatchObject([200, { messageCode: 'success', schedule: SCHEDULE }]);
		const { cronExpression, nextRunAt } = shown.parse(body.schedule);
		expect(cronExpression).toBe('30 9 * * 1');
		const local = new Intl.DateTimeFormat('en-GB', {
			timeZone: 'Europe/Berlin',
			weekday: 'long',
			hour: '2-digit',
			minute: '2-digit',
		}).format(new Date(nextRunAt));
		expect(local).toContain('Monday');
		expect(local).toContain('09:30');
		expect(Date.parse(nextRunAt)).toBeGreaterThan(Date.now());
		expect((await api.get(PATH)).body.schedule).toEqual(body.schedule);
		expect((await hosted.get(PATH)).data).toMatchObject({ cronExpression, nextRunAt });
	});

	it('a new schedule replaces the old and accepts a string day', async () => {
		const monthly = { ...SCHEDULE, runEvery: 2, runEveryUnit: 'MONTHS', dayOfMonth: '15' };
		const { body } = await api.post(PATH, monthly);
		expect(body.schedule).toMatchObject({ ...monthly, cronExpression: '30 9 15 */2 *' });
	});

	it.each([
		['atTimeEnd', undefined],
		['startFrom', 'Monday'],
		['runEveryUnit', 'YEARS'],
		['runEvery', '1'],
		['runEvery', 60],
		['atTimeStart', '9:30'],
		['timezone', 'Mars/Olympus'],
		['dayOfMonth', 15],
		['unknown', true],
	])('the error mentions the field %s if set to %j', async (field, value) => {
		const { status, body } = await api.post(PATH, {
			...SCHEDULE,
			runEveryUnit: 'MINUTES',
			[field]: value,
		});
		expect([status, body]).toMatchObject([
			400,
			{ statusCode: 400, messageCode: 'bad_request', field },
		]);
	});

	it('deleting a missing schedule also succeeds', async () => {
		await api.post(PATH, SCHEDULE);
		for (const round of [1, 2]) {
			const { status, body } = await api.delete(PATH);
			expect([round, status, body.messageCode]).toEqual([round, 200, 'success']);
			expect(body.message).toEqual(expect.any(String));
		}
		expect((await api.get(PATH)).body.schedule).toBeNull();
		const unknown = await api.get(`/robots/${UNKNOWN}/schedule`);
		expect([unknown.status, unknown.body.messageCode]).toEqual([404, 'not_found']);
	});
});

describe('schedules of the observed form', () => {
	beforeAll(async () => {
		await sandbox.control.settings({ selfHostedForm: 'observed' });
	});

	it('the observed API has no schedule routes', async () => {
		const { status, type, text } = await api.post(PATH, SCHEDULE);
		expect([status, type]).toEqual([404, 'text/html; charset=utf-8']);
		expect(text).toContain(`<pre>Cannot POST /api${PATH}</pre>`);
	});

	it('/api/sdk can set, read and remove a schedule', async () => {
		const schedule = { runEvery: 1, runEveryUnit: 'MINUTES', timezone: 'UTC' };
		const { status, body } = await api.put(SDK_PATH, { schedule });
		expect([status, body.message]).toEqual([200, 'Robot updated successfully']);
		const expected = {
			...schedule,
			startFrom: 'SUNDAY',
			dayOfMonth: 1,
			atTimeStart: '00:00',
			atTimeEnd: '23:59',
			cronExpression: '*/1 * * * *',
			nextRunAt: expect.stringMatching(/:00\.000Z$/),
		};
		const read = await api.get(SDK_PATH);
		expect(read.body.data).toMatchObject({ schedule: expected });
		const sentBack = z.object({ schedule: z.unknown() }).parse(read.body.data);
		expect((await api.put(SDK_PATH, sentBack)).body.data).toMatchObject({ schedule: expected });
		await api.put(SDK_PATH, { schedule: null });
		expect((await api.get(SDK_PATH)).body.data).toMatchObject({ schedule: null });
	});

	it('an invalid schedule does not change the robot', async () => {
		const schedule = { runEvery: 0, runEveryUnit: 'DAYS', timezone: 'UTC' };
		const { status, body } = await api.put(SDK_PATH, { schedule });
		const error = 'Missing required schedule parameters: runEvery, runEveryUnit, timezone';
		expect([status, body]).toEqual([400, { error }]);
		expect((await api.get(SDK_PATH)).body.data).toMatchObject({ schedule: null });
	});
});

describe('what the observed form accepts', () => {
	beforeAll(async () => {
		await sandbox.control.settings({ selfHostedForm: 'observed' });
	});

	it.each([
		[{ timezone: 'Mars/Olympus' }, 'Invalid timezone'],
		[{ runEveryUnit: 'YEARS' }, 'Invalid runEveryUnit. Must be one of: MINUTES, HOURS, DAYS'],
		[{ startFrom: 'FUNDAY' }, 'Invalid startFrom day. Must be one of: SUNDAY'],
		[{ atTimeStart: '25:00' }, 'Invalid time format. Expected HH:MM (e.g., 09:30)'],
	])('a schedule with %j is invalid', async (field, message) => {
		const schedule = { runEvery: 1, runEveryUnit: 'DAYS', timezone: 'UTC', ...field };
		const { status, body } = await api.put(SDK_PATH, { schedule });
		expect([status, body.error]).toEqual([400, expect.stringContaining(message)]);
	});

	it.each([
		[{ runEvery: -5, runEveryUnit: 'MINUTES' }, '*/-5 * * * *', false],
		[{ runEvery: 500, runEveryUnit: 'MINUTES' }, '*/500 * * * *', true],
		[{ runEvery: '1', runEveryUnit: 'WEEKS', atTimeStart: '9:5' }, '5 9 * * 0', true],
	])('a schedule with %j is stored', async (fields, cronExpression, runs) => {
		const { body } = await api.put(SDK_PATH, { schedule: { timezone: 'UTC', ...fields } });
		const { schedule } = fieldsOf(body.data);
		expect(schedule).toMatchObject({ ...fields, cronExpression });
		expect('nextRunAt' in fieldsOf(schedule)).toBe(runs);
		await api.put(SDK_PATH, { schedule: null });
	});
});

describe.each(['documented', 'observed'] as const)('due runs of the %s form', (form) => {
	it('due runs start', async () => {
		await sandbox.control.settings({ selfHostedForm: form });
		const everyMinute = { ...SCHEDULE, runEveryUnit: 'MINUTES' };
		if (form === 'documented') await api.post(PATH, everyMinute);
		else await api.put(SDK_PATH, { schedule: everyMinute });
		const { schedule } = (await hosted.get(`/robots/${DEMO.article}`)).data;
		const due = {
			...fieldsOf(schedule),
			nextRunAt: new Date(Date.now() - 1000).toISOString(),
		};
		await sandbox.control.patchRobot(DEMO.article, { schedule: due });
		const run = await until('the scheduled run', PATIENCE, async () =>
			(await api.runs(DEMO.article)).find(({ status }) => status === 'success'),
		);
		expect(run).toMatchObject({ runByUserId: null, runByScheduleId: expect.any(String) });
		expect(run.runByAPI).toBe(form === 'documented' ? false : null);
		await hosted.delete(`/runs/${String(run.runId)}`);
		await hosted.delete(PATH);
	});
});

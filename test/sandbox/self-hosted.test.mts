import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEMO, emptyData, KEYS } from './index.mts';
import { fieldsOf, SelfHostedClient } from '../helpers/client.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { startReceiver } from './receiver.mts';

// What the documentation of self-hosted servers says, and what real servers do that no recording shows.

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const NOT_RUN = { statusCode: 500, messageCode: 'error', message: 'Failed to run robot' };

const sandbox = useSandbox({ settings: { selfHostedStepSeconds: 0.02 } });
const DEFAULTS = { runSeconds: 0.05, selfHostedSlots: 2, selfHostedTimezone: 'UTC' };

describe('a server as documented', () => {
	beforeEach(async () => {
		await sandbox.control.settings({ ...DEFAULTS, selfHostedForm: 'documented' });
	});
	const robot = `/robots/${DEMO.article}`;

	it('the list contains the personal robots, newest first', async () => {
		const { status, body } = await sandbox.server.get('/robots');
		expect([status, body]).toMatchObject([200, { statusCode: 200, messageCode: 'success' }]);
		expect(body.robots).toMatchObject({
			totalCount: 4,
			items: [{ id: DEMO.products, name: 'Shop products' }, {}, {}, {}],
		});
		const other = await SelfHostedClient.withKey(sandbox, KEYS.member).get('/robots');
		expect(other.body.robots).toEqual({ totalCount: 0, items: [] });
	});

	it('a robot has its URL as an input parameter', async () => {
		const input = { type: 'string', name: 'originUrl', label: 'Origin URL', required: true };
		const defaultValue = `${sandbox.siteUrl}/articles/oiling-a-desk`;
		expect((await sandbox.server.get(robot)).body.robot).toEqual({
			id: DEMO.article,
			name: 'Shop article',
			createdAt: expect.any(Number),
			inputParameters: [{ ...input, defaultValue }],
		});
	});

	it('a start returns the run that has ended, whose runId leads to it', async () => {
		await sandbox.control.settings({ selfHostedTimezone: 'Asia/Kolkata' });
		const startedAt = '2026-01-31T23:05:09.000Z';
		const [past = ''] = await sandbox.control.runs({ robotId: DEMO.products, run: { startedAt } });
		const path = `/robots/${DEMO.products}/runs`;
		const run = await sandbox.server.run(DEMO.products);
		expect(run).toMatchObject({
			status: 'success',
			name: 'Shop products',
			robotId: DEMO.products,
			runByUserId: null,
			runByScheduleId: null,
			runByAPI: true,
			data: expect.arrayContaining([expect.objectContaining({ Price: expect.any(String) })]),
			screenshot: null,
		});
		expect((await sandbox.server.get(`${path}/${String(run.runId)}`)).body.run).toEqual(run);
		expect((await sandbox.server.get(`${path}/${String(run.id)}`)).status).toBe(404);
		const { body } = await sandbox.server.get(`${path}/${past}`);
		expect(body.run).toMatchObject({ startedAt: '2/1/2026, 4:35:09 AM' });
	});

	it.each<[string, string, unknown, number, object]>([
		['GET', '/robots?limit=5', undefined, 400, { field: 'limit' }],
		['GET', '/robots/%ZZ', undefined, 400, { messageCode: 'bad_request' }],
		['GET', `/robots/${UNKNOWN}`, undefined, 404, { messageCode: 'not_found' }],
		['GET', `/robots/${UNKNOWN}/schedule`, undefined, 404, { messageCode: 'not_found' }],
		['POST', `${robot}/duplicate`, {}, 400, { messageCode: 'bad_request' }],
		['POST', `${robot}/duplicate`, { targetUrl: 'nope' }, 400, { messageCode: 'bad_request' }],
		['POST', `${robot}/duplicate`, '{"targetUrl":', 400, { messageCode: 'bad_request' }],
		['POST', `${robot}/runs`, { formats: ['html'] }, 400, { field: 'formats' }],
		['POST', `/robots/${UNKNOWN}/runs`, undefined, 500, NOT_RUN],
	])('%s %s with %j is refused', async (method, path, given, status, body) => {
		const answer = await sandbox.server.send(method, path, given);
		expect([answer.status, answer.body]).toMatchObject([status, { statusCode: status, ...body }]);
	});

	it('a missing key, a wrong key and a database that is down', async () => {
		const error = 'API key is missing';
		const nobody = new SelfHostedClient(`${sandbox.url}/api`);
		expect((await nobody.get('/robots')).body).toMatchObject({ statusCode: 401, message: error });
		expect((await nobody.post(`${robot}/runs`)).body).toEqual({ ok: false, error });
		expect((await SelfHostedClient.withKey(sandbox, 'wrong').get('/robots')).status).toBe(401);
		await sandbox.control.settings({ selfHostedDatabaseDown: true });
		const down = { messageCode: 'error' };
		expect((await sandbox.server.get('/robots')).body).toMatchObject({ statusCode: 500, ...down });
		await sandbox.control.settings({ selfHostedDatabaseDown: false });
	});

	it('there are no routes below /api/sdk', async () => {
		const { status, type, text } = await sandbox.server.get(`/sdk${robot}`);
		expect([status, type]).toEqual([404, 'text/html; charset=utf-8']);
		expect(text).toContain(`Cannot GET /api/sdk${robot}`);
	});

	describe('schedules', () => {
		const schedule = {
			runEvery: 1,
			runEveryUnit: 'WEEKS',
			startFrom: 'MONDAY',
			atTimeStart: '09:30',
			atTimeEnd: '18:00',
			timezone: 'Europe/Berlin',
		};

		it('a schedule replaces the one before, and can be removed twice', async () => {
			const monthly = { ...schedule, runEvery: 2, runEveryUnit: 'MONTHS', dayOfMonth: '15' };
			for (const [given, cronExpression] of [
				[schedule, '30 9 * * 1'],
				[monthly, '30 9 15 */2 *'],
			] as const) {
				const { status, body } = await sandbox.server.post(`${robot}/schedule`, given);
				expect(status).toBe(200);
				const nextRunAt = expect.stringMatching(/^\d{4}-.*Z$/);
				expect(body.schedule).toMatchObject({ ...given, cronExpression, nextRunAt });
				expect((await sandbox.server.get(`${robot}/schedule`)).body.schedule).toEqual(
					body.schedule,
				);
			}
			for (const round of [1, 2]) {
				const { status, body } = await sandbox.server.delete(`${robot}/schedule`);
				expect([round, status, typeof body.message]).toEqual([round, 200, 'string']);
			}
			expect((await sandbox.server.get(`${robot}/schedule`)).body.schedule).toBeNull();
		});

		it.each([
			['atTimeEnd', undefined],
			['runEvery', '1'],
			['dayOfMonth', 15],
			['unknown', true],
		])('the error mentions the field %s if set to %j', async (field, value) => {
			const given = { ...schedule, runEveryUnit: 'MINUTES', [field]: value };
			const { status, body } = await sandbox.server.post(`${robot}/schedule`, given);
			expect([status, body]).toMatchObject([400, { messageCode: 'bad_request', field }]);
		});
	});
});

describe('a real server', () => {
	beforeEach(async () => {
		await sandbox.control.settings({ ...DEFAULTS, selfHostedForm: 'observed' });
	});

	it('lists robots in no order', async () => {
		const { body } = await sandbox.server.get('/robots?limit=1');
		const { items } = z.object({ items: z.array(z.object({ id: z.string() })) }).parse(body.robots);
		const ids = items.map(({ id }) => id);
		const newestFirst = (await sandbox.owner.get('/robots')).list.map(({ id }) => id);
		expect([...ids].sort()).toEqual([...newestFirst].sort());
		expect([ids, [...ids].reverse()]).not.toContainEqual(newestFirst);
	});

	it('refuses a third run at once, without a record', async () => {
		await sandbox.control.settings({ runSeconds: 60 });
		const [one, other, third] = [
			await newRobot(sandbox),
			await newRobot(sandbox),
			await newRobot(sandbox),
		];
		const two = [one, other].map(async (id) => await sandbox.server.post(`/robots/${id}/runs`));
		for (const id of [one, other]) await sandbox.server.startedRun(id);
		expect((await sandbox.server.post(`/robots/${third}/runs`)).body).toEqual(NOT_RUN);
		expect(await sandbox.server.runs(third)).toEqual([]);
		for (const id of await sandbox.owner.activeRuns()) await sandbox.control.finishRun(id);
		expect((await Promise.all(two)).map(({ status }) => status)).toEqual([200, 200]);
	});

	it('lets an aborted run keep its slot, and succeed later', async () => {
		await sandbox.control.settings({ runSeconds: 60, selfHostedSlots: 1 });
		const id = await newRobot(sandbox);
		const started = sandbox.server.post(`/robots/${id}/runs`);
		const path = `/sdk/robots/${id}/runs/${await sandbox.server.startedRun(id)}`;
		expect((await sandbox.server.post(`${path}/abort`)).data).toMatchObject({ status: 'aborted' });
		expect((await started).body).toEqual(NOT_RUN);
		const again = await sandbox.server.post(`${path}/abort`);
		expect([again.status, again.body]).toMatchObject([400, { currentStatus: 'aborted' }]);
		expect((await sandbox.server.post(`/robots/${id}/runs`)).status).toBe(500);
		await sandbox.control.finishRun(path.split('/').at(-1) ?? '');
		await until('success', PATIENCE, async () => {
			return (await sandbox.server.get(path)).data.status === 'success' ? true : undefined;
		});
	});

	it('reports a run on an unreachable page as a success without data', async () => {
		const id = await newRobot(sandbox, { url: 'http://127.0.0.1:9/' });
		const data = { listData: {}, markdown: '', html: '', links: [] };
		expect(await sandbox.server.run(id)).toMatchObject({ status: 'success', data });
	});

	it('sends the rows of a recorded robot only in the deliveries of scheduled runs', async () => {
		const receiver = await startReceiver();
		const [robotId, listData] = [DEMO.products, [{ Product: 'Desk' }]];
		const webhooks = [{ id: 'w', url: receiver.url, events: ['run_completed'], active: true }];
		await sandbox.server.put(`/sdk/robots/${robotId}`, { webhooks });
		const delivered = async (count: number) => {
			const { body } = await until('a delivery', PATIENCE, () => receiver.received[count]);
			return fieldsOf(fieldsOf(body.data).extracted_data).captured_lists;
		};
		await sandbox.server.run(robotId);
		expect(await delivered(0)).toEqual({});
		const run = { source: 'schedule', data: { ...emptyData(), listData } };
		const [scheduled = ''] = await sandbox.control.runs({ robotId, run });
		await sandbox.control.repeatDeliveries(scheduled);
		expect(await delivered(1)).toEqual({ Products: listData });
		await receiver.close();
	});
});

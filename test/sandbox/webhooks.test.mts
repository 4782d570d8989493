import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DEMO } from './index.mts';
import { type CloudClient, fieldsOf } from '../helpers/client.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { type Receiver, startReceiver } from './receiver.mts';

const sandbox = useSandbox({ settings: { runSeconds: 0 } });
let owner: CloudClient;
let receiver: Receiver;
let robotId: string;
let count = 0;

beforeAll(async () => {
	owner = sandbox.owner;
});
beforeEach(async () => {
	receiver = await startReceiver();
	robotId = await newRobot(sandbox, {
		name: `Watched ${++count}`,
		url: `${sandbox.siteUrl}/articles/small-kitchens`,
		formats: ['markdown'],
	});
});
afterEach(async () => await receiver.close());

const path = () => `/robots/${robotId}/webhooks`;
const add = async (fields: Record<string, unknown> = {}) =>
	await owner.post(path(), { url: receiver.url, ...fields });

describe('webhooks of a robot', () => {
	it('the API creates (with documented defaults), lists, updates and deletes webhooks', async () => {
		const made = await add();
		expect(made.status).toBe(201);
		expect(made.data).toMatchObject({
			url: receiver.url,
			events: ['run_completed', 'run_failed'],
			active: true,
			retryAttempts: 3,
			retryDelay: 5,
			timeout: 30,
		});
		const one = `${path()}/${String(made.data.id)}`;
		expect((await owner.get(path())).list).toEqual([made.data]);
		expect((await owner.get(`/robots/${robotId}`)).data.webhooks).toEqual([made.data]);
		const changed = await owner.patch(one, { active: false, events: ['run_failed'] });
		expect(changed.data).toMatchObject({ active: false, events: ['run_failed'], timeout: 30 });
		expect((await owner.delete(one)).status).toBe(200);
		expect((await owner.get(path())).list).toEqual([]);
		expect((await owner.patch(one, {})).status).toBe(404);
	});

	it.each([
		['url', { url: 'mailto:me@example.com' }],
		['events', { events: [] }],
		['events', { events: ['run_started'] }],
		['active', { active: 'yes' }],
		['retryAttempts', { retryAttempts: 11 }],
		['retryAttempts', { retryAttempts: 0 }],
		['timeout', { timeout: 121 }],
		['retryDelay', { retryDelay: 1.5 }],
		['secret', { secret: 'x' }],
	])('the %s of %j is invalid', async (field, fields) => {
		const answer = await add(fields);
		expect(answer.status).toBe(400);
		expect(answer.body.error).toContain(field);
	});

	it('a robot accepts at most ten webhooks', async () => {
		for (let i = 0; i < 10; i++) expect((await add()).status).toBe(201);
		expect((await add()).status).toBe(400);
	});

	it('a webhook URL must be public if the settings require it', async () => {
		await sandbox.control.settings({ allowPrivateWebhooks: false });
		for (const url of ['http://localhost/a', 'http://10.1.2.3/', 'http://[::1]/']) {
			expect((await add({ url })).status).toBe(400);
		}
		expect((await add({ url: 'https://example.com/hook' })).status).toBe(201);
		await sandbox.control.settings({ allowPrivateWebhooks: true });
	});

	it('a webhook test sends a sample event', async () => {
		const made = await add();
		const test = async () => await owner.post(`${path()}/${String(made.data.id)}/test`);
		expect((await test()).data).toEqual({ delivered: true, statusCode: 200, error: null });
		expect(receiver.received[0]?.body).toMatchObject({
			event_type: 'webhook_test',
			data: { status: 'test', robot_id: robotId },
		});
		receiver.statuses = [500];
		expect((await test()).data).toMatchObject({ delivered: false, statusCode: 500 });
	});
});

describe('deliveries', () => {
	const received = async (least = 1) =>
		await until('the deliveries', PATIENCE, () =>
			receiver.received.length >= least ? receiver.received : undefined,
		);

	it('a completed run is sent in the documented envelope', async () => {
		const hook = await add();
		const run = await owner.run(robotId);
		const [delivery] = await received();
		expect(delivery?.headers['content-type']).toBe('application/json');
		expect(delivery?.body).toMatchObject({
			event_type: 'run_completed',
			timestamp: run.finishedAt,
			webhook_id: hook.data.id,
			data: {
				run_id: run.id,
				robot_id: robotId,
				robot_name: run.robotName,
				status: 'success',
				finished_at: run.finishedAt,
				markdown: expect.stringContaining('small kitchen'),
			},
		});
	});

	it('the event of a failed run has its error', async () => {
		await owner.post(`/robots/${DEMO.failing}/webhooks`, { url: receiver.url });
		await owner.run(DEMO.failing);
		const [delivery] = await received();
		expect(delivery?.body).toMatchObject({
			event_type: 'run_failed',
			data: { status: 'failed', error: { message: expect.stringContaining('404') } },
		});
	});

	it('active webhooks receive their chosen events, but no aborted runs', async () => {
		await add({ events: ['run_failed'] });
		await add({ active: false });
		await owner.run(robotId);
		await add();
		await sandbox.control.settings({ runSeconds: 5 });
		await owner.post(`/runs/${await owner.start(robotId)}/cancel`);
		await sandbox.control.abortRun(await owner.start(robotId));
		await sandbox.control.settings({ runSeconds: 0 });
		// The delivery of a later run proves that none is pending.
		const last = await owner.run(robotId);
		await received();
		expect(receiver.received.map(({ body }) => fieldsOf(body.data).run_id)).toEqual([last.id]);
	});

	it('retries double their delay and keep the body until one succeeds', async () => {
		receiver.statuses = [500, 302];
		await add({ retryDelay: 1 });
		const { id } = await owner.run(robotId);
		const [first, second, third] = await received(3);
		expect([second?.body, third?.body]).toEqual([first?.body, first?.body]);
		const waits = [Number(second?.at) - Number(first?.at), Number(third?.at) - Number(second?.at)];
		expect(waits[0]).toBeGreaterThan(950);
		expect(waits[0]).toBeLessThan(1950);
		expect(waits[1]).toBeGreaterThan(1950);
		expect(waits[1]).toBeLessThan(3950);
		const log = await sandbox.control.deliveries();
		expect(log.filter(({ runId }) => runId === id)).toMatchObject([
			{ attempt: 1, status: 500, event: 'run_completed', url: receiver.url },
			{ attempt: 2, status: 302 },
			{ attempt: 3, status: 200 },
		]);
	});

	it('a delivery ends after the last attempt, and a timeout counts as a failure', async () => {
		await add({ retryDelay: 0, retryAttempts: 2, timeout: 1 });
		receiver.delay = 1500;
		const { id } = await owner.run(robotId);
		const ours = await until('two attempts', PATIENCE, async () => {
			const log = await sandbox.control.deliveries();
			const found = log.filter(({ runId }) => runId === id);
			return found.length >= 2 ? found : undefined;
		});
		expect(ours).toMatchObject([{ error: expect.stringContaining('1 s') }, { attempt: 2 }]);
		await sleep(100);
		expect(receiver.received).toHaveLength(2);
	});

	it('deliveries can be late, duplicated and resent', async () => {
		await sandbox.control.settings({ deliveryCopies: 3, webhookDelaySeconds: 0.3 });
		await add();
		const run = await owner.run(robotId);
		const copies = await received(3);
		expect(Number(copies[0]?.at)).toBeGreaterThan(Date.parse(String(run.finishedAt)) + 250);
		await sandbox.control.settings({ deliveryCopies: 1, webhookDelaySeconds: 0 });
		await sandbox.control.repeatDeliveries(String(run.id));
		const all = await received(4);
		expect(new Set(all.map(({ body }) => JSON.stringify(body))).size).toBe(1);
	});

	it.each([
		[
			'camel',
			{
				event_type: 'run_completed',
				data: { runId: expect.any(String), robotId: expect.any(String) },
			},
		],
		[
			'camelNoId',
			{
				event_type: 'run_completed',
				data: expect.not.objectContaining({ runId: expect.anything() }),
			},
		],
		['flat', { robot_id: expect.any(String), run_id: expect.any(String), data: expect.any(Array) }],
	] as const)('deliveries can have the shape %s', async (deliveryShape, shape) => {
		await sandbox.control.settings({ deliveryShape });
		await add();
		await owner.run(robotId);
		expect((await received())[0]?.body).toMatchObject(shape);
		await sandbox.control.settings({ deliveryShape: 'snake' });
	});
});

import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { DEMO, emptyData } from './index.mts';
import { type CloudClient, type SelfHostedClient, fieldsOf } from '../helpers/client.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { type Receiver, startReceiver } from './receiver.mts';

const LOCAL_DATE = expect.stringMatching(/^\d+\/\d+\/\d{4}, \d+:\d\d:\d\d [AP]M$/);

const sandbox = useSandbox({
	settings: { selfHostedForm: 'observed', runSeconds: 0.05, selfHostedStepSeconds: 0.02 },
});
let api: SelfHostedClient;
let hosted: CloudClient;
let receiver: Receiver;

beforeAll(async () => {
	api = sandbox.server;
	hosted = sandbox.owner;
});
beforeEach(async () => {
	receiver = await startReceiver();
});
afterEach(async () => await receiver.close());

function hook(more: Record<string, unknown> = {}): Record<string, unknown> {
	const events = ['run_completed', 'run_failed'];
	return { id: 'hook-1', url: receiver.url, events, active: true, retryDelay: 0, ...more };
}

describe('webhooks of the observed form', () => {
	it('an update replaces all webhooks and accepts a list from a response', async () => {
		const path = `/sdk/robots/${DEMO.article}`;
		await api.put(path, { webhooks: [hook(), hook({ id: 'hook-2' })] });
		const { body } = await api.get(path);
		// The server stores what it receives, without defaults.
		expect(fieldsOf(body.data).webhooks).toEqual([hook(), hook({ id: 'hook-2' })]);
		const [, second] = z.array(z.unknown()).parse(fieldsOf(body.data).webhooks);
		const sentBack = await api.put(path, { webhooks: [second] });
		expect(sentBack.body.data).toMatchObject({ webhooks: [{ id: 'hook-2', url: receiver.url }] });
		expect((await hosted.get(`/robots/${DEMO.article}/webhooks`)).list).toHaveLength(1);
	});

	it('an event has local dates and at most three attempts', async () => {
		await api.put(`/sdk/robots/${DEMO.article}`, { webhooks: [hook()] });
		receiver.statuses.push(500, 503, 500);
		const run = await api.run(DEMO.article);
		await until('three deliveries', PATIENCE, () =>
			receiver.received.length === 3 ? true : undefined,
		);
		const [first, second, third] = receiver.received.map(({ body }) => body);
		expect(first).toMatchObject({
			event_type: 'run_completed',
			webhook_id: 'hook-1',
			data: {
				robot_id: DEMO.article,
				run_id: run.runId,
				status: 'success',
				started_at: LOCAL_DATE,
				finished_at: run.finishedAt,
				markdown: expect.stringContaining('#'),
				metadata: { user_id: 1, browser_id: expect.any(String) },
			},
		});
		expect([second, third]).toEqual([first, first]);
		await api.run(DEMO.article);
		await until('another delivery', PATIENCE, () =>
			receiver.received.length > 3 ? true : undefined,
		);
		expect(receiver.received).toHaveLength(4);
	});

	it('one failure sends two events in two shapes', async () => {
		await api.put(`/sdk/robots/${DEMO.failing}`, { webhooks: [hook()] });
		await api.post(`/robots/${DEMO.failing}/runs`);
		await until('two deliveries', PATIENCE, () =>
			receiver.received.length === 2 ? true : undefined,
		);
		const [brief, full] = receiver.received.map(({ body }) => body);
		expect(brief).toMatchObject({
			event_type: 'run_failed',
			data: { status: 'failed', finished_at: LOCAL_DATE, error: { type: 'ConversionError' } },
		});
		expect(brief?.data).not.toHaveProperty('metadata');
		expect(full).toMatchObject({
			event_type: 'run_failed',
			data: {
				run_id: fieldsOf(brief?.data).run_id,
				started_at: LOCAL_DATE,
				error: { type: 'Error', stack: expect.any(String) },
			},
		});
		expect(full?.timestamp).not.toBe(brief?.timestamp);
	});

	it('the settings choose the shape of deliveries', async () => {
		await sandbox.control.settings({ deliveryShape: 'camel' });
		await api.put(`/sdk/robots/${DEMO.article}`, { webhooks: [hook()] });
		const { runId } = await api.run(DEMO.article);
		const { body } = await until('a delivery', PATIENCE, () => receiver.received[0]);
		expect(body.data).toMatchObject({ runId, finishedAt: LOCAL_DATE });
		await sandbox.control.settings({ deliveryShape: 'snake' });
	});

	it('aborted runs and paused webhooks have no deliveries', async () => {
		const webhooks = [hook({ active: undefined })];
		await api.put(`/sdk/robots/${DEMO.article}`, { webhooks });
		await api.run(DEMO.article);
		await api.put(`/sdk/robots/${DEMO.slow}`, { webhooks: [hook()] });
		const started = api.post(`/robots/${DEMO.slow}/runs`);
		const { runId } = await until('the run', PATIENCE, async () => (await api.runs(DEMO.slow))[0]);
		await api.post(`/sdk/robots/${DEMO.slow}/runs/${String(runId)}/abort`);
		await started;
		// The delivery of a later run proves that none is pending.
		await api.put(`/sdk/robots/${DEMO.article}`, { webhooks: [hook()] });
		const last = await api.run(DEMO.article);
		await until('a delivery', PATIENCE, () => receiver.received[0]);
		expect(receiver.received.map(({ body }) => fieldsOf(body.data).run_id)).toEqual([last.runId]);
	});

	it.each([
		['abc'],
		[[{ url: 'ftp://a', events: [] }]],
		[[{ url: 'http://a.test' }]],
		[[{ id: '1', url: 'http://a.test', events: ['nothing'], active: 'yes', retryAttempts: -1 }]],
	])('the server stores any webhooks, even %j', async (webhooks) => {
		const answer = await api.put(`/sdk/robots/${DEMO.article}`, { webhooks });
		expect([answer.status, fieldsOf(answer.body.data).webhooks]).toEqual([200, webhooks]);
		await api.put(`/sdk/robots/${DEMO.article}`, { webhooks: null });
		expect((await api.get(`/sdk/robots/${DEMO.article}`)).data.webhooks).toBeNull();
	});

	it('a recorded robot has rows in the deliveries of scheduled runs only', async () => {
		await api.put(`/sdk/robots/${DEMO.products}`, { webhooks: [hook()] });
		await api.run(DEMO.products);
		const byApi = await until('a delivery', PATIENCE, () => receiver.received[0]);
		expect(fieldsOf(byApi.body.data).extracted_data).toMatchObject({ captured_lists: {} });
		const [scheduled = ''] = await sandbox.control.runs({
			robotId: DEMO.products,
			run: { source: 'schedule', data: { ...emptyData(), listData: [{ Product: 'Desk' }] } },
		});
		await sandbox.control.repeatDeliveries(scheduled);
		const bySchedule = await until('another delivery', PATIENCE, () => receiver.received[1]);
		const { captured_lists: lists } = fieldsOf(fieldsOf(bySchedule.body.data).extracted_data);
		expect(lists).toEqual({ Products: [{ Product: 'Desk' }] });
		await api.put(`/sdk/robots/${DEMO.products}`, { webhooks: null });
	});

	it('a delivery can undo a change of the webhooks', async () => {
		await sandbox.control.settings({ selfHostedWriteBackSeconds: 0.5 });
		const path = `/sdk/robots/${DEMO.article}`;
		await api.put(path, { webhooks: [hook()] });
		await api.run(DEMO.article);
		await until('a delivery', PATIENCE, () => receiver.received[0]);
		await api.put(path, { webhooks: [] });
		const [restored] = await until('the old webhooks', PATIENCE, async () => {
			const webhooks = await api.webhooks(DEMO.article);
			return webhooks.length > 0 ? webhooks : undefined;
		});
		expect(restored).toMatchObject({ id: 'hook-1', lastCalledAt: expect.any(String) });
		await sandbox.control.settings({ selfHostedWriteBackSeconds: 0 });
	});
});

describe('deliveries of the documented form', () => {
	it('a failure sends one event', async () => {
		await sandbox.control.settings({ selfHostedForm: 'documented' });
		await hosted.post(`/robots/${DEMO.failing}/webhooks`, { url: receiver.url });
		const { runId } = await api.run(DEMO.failing);
		await sandbox.control.repeatDeliveries(String(runId));
		await until('two deliveries', PATIENCE, () =>
			receiver.received.length === 2 ? true : undefined,
		);
		const [first, repeated] = receiver.received.map(({ body }) => body);
		expect(repeated).toEqual(first);
		expect(first?.data).toMatchObject({ finished_at: expect.stringMatching(/Z$/) });
	});
});

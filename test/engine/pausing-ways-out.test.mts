import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WaitingOptions } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { usePausing } from './support/pausing.mts';
import { PATIENCE } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
const paused = usePausing(sandbox);
const { startHost, finishRuns } = paused;

describe('no pause', () => {
	beforeEach(async () => await sandbox.control.settings({ runSeconds: 3 }));

	const staysRunning = async (parameters: INodeParameters, options: Partial<WaitingOptions>) => {
		await startHost(parameters, options);
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		const ended = await paused.host.reaches(execution, ['success', 'error', 'waiting']);
		expect(ended.status).toBe('success');
		expect(ended.lives).toBe(1);
		expect((await sandbox.lines()).filter((line) => line.includes('webhooks'))).toEqual([]);
		return paused.host.hints(execution);
	};

	it('an execution without a URL that the service can reach keeps running', async () => {
		const hints = await staysRunning({}, { origin: 'ftp://n8n.example' });
		expect(hints).toEqual([expect.stringMatching(/Maxun cannot reach n8n: .*ftp/)]);
	});

	it('an execution in the legacy order keeps running', async () => {
		const hints = await staysRunning({}, { settings: { executionOrder: 'v0' } });
		expect(hints).toEqual([expect.stringMatching(/legacy execution order/)]);
	});

	it('an execution with pausing switched off keeps running', async () => {
		const hints = await staysRunning({ options: { pauseAfter: 0 } }, {});
		expect(hints).toEqual([]);
	});

	it('an execution with too little time left keeps running', async () => {
		expect(await staysRunning({ options: { pauseAfter: 1, waitFor: 1 } }, {})).toEqual([]);
	});

	it('an execution keeps running if a robot has no free webhook', async () => {
		await startHost();
		const [full, free] = [await newRobot(sandbox), await newRobot(sandbox)];
		for (let index = 0; index < 10; index++) {
			const body = { url: `http://127.0.0.1:9/${index}` };
			await sandbox.owner.post(`/robots/${full}/webhooks`, body);
		}
		const execution = paused.host.start([{ robotId: full }, { robotId: free }]);
		const { status, lives } = await paused.host.reaches(execution, ['success', 'error', 'waiting']);
		expect({ status, lives }).toEqual({ status: 'success', lives: 1 });
		expect(paused.host.hints(execution)).toEqual([
			expect.stringMatching(/already has the maximum of 10 webhooks/),
		]);
		expect(await sandbox.owner.webhooks(full)).toHaveLength(10);
		expect(await sandbox.owner.webhooks(free)).toEqual([]);
	});

	it('an execution keeps running if its webhooks are refused', async () => {
		await sandbox.control.fault({ kind: 'status', status: 403, method: 'POST', path: 'webhooks' });
		await startHost();
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		const { status } = await paused.host.reaches(execution, ['success', 'error', 'waiting']);
		expect(status).toBe('success');
		expect(paused.host.hints(execution)).toHaveLength(1);
	});
});

const post = async (url: string, body: unknown) =>
	(
		await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		})
	).status;

describe('calls', () => {
	it('deliveries of other runs, strangers and tests do not resume an execution', async () => {
		await startHost();
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		await paused.host.reaches(execution, ['waiting']);
		const [webhook] = await sandbox.owner.webhooks(robotId);
		const url = String(webhook?.url);
		expect(await post(url, { event_type: 'webhook_test' })).toBe(200);
		expect(await post(url, { data: { run_id: 'another' } })).toBe(200);
		expect(await post(url, ['garbage'])).toBe(503);
		const [runId] = await sandbox.owner.activeRuns();
		expect(await post(url, { data: { run_id: runId } })).toBe(503);
		expect(await post(url.replace(/signature=.*/, 'signature=x'), {})).toBe(401);
		expect(paused.host.of(execution)).toMatchObject({ status: 'waiting', lives: 1 });
		await sandbox.control.fault({ kind: 'status', status: 500, path: '^/runs/active', times: 1 });
		expect(await post(url, { data: { run_id: runId } })).toBe(503);
		await finishRuns();
		await paused.host.reaches(execution, ['success']);
	});

	it.each([
		['no ID', {}],
		['an ID in an unknown field', { run: { number: 7 } }],
		['a recent time', { timestamp: new Date().toISOString() }],
	])('a delivery with %s is sent again until its run is no longer listed', async (_, fields) => {
		await startHost();
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		await paused.host.reaches(execution, ['waiting']);
		const [webhook] = await sandbox.owner.webhooks(robotId);
		const url = String(webhook?.url);
		expect(await post(url, { event_type: 'run_completed', ...fields })).toBe(503);
		expect(paused.host.of(execution).lives).toBe(1);
		for (const id of await sandbox.owner.activeRuns()) {
			await sandbox.control.patchRun(id, { status: 'success' });
		}
		expect(await post(url, { event_type: 'run_completed', ...fields })).toBe(200);
		await paused.host.reaches(execution, ['success']);
	});

	it('deliveries that arrive at the same time share their requests', async () => {
		await startHost();
		const robots = await Promise.all(
			Array.from({ length: 12 }, async () => await newRobot(sandbox)),
		);
		const execution = paused.host.start(robots.map((robotId) => ({ robotId })));
		await paused.host.reaches(execution, ['waiting']);
		const [webhook] = await sandbox.owner.webhooks(robots[0] ?? '');
		const runIds = await sandbox.owner.activeRuns();
		await sandbox.control.clear();
		const slow = { kind: 'delay', path: '^/runs/active', milliseconds: 500, times: 100 } as const;
		await sandbox.control.fault({ ...slow, before: false });
		const deliveries = runIds.map(async (id) => await post(String(webhook?.url), { run_id: id }));
		expect(await Promise.all(deliveries)).toEqual(runIds.map(() => 503));
		const sent = await sandbox.sent();
		expect(Math.max(...sent.map(({ inProgress }) => inProgress))).toBe(1);
		expect(sent.length).toBeLessThan(5);
		await finishRuns();
		await paused.host.reaches(execution, ['success']);
	});

	it('a delivery is refused before Maxun stops waiting for the response', async () => {
		await startHost();
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		await paused.host.reaches(execution, ['waiting']);
		const [webhook] = await sandbox.owner.webhooks(robotId);
		const [runId] = await sandbox.owner.activeRuns();
		const path = '^/runs/active';
		await sandbox.control.fault({ kind: 'delay', path, milliseconds: 60_000, times: 100 });
		const sent = performance.now();
		expect(await post(String(webhook?.url), { data: { run_id: runId } })).toBe(503);
		expect(performance.now() - sent).toBeLessThan(30_000);
		await sandbox.control.clearFaults();
		await finishRuns();
		await paused.host.reaches(execution, ['success']);
	}, 90_000);

	it('an old delivery without an ID is not sent again', async () => {
		await startHost();
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		await paused.host.reaches(execution, ['waiting']);
		const [webhook] = await sandbox.owner.webhooks(robotId);
		const timestamp = new Date(Date.now() - 5 * 60_000).toISOString();
		expect(await post(String(webhook?.url), { event_type: 'run_completed', timestamp })).toBe(200);
		expect(paused.host.of(execution)).toMatchObject({ status: 'waiting', lives: 1 });
		await finishRuns();
		await paused.host.reaches(execution, ['success']);
	});

	it.each(['', 'of-the-wait-node'])(
		"a late delivery does not resume a later Wait node, with the suffix '%s'",
		async (suffix) => {
			const wait = { type: 'n8n-nodes-base.wait', name: 'Later', parameters: { suffix } };
			await startHost({}, { behind: [wait] });
			const robotId = await newRobot(sandbox);
			const execution = paused.host.start([{ robotId }]);
			await paused.host.reaches(execution, ['waiting']);
			const [webhook] = await sandbox.owner.webhooks(robotId);
			const url = String(webhook?.url);
			const runIds = await sandbox.owner.activeRuns();
			await finishRuns();
			await expect.poll(() => paused.host.of(execution).lives, { timeout: PATIENCE }).toBe(2);
			await paused.host.reaches(execution, ['waiting']);
			expect(await post(url, { data: { run_id: runIds[0] } })).toBe(404);
			expect(await post(url, {})).toBe(404);
			expect(paused.host.of(execution)).toMatchObject({ status: 'waiting', lives: 2 });
			const own = new URL(url);
			own.pathname = `/webhook-waiting/${execution}${suffix && '/'}${suffix}`;
			expect(await post(own.href, { ready: true })).toBe(200);
			await paused.host.reaches(execution, ['success']);
			expect(paused.host.output(execution, 'Later')[0]?.[0]?.json).toEqual({ ready: true });
		},
	);

	it('a check of a webhook does not resume an execution that waits at another node', async () => {
		const wait = { type: 'n8n-nodes-base.wait', name: 'Later', parameters: {} };
		await startHost({}, { behind: [wait] });
		const robotId = await newRobot(sandbox);
		const first = paused.host.start([{ robotId }]);
		await paused.host.reaches(first, ['waiting']);
		// Its webhook can't be removed.
		const refused = { kind: 'status', status: 403, method: 'DELETE', path: 'webhooks' } as const;
		await sandbox.control.fault({ ...refused, times: 100 });
		await finishRuns();
		await expect.poll(() => paused.host.of(first).lives, { timeout: PATIENCE }).toBe(2);
		await paused.host.reaches(first, ['waiting']);
		const second = paused.host.start([{ robotId }]);
		await paused.host.reaches(second, ['waiting']);
		expect(paused.host.answers.at(-1)).toBe(404);
		expect(paused.host.of(first)).toMatchObject({ status: 'waiting', lives: 2 });
	});

	it('a slow check does not resume an execution that has paused at another node meanwhile', async () => {
		const wait = { type: 'n8n-nodes-base.wait', name: 'Later', parameters: {} };
		await startHost({ options: { pauseAfter: 1, onFailure: 'return' } }, { behind: [wait] });
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		await paused.host.reaches(execution, ['waiting']);
		const [webhook] = await sandbox.owner.webhooks(robotId);
		const [runId = ''] = await sandbox.owner.activeRuns();
		await sandbox.control.abortRun(runId);
		const slow = { kind: 'delay', path: '^/runs/active', milliseconds: 3000, times: 1 } as const;
		await sandbox.control.fault(slow);
		const delivering = post(String(webhook?.url), { data: { run_id: runId } });
		await sleep(500);
		await paused.passTime(execution);
		await expect.poll(() => paused.host.of(execution).lives, { timeout: PATIENCE }).toBe(2);
		await paused.host.reaches(execution, ['waiting']);
		expect(await delivering).toBe(503);
		expect(paused.host.of(execution)).toMatchObject({ status: 'waiting', lives: 2 });
	});

	it('an execution with several deliveries resumes once', async () => {
		await sandbox.control.settings({ deliveryCopies: 3 });
		await startHost();
		const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
		await paused.host.reaches(execution, ['waiting']);
		await finishRuns();
		await paused.host.reaches(execution, ['success']);
		await sleep(300);
		expect(paused.host.of(execution).lives).toBe(2);
		await sandbox.control.settings({ deliveryCopies: 1 });
	});
});

describe('cancelled in n8n', () => {
	it('an execution cancelled before it pauses removes its webhook', async () => {
		// The last poll before the pause is slow.
		const slow = { kind: 'delay', path: '^/runs/active', milliseconds: 1000, times: 100 } as const;
		await sandbox.control.fault({ ...slow, before: false });
		await startHost();
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		await expect
			.poll(async () => await sandbox.owner.webhooks(robotId), { timeout: PATIENCE })
			.toHaveLength(1);
		paused.host.cancel(execution);
		await expect
			.poll(async () => await sandbox.owner.webhooks(robotId), { timeout: PATIENCE })
			.toEqual([]);
		expect(paused.host.of(execution).status).toBe('canceled');
	});

	it('an execution cancelled while it registers its webhook removes it', async () => {
		const slow = { kind: 'delay', method: 'POST', path: 'webhooks', milliseconds: 2000 } as const;
		await sandbox.control.fault({ ...slow, before: false });
		await startHost();
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		const count = async (method: string) =>
			await sandbox.count(new RegExp(`^${method} /robots/${robotId}/webhooks`));
		await expect.poll(async () => await count('GET'), { timeout: PATIENCE }).toBe(1);
		await sleep(500);
		paused.host.cancel(execution);
		await expect.poll(async () => await count('DELETE'), { timeout: PATIENCE }).toBe(1);
		expect(await count('POST')).toBe(1);
		expect(await sandbox.owner.webhooks(robotId)).toEqual([]);
	});

	it('an execution cancelled while the rate limit delays its webhook registers none', async () => {
		const headers = { 'retry-after': '2' };
		const fault = {
			kind: 'status',
			status: 429,
			method: 'POST',
			path: 'webhooks',
			headers,
		} as const;
		await sandbox.control.fault(fault);
		await startHost();
		const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
		const created = async () => await sandbox.count(/^POST .*webhooks/);
		await expect.poll(created, { timeout: PATIENCE }).toBe(1);
		paused.host.cancel(execution);
		await sleep(3000);
		expect(await created()).toBe(1);
	});

	it('the next execution removes the webhook of one that was cancelled while paused', async () => {
		await startHost();
		const robotId = await newRobot(sandbox);
		const first = paused.host.start([{ robotId }]);
		await paused.host.reaches(first, ['waiting']);
		paused.host.cancel(first);
		expect(await sandbox.owner.webhooks(robotId)).toHaveLength(1);
		const second = paused.host.start([{ robotId }]);
		await paused.host.reaches(second, ['waiting']);
		const webhooks = await sandbox.owner.webhooks(robotId);
		expect(webhooks.map(({ url }) => String(url).split('?')[0])).toEqual([
			`${paused.host.origin}/webhook-waiting/${second}/maxun-run-ended`,
		]);
		await finishRuns();
		await paused.host.reaches(second, ['success']);
		expect(await sandbox.owner.webhooks(robotId)).toEqual([]);
	});
});

it('a webhook of an unrelated execution is neither called nor removed', async () => {
	await startHost();
	const robotId = await newRobot(sandbox);
	const url = `${paused.host.origin}/webhook-waiting/77?signature=of-a-wait-node&maxun=wait`;
	await sandbox.owner.post(`/robots/${robotId}/webhooks`, { url });
	const execution = paused.host.start([{ robotId }]);
	await paused.host.reaches(execution, ['waiting']);
	expect(paused.host.answers).toEqual([]);
	expect(await sandbox.owner.webhooks(robotId)).toHaveLength(2);
	await finishRuns();
	await paused.host.reaches(execution, ['success']);
	expect((await sandbox.owner.webhooks(robotId)).map((webhook) => webhook.url)).toEqual([url]);
});

describe('crashed after it resumed', () => {
	it.each([
		['stays for the time being', 0, 2],
		[
			'is removed by the next execution that waits for the robot, when it is overdue',
			20 * 60_000,
			1,
		],
	])('the webhook of an execution that crashed after a pause %s', async (_, milliseconds, left) => {
		await startHost();
		const robotId = await newRobot(sandbox);
		const first = paused.host.start([{ robotId }]);
		await paused.host.reaches(first, ['waiting']);
		paused.host.expire(first, milliseconds);
		paused.host.crash(first);
		const second = paused.host.start([{ robotId }]);
		await paused.host.reaches(second, ['waiting']);
		const webhooks = await sandbox.owner.webhooks(robotId);
		expect(webhooks).toHaveLength(left);
		expect(webhooks.at(-1)?.url).toContain(`/webhook-waiting/${second}/`);
		await finishRuns();
		await paused.host.reaches(second, ['success']);
	});
});

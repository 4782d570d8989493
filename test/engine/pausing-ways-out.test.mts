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

	it('an execution without a URL that the service reaches keeps running', async () => {
		const hints = await staysRunning({}, { origin: 'ftp://n8n.example' });
		expect(hints).toEqual([expect.stringMatching(/Maxun cannot reach n8n: .*ftp/)]);
	});

	it('an execution whose caller waits for the last node keeps running', async () => {
		const hints = await staysRunning(
			{},
			{ mode: 'webhook', startParameters: { responseMode: 'lastNode' } },
		);
		expect(hints).toEqual([expect.stringMatching(/a caller waits/)]);
	});

	it('a manual execution keeps running', async () => {
		const hints = await staysRunning({}, { mode: 'manual' });
		expect(hints).toEqual([expect.stringMatching(/started manually/)]);
	});

	it('a sub-workflow keeps polling, because n8n would resume its parent too early', async () => {
		const hints = await staysRunning({}, { mode: 'integrated' });
		expect(hints).toEqual([expect.stringMatching(/it is a sub-workflow/)]);
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

describe('calls', () => {
	it('deliveries of other runs, strangers and tests do not resume an execution', async () => {
		await startHost();
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		await paused.host.reaches(execution, ['waiting']);
		const [webhook] = await sandbox.owner.webhooks(robotId);
		const url = String(webhook?.url);
		const post = async (address: string, body: unknown) =>
			(
				await fetch(address, {
					method: 'POST',
					headers: { 'content-type': 'application/json' },
					body: JSON.stringify(body),
				})
			).status;
		expect(await post(url, { event_type: 'webhook_test' })).toBe(200);
		expect(await post(url, { data: { run_id: 'another' } })).toBe(200);
		expect(await post(url, ['garbage'])).toBe(200);
		const [runId] = await sandbox.owner.activeRuns();
		expect(await post(url, { data: { run_id: runId } })).toBe(503);
		expect(await post(url.replace(/signature=.*/, 'signature=x'), {})).toBe(401);
		expect(paused.host.of(execution)).toMatchObject({ status: 'waiting', lives: 1 });
		await sandbox.control.fault({ kind: 'status', status: 500, path: '^/runs/active', times: 1 });
		expect(await post(url, { data: { run_id: runId } })).toBe(503);
		await finishRuns();
		await paused.host.reaches(execution, ['success']);
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
			`${paused.host.origin}/webhook-waiting/${second}`,
		]);
		await finishRuns();
		await paused.host.reaches(second, ['success']);
		expect(await sandbox.owner.webhooks(robotId)).toEqual([]);
	});
});

it('a webhook of an unrelated execution is neither called nor removed', async () => {
	await startHost();
	const robotId = await newRobot(sandbox);
	const url = `${paused.host.origin}/webhook-waiting/77?signature=of-a-wait-node`;
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
		expect(webhooks.at(-1)?.url).toContain(`/webhook-waiting/${second}?`);
		await finishRuns();
		await paused.host.reaches(second, ['success']);
	});
});

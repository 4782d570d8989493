import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, test } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import type { WaitingOptions } from './harness/index.mts';
import { pairedIndex } from './support/operations.mts';
import { maxun } from './support/parameters.mts';
import { useParking } from './support/parking.mts';
import { useSandbox } from './support/sandbox.mts';

const world = useSandbox();
const parked = useParking(world);
const { startHost, newRobot, sentLines, webhooksOf, activeRuns, passTime } = parked;

test('an execution waits in the database and goes on with the results of all runs in order', async () => {
	await startHost();
	const ids = [await newRobot(), await newRobot(), await newRobot()];
	const execution = parked.host.start(
		[...ids, ids[0]].map((robotId) => ({ robotId: robotId ?? '' })),
	);
	const { waitTill } = await parked.host.reaches(execution, ['waiting']);
	expect(Number(waitTill) - Date.now()).toBeGreaterThan(60_000);
	for (const id of ids) {
		const [webhook, ...others] = await webhooksOf(id);
		expect(others).toEqual([]);
		expect(webhook).toMatchObject({
			retryAttempts: 10,
			url: expect.stringContaining(parked.host.origin),
		});
	}
	await parked.host.reaches(execution, ['success', 'error']);
	const [items] = parked.host.output(execution);
	expect(items?.map(({ json }) => json.robotId)).toEqual([...ids, ids[0]]);
	expect(items?.map(pairedIndex)).toEqual([0, 1, 2, 3]);
	expect(items?.every(({ json }) => json.status === 'success')).toBe(true);
	expect(parked.host.output(execution, 'After')[0]).toHaveLength(4);
	expect(await sentLines()).toEqual(
		expect.arrayContaining(
			ids.map((id) => expect.stringContaining(`DELETE /robots/${id}/webhooks/`)),
		),
	);
	for (const id of ids) expect(await webhooksOf(id)).toEqual([]);
	expect((await sentLines()).filter((line) => /^POST .*\/runs$/.test(line))).toHaveLength(4);
	expect(parked.host.of(execution).lives).toBe(2);
});

test('nothing is asked while it waits', async () => {
	await world.control.settings({ runSeconds: 4 });
	await startHost();
	const execution = parked.host.start([{ robotId: await newRobot() }]);
	await parked.host.reaches(execution, ['waiting']);
	const before = (await world.sent()).length;
	await sleep(1500);
	expect((await world.sent()).length).toBe(before);
	await parked.host.reaches(execution, ['success']);
});

test('a run that ends before n8n has stored the wait is not lost', async () => {
	await startHost();
	parked.host.beforeStoring = async () => {
		parked.host.beforeStoring = async () => {};
		await sleep(2500);
	};
	const execution = parked.host.start([{ robotId: await newRobot() }]);
	await parked.host.reaches(execution, ['waiting']);
	expect(parked.host.answers).toEqual([409]);
	expect(await activeRuns()).toEqual([]);
	await parked.host.reaches(execution, ['success'], 15_000);
	expect(parked.host.output(execution)[0]?.[0]?.json).toMatchObject({ status: 'success' });
}, 30_000);

describe('a robot that was made for one run', () => {
	const scrape = async () => {
		await startHost(
			maxun('web', 'scrape', {
				url: `${world.sandbox.siteUrl}/products`,
				formats: ['markdown'],
				options: { parkAfter: 1 },
			}),
		);
		const before = await robotCount();
		const execution = parked.host.start([{}]);
		await parked.host.reaches(execution, ['waiting']);
		expect(await robotCount()).toBe(before + 1);
		return { execution, before };
	};
	const robotCount = async () => {
		const { body } = await world.ask('/robots?limit=100');
		return Array.isArray(body.data) ? body.data.length : 0;
	};

	test('is deleted after the wait', async () => {
		const { execution, before } = await scrape();
		await parked.host.reaches(execution, ['success']);
		expect(parked.host.output(execution)[0]).toHaveLength(1);
		expect(await robotCount()).toBe(before);
	});

	test('is deleted when the time is up', async () => {
		await world.control.settings({ runSeconds: 600 });
		const { execution, before } = await scrape();
		parked.host.expire(execution, 3_600_000);
		parked.host.wakeByTime(execution);
		const { run } = await parked.host.reaches(execution, ['success', 'error']);
		expect(run?.data.resultData.error?.message).toMatch(/is not over after/);
		expect(await robotCount()).toBe(before);
	});
});

describe('an end that was not hoped for', () => {
	test('a run that fails ends the node, as it would have without a wait', async () => {
		await startHost();
		const execution = parked.host.start([{ robotId: DEMO.failing }]);
		await parked.host.reaches(execution, ['waiting']);
		const { run } = await parked.host.reaches(execution, ['success', 'error']);
		expect(run?.data.resultData.error?.message).toMatch(/ended as failed/);
		expect(parked.host.output(execution, 'After')).toEqual([]);
		expect(await webhooksOf(DEMO.failing)).toEqual([]);
	});

	test('reaches the error output with its input', async () => {
		await startHost({}, { node: { onError: 'continueErrorOutput' } });
		const good = await newRobot();
		const inputs = [DEMO.failing, good].map((robotId, position) => ({ robotId, position }));
		const execution = parked.host.start(inputs);
		await parked.host.reaches(execution, ['waiting']);
		await parked.host.reaches(execution, ['success', 'error']);
		const [items, errors] = parked.host.output(execution);
		expect(items?.map(pairedIndex)).toEqual([1]);
		expect(errors?.map(({ json }) => json)).toEqual([
			{
				...inputs[0],
				error: expect.stringMatching(/ended as failed/),
				details: expect.any(String),
			},
		]);
		expect(parked.host.output(execution, 'Errors')[0]).toHaveLength(1);
	});

	test('a run that is cancelled on the service is noticed at the next look', async () => {
		await world.control.settings({ runSeconds: 60 });
		await startHost();
		const robotId = await newRobot();
		const execution = parked.host.start([{ robotId }]);
		const { waitTill } = await parked.host.reaches(execution, ['waiting']);
		expect(Number(waitTill) - Date.now()).toBeLessThanOrEqual(5 * 60_000);
		for (const id of await activeRuns()) await world.control.abortRun(id);
		await passTime(execution);
		const { run } = await parked.host.reaches(execution, ['success', 'error']);
		expect(run?.data.resultData.error?.message).toMatch(/aborted/);
		expect(await webhooksOf(robotId)).toEqual([]);
	});

	test('a robot that is deleted meanwhile', async () => {
		await world.control.settings({ runSeconds: 60 });
		await startHost();
		const robotId = await newRobot();
		const execution = parked.host.start([{ robotId }]);
		await parked.host.reaches(execution, ['waiting']);
		for (const id of await activeRuns()) {
			await world.control.abortRun(id);
			await world.ask(`/runs/${id}`, { method: 'DELETE' });
		}
		const { status } = await world.ask(`/robots/${robotId}`, { method: 'DELETE' });
		expect(status).toBe(200);
		await passTime(execution);
		const { run } = await parked.host.reaches(execution, ['success', 'error']);
		expect(run?.data.resultData.error?.message).toMatch(/did not find run/);
	});
});

describe('a look', () => {
	test('at runs that go on ends in another wait, with one trace in the log', async () => {
		await world.control.settings({ runSeconds: 5 });
		await startHost();
		const robotId = await newRobot();
		const execution = parked.host.start([{ robotId }]);
		await parked.host.reaches(execution, ['waiting']);
		for (let look = 0; look < 3; look++) {
			await world.control.clear();
			await passTime(execution);
			await parked.host.reaches(execution, ['waiting']);
			const lines = await sentLines();
			expect(lines.filter((line) => line === 'GET /runs/active')).toHaveLength(2);
			expect(lines.filter((line) => line.startsWith('POST'))).toEqual([]);
			expect(await webhooksOf(robotId)).toHaveLength(1);
		}
		await parked.host.reaches(execution, ['success', 'error']);
		expect(parked.host.output(execution)[0]).toHaveLength(1);
		expect(parked.host.output(execution, 'After')[0]).toHaveLength(1);
	});
});

describe('the time limit', () => {
	const waitFor = 1.3; // 78 seconds
	const parameters = { waitFor, options: { parkAfter: 1 } };

	test.each(['error', 'return'])('of a waiting execution: %s', async (onTimeout) => {
		await world.control.settings({ runSeconds: 60 });
		await startHost({ ...parameters, onTimeout });
		const [slow, quick] = [await newRobot(), DEMO.article];
		const execution = parked.host.start([{ robotId: slow }, { robotId: quick }]);
		const { waitTill } = await parked.host.reaches(execution, ['waiting']);
		expect(Number(waitTill) - Date.now()).toBeLessThanOrEqual(78_000);
		parked.host.expire(execution, 78_000);
		parked.host.wakeByTime(execution);
		const { run } = await parked.host.reaches(execution, ['success', 'error']);
		expect(await webhooksOf(slow)).toEqual([]);
		const { error } = run?.data.resultData ?? {};
		if (onTimeout === 'error') expect(error?.message).toMatch(/is not over after .*running/);
		else {
			expect(parked.host.output(execution)[0]?.map(({ json }) => json)).toEqual([
				expect.objectContaining({ robotId: slow, timedOut: true }),
				expect.objectContaining({ robotId: quick, timedOut: true }),
			]);
		}
		for (const id of await activeRuns()) await world.control.abortRun(id);
	});
});

describe('ways out', () => {
	const staysRunning = async (parameters: INodeParameters, options: Partial<WaitingOptions>) => {
		await startHost(parameters, options);
		const robotId = await newRobot();
		const execution = parked.host.start([{ robotId }]);
		const ended = await parked.host.reaches(execution, ['success', 'error', 'waiting']);
		expect(ended.status).toBe('success');
		expect(ended.lives).toBe(1);
		expect((await sentLines()).filter((line) => line.includes('webhooks'))).toEqual([]);
		return parked.host.hints(execution);
	};

	test('no address that the service reaches', async () => {
		const hints = await staysRunning({}, { origin: 'ftp://n8n.example' });
		expect(hints).toEqual([expect.stringMatching(/Maxun cannot reach it: .*ftp/)]);
	});

	test('a caller that waits for the answer of the last node', async () => {
		const hints = await staysRunning(
			{},
			{ mode: 'webhook', startParameters: { responseMode: 'lastNode' } },
		);
		expect(hints).toEqual([expect.stringMatching(/a caller waits/)]);
	});

	test('an execution by hand', async () => {
		const hints = await staysRunning({}, { mode: 'manual' });
		expect(hints).toEqual([expect.stringMatching(/started by hand/)]);
	});

	test('a sub-workflow, whose parent n8n would resume when the first one of several ends', async () => {
		const hints = await staysRunning({}, { mode: 'integrated' });
		expect(hints).toEqual([expect.stringMatching(/it is a sub-workflow/)]);
	});

	test('the legacy execution order', async () => {
		const hints = await staysRunning({}, { settings: { executionOrder: 'v0' } });
		expect(hints).toEqual([expect.stringMatching(/legacy execution order/)]);
	});

	test('switched off', async () => {
		const hints = await staysRunning({ options: { parkAfter: 0 } }, {});
		expect(hints).toEqual([]);
	});

	test('too little time left for n8n', async () => {
		expect(await staysRunning({ waitFor: 1 }, {})).toEqual([]);
	});

	test('no free webhook', async () => {
		await startHost();
		const [full, free] = [await newRobot(), await newRobot()];
		for (let index = 0; index < 10; index++) {
			const body = { url: `http://127.0.0.1:9/${index}` };
			await world.ask(`/robots/${full}/webhooks`, { method: 'POST', body });
		}
		const execution = parked.host.start([{ robotId: full }, { robotId: free }]);
		const { status, lives } = await parked.host.reaches(execution, ['success', 'error', 'waiting']);
		expect({ status, lives }).toEqual({ status: 'success', lives: 1 });
		expect(parked.host.hints(execution)).toEqual([expect.stringMatching(/webhooks are in use/)]);
		expect(await webhooksOf(full)).toHaveLength(10);
		expect(await webhooksOf(free)).toEqual([]);
	});

	test('webhooks refused', async () => {
		await world.control.fault({ kind: 'status', status: 403, method: 'POST', path: 'webhooks' });
		await startHost();
		const robotId = await newRobot();
		const execution = parked.host.start([{ robotId }]);
		const { status } = await parked.host.reaches(execution, ['success', 'error', 'waiting']);
		expect(status).toBe('success');
		expect(parked.host.hints(execution)).toHaveLength(1);
	});
});

describe('calls', () => {
	const post = async (address: string, body: unknown) =>
		(
			await fetch(address, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			})
		).status;

	test('of other runs, of strangers and of tests wake nobody', async () => {
		await world.control.settings({ runSeconds: 6 });
		await startHost();
		const robotId = await newRobot();
		const execution = parked.host.start([{ robotId }]);
		await parked.host.reaches(execution, ['waiting']);
		const [webhook] = await webhooksOf(robotId);
		const url = String(webhook?.url);
		expect(await post(url, { event_type: 'webhook_test' })).toBe(200);
		expect(await post(url, { data: { run_id: 'another' } })).toBe(200);
		expect(await post(url, ['garbage'])).toBe(200);
		const [runId] = await activeRuns();
		expect(await post(url, { data: { run_id: runId } })).toBe(503);
		expect(await post(url.replace(/signature=.*/, 'signature=x'), {})).toBe(401);
		expect(parked.host.of(execution)).toMatchObject({ status: 'waiting', lives: 1 });
		await world.control.fault({ kind: 'status', status: 500, path: '^/runs/active', times: 1 });
		expect(await post(url, { data: { run_id: runId } })).toBe(503);
		await parked.host.reaches(execution, ['success']);
	});

	test('that end one wait after the other leave one entry in the log, with the whole output', async () => {
		await world.control.settings({ runSeconds: 60 });
		await startHost();
		const inputs = [{ robotId: await newRobot() }, { robotId: await newRobot() }];
		const execution = parked.host.start(inputs);
		for (let life = 1; life <= 2; life++) {
			await parked.host.reaches(execution, ['waiting']);
			expect(parked.host.of(execution).lives).toBe(life);
			const [webhook] = await webhooksOf(inputs[0]?.robotId ?? '');
			// The service is mistaken about the runs that go on.
			const body = { success: true, data: [] };
			await world.control.fault({ kind: 'body', body, path: '^/runs/active', times: 1 });
			await post(String(webhook?.url), { data: {} });
		}
		await parked.host.reaches(execution, ['waiting']);
		for (const id of await activeRuns()) await world.control.patchRun(id, { status: 'success' });
		const [webhook] = await webhooksOf(inputs[0]?.robotId ?? '');
		await post(String(webhook?.url), { data: {} });
		const { run, lives } = await parked.host.reaches(execution, ['success', 'error']);
		expect(lives).toBe(4);
		const entries = run?.data.resultData.runData.Maxun ?? [];
		expect(entries.map(({ data }) => data?.main[0]?.map(({ json }) => json.robotId))).toEqual([
			inputs.map(({ robotId }) => robotId),
		]);
		expect(parked.host.output(execution, 'After')[0]).toHaveLength(2);
	});

	test('that come several times go on once', async () => {
		await world.control.settings({ deliveryCopies: 3 });
		await startHost();
		const execution = parked.host.start([{ robotId: await newRobot() }]);
		await parked.host.reaches(execution, ['waiting']);
		await parked.host.reaches(execution, ['success']);
		await sleep(300);
		expect(parked.host.of(execution).lives).toBe(2);
		await world.control.settings({ deliveryCopies: 1 });
	});
});

describe('cancelled in n8n', () => {
	test('before it waits: its webhook is removed', async () => {
		// The last look before the wait takes its time.
		const slow = { kind: 'delay', path: '^/runs/active', milliseconds: 1000, times: 100 } as const;
		await world.control.fault({ ...slow, before: false });
		await startHost();
		const robotId = await newRobot();
		const execution = parked.host.start([{ robotId }]);
		await expect.poll(async () => await webhooksOf(robotId), { timeout: 10_000 }).toHaveLength(1);
		parked.host.cancel(execution);
		await expect.poll(async () => await webhooksOf(robotId), { timeout: 10_000 }).toEqual([]);
		expect(parked.host.of(execution).status).toBe('canceled');
	});

	test('while it waits: its webhook is removed by the next execution that waits for the robot', async () => {
		await world.control.settings({ runSeconds: 5 });
		await startHost();
		const robotId = await newRobot();
		const first = parked.host.start([{ robotId }]);
		await parked.host.reaches(first, ['waiting']);
		parked.host.cancel(first);
		expect(await webhooksOf(robotId)).toHaveLength(1);
		const second = parked.host.start([{ robotId }]);
		await parked.host.reaches(second, ['waiting']);
		const webhooks = await webhooksOf(robotId);
		expect(webhooks.map(({ url }) => String(url).split('?')[0])).toEqual([
			`${parked.host.origin}/webhook-waiting/${second}`,
		]);
		await parked.host.reaches(second, ['success']);
		expect(await webhooksOf(robotId)).toEqual([]);
	});
});

test('a webhook of somebody else that goes to a waiting execution is neither called nor removed', async () => {
	await startHost();
	const robotId = await newRobot();
	const url = `${parked.host.origin}/webhook-waiting/77?signature=of-a-wait-node`;
	await world.ask(`/robots/${robotId}/webhooks`, { method: 'POST', body: { url } });
	const execution = parked.host.start([{ robotId }]);
	await parked.host.reaches(execution, ['waiting']);
	expect(parked.host.answers).toEqual([]);
	expect(await webhooksOf(robotId)).toHaveLength(2);
	await parked.host.reaches(execution, ['success']);
	expect((await webhooksOf(robotId)).map((webhook) => webhook.url)).toEqual([url]);
});

describe('crashed when it had gone on', () => {
	test.each([
		['stays for the time being', 0, 2],
		[
			'is removed by the next execution that waits for the robot, when it is overdue',
			20 * 60_000,
			1,
		],
	])('its webhook %s', async (_, milliseconds, left) => {
		await world.control.settings({ runSeconds: 5 });
		await startHost();
		const robotId = await newRobot();
		const first = parked.host.start([{ robotId }]);
		await parked.host.reaches(first, ['waiting']);
		parked.host.expire(first, milliseconds);
		parked.host.crash(first);
		const second = parked.host.start([{ robotId }]);
		await parked.host.reaches(second, ['waiting']);
		const webhooks = await webhooksOf(robotId);
		expect(webhooks).toHaveLength(left);
		expect(webhooks.at(-1)?.url).toContain(`/webhook-waiting/${second}?`);
		await parked.host.reaches(second, ['success']);
	});
});

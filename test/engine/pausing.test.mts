import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { pairedIndex } from './support/operations.mts';
import { maxun } from '../helpers/parameters.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { usePausing } from './support/pausing.mts';
import { PATIENCE, until } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';

const sandbox = useSandbox();
const paused = usePausing(sandbox);
const { startHost, passTime, finishRuns } = paused;

it('an execution pauses and resumes with the results of all runs in order', async () => {
	await startHost();
	const ids = [await newRobot(sandbox), await newRobot(sandbox), await newRobot(sandbox)];
	const execution = paused.host.start(
		[...ids, ids[0]].map((robotId) => ({ robotId: robotId ?? '' })),
	);
	const { waitTill } = await paused.host.reaches(execution, ['waiting']);
	expect(Number(waitTill) - Date.now()).toBeGreaterThan(60_000);
	for (const id of ids) {
		const [webhook, ...others] = await sandbox.owner.webhooks(id);
		expect(others).toEqual([]);
		expect(webhook).toMatchObject({
			retryAttempts: 10,
			url: expect.stringContaining(paused.host.origin),
		});
	}
	await finishRuns();
	await paused.host.reaches(execution, ['success', 'error']);
	const [items] = paused.host.output(execution);
	expect(items?.map(({ json }) => json.robotId)).toEqual([...ids, ids[0]]);
	expect(items?.map(pairedIndex)).toEqual([0, 1, 2, 3]);
	expect(items?.every(({ json }) => json.status === 'success')).toBe(true);
	expect(paused.host.output(execution, 'After')[0]).toHaveLength(4);
	expect(await sandbox.lines()).toEqual(
		expect.arrayContaining(
			ids.map((id) => expect.stringContaining(`DELETE /robots/${id}/webhooks/`)),
		),
	);
	for (const id of ids) expect(await sandbox.owner.webhooks(id)).toEqual([]);
	expect((await sandbox.lines()).filter((line) => /^POST .*\/runs$/.test(line))).toHaveLength(4);
	expect(paused.host.of(execution).lives).toBe(2);
});

it('a paused execution sends no requests', async () => {
	await startHost();
	const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
	await paused.host.reaches(execution, ['waiting']);
	const before = (await sandbox.sent()).length;
	await sleep(1500);
	expect((await sandbox.sent()).length).toBe(before);
	await finishRuns();
	await paused.host.reaches(execution, ['success']);
});

it('a run that ends before n8n stores the pause is not lost', async () => {
	await startHost();
	paused.host.beforeStoring = async () => {
		paused.host.beforeStoring = async () => {};
		await finishRuns();
		await until('the call', PATIENCE, () => paused.host.answers[0]);
	};
	const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
	await paused.host.reaches(execution, ['waiting']);
	expect(paused.host.answers).toEqual([409]);
	expect(await sandbox.owner.activeRuns()).toEqual([]);
	await paused.host.reaches(execution, ['success']);
	expect(paused.host.output(execution)[0]?.[0]?.json).toMatchObject({ status: 'success' });
});

describe('a robot created for one run', () => {
	const scrape = async () => {
		await startHost(
			maxun('web', 'scrape', {
				url: `${sandbox.siteUrl}/products`,
				formats: ['markdown'],
				options: { pauseAfter: 1 },
			}),
		);
		const before = await robotCount();
		const execution = paused.host.start([{}]);
		await paused.host.reaches(execution, ['waiting']);
		expect(await robotCount()).toBe(before + 1);
		return { execution, before };
	};
	const robotCount = async () => {
		return (await sandbox.owner.get('/robots?limit=100')).list.length;
	};

	it('a robot created for one run is deleted after the wait', async () => {
		const { execution, before } = await scrape();
		await finishRuns();
		await paused.host.reaches(execution, ['success']);
		expect(paused.host.output(execution)[0]).toHaveLength(1);
		expect(await robotCount()).toBe(before);
	});

	it('a robot created for one run is deleted on timeout', async () => {
		const { execution, before } = await scrape();
		paused.host.expire(execution, 3_600_000);
		paused.host.resumeByTimer(execution);
		const { run } = await paused.host.reaches(execution, ['success', 'error']);
		expect(run?.data.resultData.error?.message).toMatch(/did not finish within/);
		expect(await robotCount()).toBe(before);
	});
});

describe('a run that does not succeed', () => {
	it('a failed run fails the node as it does without a pause', async () => {
		await startHost();
		const execution = paused.host.start([{ robotId: DEMO.failing }]);
		await paused.host.reaches(execution, ['waiting']);
		await finishRuns();
		const { run } = await paused.host.reaches(execution, ['success', 'error']);
		expect(run?.data.resultData.error?.message).toMatch(/finished with status failed/);
		expect(paused.host.output(execution, 'After')).toEqual([]);
		expect(await sandbox.owner.webhooks(DEMO.failing)).toEqual([]);
	});

	it('a failed run reaches the error output with its input', async () => {
		await startHost({}, { node: { onError: 'continueErrorOutput' } });
		const good = await newRobot(sandbox);
		const inputs = [DEMO.failing, good].map((robotId, position) => ({ robotId, position }));
		const execution = paused.host.start(inputs);
		await paused.host.reaches(execution, ['waiting']);
		await finishRuns();
		await paused.host.reaches(execution, ['success', 'error']);
		const [items, errors] = paused.host.output(execution);
		expect(items?.map(pairedIndex)).toEqual([1]);
		expect(errors?.map(({ json }) => json)).toEqual([
			{
				...inputs[0],
				error: expect.stringMatching(/finished with status failed/),
				message: expect.any(String),
			},
		]);
		expect(paused.host.output(execution, 'Errors')[0]).toHaveLength(1);
	});

	it('the next poll notices a run that was cancelled on the service', async () => {
		await startHost();
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		await paused.host.reaches(execution, ['waiting']);
		for (const id of await sandbox.owner.activeRuns()) await sandbox.control.abortRun(id);
		await passTime(execution);
		const { run } = await paused.host.reaches(execution, ['success', 'error']);
		expect(run?.data.resultData.error?.message).toMatch(/aborted/);
		expect(await sandbox.owner.webhooks(robotId)).toEqual([]);
	});

	it('a robot deleted meanwhile causes an error that names the run', async () => {
		await startHost();
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		await paused.host.reaches(execution, ['waiting']);
		for (const id of await sandbox.owner.activeRuns()) {
			await sandbox.control.abortRun(id);
			await sandbox.owner.delete(`/runs/${id}`);
		}
		const { status } = await sandbox.owner.delete(`/robots/${robotId}`);
		expect(status).toBe(200);
		await passTime(execution);
		const { run } = await paused.host.reaches(execution, ['success', 'error']);
		expect(run?.data.resultData.error?.message).toMatch(/could not find run/);
	});
});

describe('a poll', () => {
	it('follows soon after webhooks are registered, because a run may have ended before', async () => {
		await startHost();
		const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
		const pauses: number[] = [];
		for (let look = 0; look < 2; look++) {
			const { waitTill } = await paused.host.reaches(execution, ['waiting']);
			pauses.push((Number(waitTill) - Date.now()) / 60_000);
			await passTime(execution);
		}
		expect(pauses[0]).toBeGreaterThan(1.1);
		expect(pauses[0]).toBeLessThan(1.6);
		expect(pauses[1]).toBeCloseTo(5, 0);
	});

	it('a poll that finds active runs pauses again, and the node has one run in the end', async () => {
		await startHost();
		const robotId = await newRobot(sandbox);
		const execution = paused.host.start([{ robotId }]);
		await paused.host.reaches(execution, ['waiting']);
		for (let look = 0; look < 3; look++) {
			await sandbox.control.clear();
			await passTime(execution);
			await paused.host.reaches(execution, ['waiting']);
			const lines = await sandbox.lines();
			expect(lines.filter((line) => line === 'GET /runs/active')).toHaveLength(2);
			expect(lines.filter((line) => line.startsWith('POST'))).toEqual([]);
			expect(await sandbox.owner.webhooks(robotId)).toHaveLength(1);
		}
		await finishRuns();
		await paused.host.reaches(execution, ['success', 'error']);
		expect(paused.host.output(execution)[0]).toHaveLength(1);
		expect(paused.host.output(execution, 'After')[0]).toHaveLength(1);
	});
});

describe('a webhook that cannot be removed before the next pause', () => {
	const pauseTwice = async (robots: string[], refusals: number) => {
		await startHost();
		const execution = paused.host.start(robots.map((robotId) => ({ robotId })));
		await paused.host.reaches(execution, ['waiting']);
		const [first] = (await sandbox.owner.get(`/robots/${robots[0]}/runs`)).list;
		await sandbox.control.patchRun(String(first?.id), { status: 'success' });
		const refusal = { kind: 'status', status: 403, method: 'DELETE', path: 'webhooks' } as const;
		await sandbox.control.fault({ ...refusal, times: refusals });
		await passTime(execution);
		await paused.host.reaches(execution, ['waiting']);
		expect(await sandbox.owner.webhooks(robots[0] ?? '')).toHaveLength(1);
		await finishRuns();
		await paused.host.reaches(execution, ['success', 'error']);
		expect(paused.host.output(execution)[0]).toHaveLength(2);
		return paused.host.hints(execution);
	};

	it('is removed when the execution ends', async () => {
		const robots = [await newRobot(sandbox), await newRobot(sandbox)];
		expect(await pauseTwice(robots, 1)).toEqual([]);
		for (const id of robots) expect(await sandbox.owner.webhooks(id)).toEqual([]);
	});

	it('is named in a hint if it remains', async () => {
		const robots = [await newRobot(sandbox), await newRobot(sandbox)];
		const hints = await pauseTwice(robots, 100);
		for (const id of robots) {
			expect(hints).toContainEqual(
				expect.stringContaining(`A webhook of this execution remains in Maxun on robot ${id}`),
			);
		}
	});
});

describe('calls', () => {
	const call = async (robotId: string) => {
		const [webhook] = await sandbox.owner.webhooks(robotId);
		await fetch(String(webhook?.url), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ data: {} }),
		});
	};

	it.each([false, true])(
		'two deliveries at once resume the execution once (n8n resumes it for each: %s)',
		async (resumesRepeatedly) => {
			await startHost({}, { resumesRepeatedly });
			const robotId = await newRobot(sandbox);
			const execution = paused.host.start([{ robotId }]);
			await paused.host.reaches(execution, ['waiting']);
			for (const id of await sandbox.owner.activeRuns())
				await sandbox.control.patchRun(id, { status: 'success' });
			const slow = { kind: 'delay', path: '^/runs/active', milliseconds: 500 } as const;
			await sandbox.control.fault({ ...slow, before: false, times: 2 });
			await Promise.all([call(robotId), call(robotId)]);
			await paused.host.reaches(execution, ['success', 'error']);
			expect([...paused.host.answers].sort()).toEqual([200, 503]);
			expect(paused.host.of(execution).lives).toBe(2);
			expect(paused.host.output(execution, 'After')[0]).toHaveLength(1);
		},
	);

	it('two pauses that webhooks end leave one log entry with all output', async () => {
		await startHost();
		const ids = [await newRobot(sandbox), await newRobot(sandbox)];
		const execution = paused.host.start(ids.map((robotId) => ({ robotId })));
		for (let life = 1; life <= 2; life++) {
			await paused.host.reaches(execution, ['waiting']);
			expect(paused.host.of(execution).lives).toBe(life);
			// The service wrongly reports runs as active.
			const body = { success: true, data: [] };
			await sandbox.control.fault({ kind: 'body', body, path: '^/runs/active', times: 1 });
			await call(ids[0] ?? '');
		}
		await paused.host.reaches(execution, ['waiting']);
		for (const id of await sandbox.owner.activeRuns())
			await sandbox.control.patchRun(id, { status: 'success' });
		await call(ids[0] ?? '');
		const { run, lives } = await paused.host.reaches(execution, ['success', 'error']);
		expect(lives).toBe(4);
		const entries = run?.data.resultData.runData.Maxun ?? [];
		expect(entries.map(({ data }) => data?.main[0]?.map(({ json }) => json.robotId))).toEqual([
			ids,
		]);
		expect(paused.host.output(execution, 'After')[0]).toHaveLength(2);
	});
});

describe('the timeout', () => {
	const waitFor = 1.3; // 78 seconds
	const options = { waitFor, pauseAfter: 1 };

	it.each(['error', 'return'])('a paused execution respects its timeout: %s', async (onTimeout) => {
		await startHost({ options: { ...options, onTimeout } });
		const [slow, quick] = [await newRobot(sandbox), DEMO.article];
		const execution = paused.host.start([{ robotId: slow }, { robotId: quick }]);
		const { waitTill } = await paused.host.reaches(execution, ['waiting']);
		expect(Number(waitTill) - Date.now()).toBeLessThanOrEqual(78_000);
		paused.host.expire(execution, 78_000);
		paused.host.resumeByTimer(execution);
		const { run } = await paused.host.reaches(execution, ['success', 'error']);
		expect(await sandbox.owner.webhooks(slow)).toEqual([]);
		const { error } = run?.data.resultData ?? {};
		if (onTimeout === 'error') expect(error?.message).toMatch(/did not finish within .*running/);
		else {
			expect(paused.host.output(execution)[0]?.map(({ json }) => json)).toEqual([
				expect.objectContaining({ robotId: slow, timedOut: true }),
				expect.objectContaining({ robotId: quick, timedOut: true }),
			]);
		}
	});
});

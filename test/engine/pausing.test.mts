import { describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { pairedIndex } from './support/operations.mts';
import { usePausing } from './support/pausing.mts';

const paused = usePausing();
const { sandbox, startHost, pause, pausesAgain, passTime, finishAndResume } = paused;

async function pauseOf(execution: string): Promise<number> {
	const { waitTill } = await paused.host.reaches(execution, ['waiting']);
	return (Number(waitTill) - Date.now()) / 1000;
}

it('an execution pauses and resumes with the results of all runs in order', async () => {
	await startHost();
	const ids = [await newRobot(sandbox), await newRobot(sandbox), await newRobot(sandbox)];
	const robots = [...ids, ids[0] ?? ''];
	const execution = paused.host.start(robots.map((robotId) => ({ robotId })));
	expect(await pauseOf(execution)).toBeGreaterThan(60);
	await finishAndResume(execution);
	const { items, json } = await paused.end(execution);
	expect(json).toMatchObject(robots.map((robotId) => ({ robotId, status: 'success' })));
	expect(items.map(pairedIndex)).toEqual([0, 1, 2, 3]);
	expect(paused.host.output(execution, 'After')[0]).toHaveLength(4);
	expect(await sandbox.starts()).toBe(4);
	expect(await sandbox.count(/webhooks/)).toBe(0);
	expect(paused.host.of(execution).lives).toBe(2);
});

it('a run that ends between the request for a pause and its storage gives its data after the pause', async () => {
	await startHost();
	paused.host.beforeStoring = paused.finishRuns;
	const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
	expect(await pauseOf(execution)).toBeGreaterThan(60);
	expect(await sandbox.owner.activeRuns()).toEqual([]);
	await passTime(execution);
	expect((await paused.end(execution)).json).toMatchObject([{ status: 'success' }]);
	expect(await sandbox.starts()).toBe(1);
});

it('a run that is not completed reaches the error output with its input', async () => {
	const good = await newRobot(sandbox);
	const inputs = [DEMO.failing, good].map((robotId, position) => ({ robotId, position }));
	const execution = await pause(inputs, {}, { node: { onError: 'continueErrorOutput' } });
	await finishAndResume(execution);
	const { items, failed } = await paused.end(execution);
	expect(items.map(pairedIndex)).toEqual([1]);
	expect(failed.map(({ json }) => json)).toEqual([
		{
			...inputs[0],
			error: expect.stringMatching(/ended with status failed/),
			message: expect.any(String),
		},
	]);
	expect(paused.host.output(execution, 'Errors')[0]).toHaveLength(1);
});

describe('the next poll after a pause', () => {
	const LONG = { options: { pauseAfter: 1, timeoutMinutes: 6000 } };

	it.each([
		[0, 65],
		[10, 65],
		[30, 90],
		[60, 180],
		[600, 300],
	])('after waiting for %i minutes, follows in %i seconds', async (minutes, seconds) => {
		const execution = await pause([{ robotId: await newRobot(sandbox) }], LONG);
		paused.host.expire(execution, minutes * 60_000);
		paused.host.resumeByTimer(execution);
		await pausesAgain(execution);
		const wait = await pauseOf(execution);
		expect(wait).toBeGreaterThan(seconds - 5);
		expect(wait).toBeLessThan(seconds + 5);
	});

	it('follows later if n8n stores a lot of data', async () => {
		const robots = [await newRobot(sandbox), await newRobot(sandbox)];
		const items = robots.map((robotId) => ({ robotId }));
		const execution = await pause(items, LONG);
		const [run = ''] = await sandbox.owner.activeRuns();
		const data = { textData: { Text: [{ Text: 'x'.repeat(6_000_000) }] } };
		await sandbox.control.patchRun(run, { status: 'success', data });
		await passTime(execution);
		await pausesAgain(execution);
		paused.host.expire(execution, 30 * 60_000);
		paused.host.resumeByTimer(execution);
		await pausesAgain(execution, 3);
		expect(await pauseOf(execution)).toBeGreaterThan(175);
	});

	it('happens once, and the finished execution shows the node once', async () => {
		await startHost();
		const execution = paused.host.start([{ robotId: await newRobot(sandbox) }]);
		for (let lives = 1; lives <= 3; lives++) {
			await pausesAgain(execution, lives);
			await sandbox.control.clear();
			if (lives < 3) await passTime(execution);
			else await finishAndResume(execution);
			if (lives < 3) {
				await pausesAgain(execution, lives + 1);
				expect(await sandbox.lines()).toEqual(['GET /runs/active']);
			}
		}
		expect((await paused.end(execution)).items).toHaveLength(1);
		expect(paused.host.output(execution, 'After')[0]).toHaveLength(1);
		const { run } = await paused.host.reaches(execution, ['success']);
		const [entry, ...others] = run?.data.resultData.runData.Maxun ?? [];
		expect(others).toEqual([]);
		// The editor would show this as the next node's input.
		expect(entry?.inputOverride).toBeUndefined();
		expect(entry?.data?.main?.[0]).toHaveLength(1);
	});
});

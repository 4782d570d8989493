import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WaitingOptions } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { PATIENCE } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { pairedIndex } from './support/operations.mts';
import { usePausing } from './support/pausing.mts';
import { NO_PAUSE } from './support/self-hosted.mts';

const sandbox = useSandbox();
const paused = usePausing(sandbox);

beforeEach(
	async () =>
		await sandbox.control.settings({
			selfHostedForm: 'observed',
			selfHostedSdk: 'observed',
			selfHostedSlots: 20,
			selfHostedWriteBackSeconds: 0,
			selfHostedClosesAfterSeconds: 0,
			selfHostedCutAfterSeconds: null,
			selfHostedTimezone: 'UTC',
		}),
);

/** Starts a host whose node runs the item's robot on the server. */
async function startHost(options: INodeParameters = {}, more: Partial<WaitingOptions> = {}) {
	await paused.startHost(
		maxun('run', 'runAndWait', {
			output: 'simplified',
			server: 'selfHosted',
			robotId: locator('={{ $json.robotId }}'),
			options: { pauseAfter: 1, ...NO_PAUSE, ...options },
		}),
		{ credentials: sandbox.serverCredentials(), ...more },
	);
}

const start = (robotIds: string[]) => paused.host.start(robotIds.map((robotId) => ({ robotId })));

const isStart = (line: string) => /^POST \/robots\/[^/]+\/runs$/.test(line);
const starts = async () => (await sandbox.lines()).filter(isStart).length;

async function ended(execution: string) {
	const { run } = await paused.host.reaches(execution, ['success', 'error']);
	expect(run?.data.resultData.error?.message).toBeUndefined();
	return paused.host.output(execution)[0] ?? [];
}

it('the runs of several items start one after another, with a pause for each', async () => {
	await startHost({ delayBeforeStart: 1 });
	const [first, second] = [await newRobot(sandbox), await newRobot(sandbox)];
	const ids = [first, second, first];
	const execution = start(ids);
	let lastEnd = 0;
	for (let life = 1; life <= 3; life++) {
		await expect
			.poll(() => paused.host.of(execution), { timeout: PATIENCE })
			.toMatchObject({ status: 'waiting', lives: life });
		expect(await starts()).toBe(life);
		const sent = (await sandbox.sent()).filter(({ method, path }) => isStart(`${method} ${path}`));
		expect(Date.parse(String(sent.at(-1)?.at)) - lastEnd).toBeGreaterThan(1000);
		lastEnd = Date.now();
		await paused.finishAndResume(execution);
	}
	const items = await ended(execution);
	expect(items.map(({ json }) => json.robotId)).toEqual(ids);
	expect(items.map(pairedIndex)).toEqual([0, 1, 2]);
	expect(new Set(items.map(({ json }) => json.id)).size).toBe(3);
});

describe('a server without a free browser', () => {
	/** Another client's run uses the only browser. @returns its ID */
	async function takeSlot(): Promise<string> {
		await sandbox.control.settings({ selfHostedSlots: 1 });
		await sandbox.owner.post(`/robots/${await newRobot(sandbox)}/runs`, {});
		await sandbox.control.clear();
		const [run = ''] = await sandbox.owner.activeRuns();
		return run;
	}

	it('pauses executions until their runs can start', async () => {
		const run = await takeSlot();
		await startHost();
		const robotId = await newRobot(sandbox);
		const execution = start([robotId]);
		const { waitTill } = await paused.host.reaches(execution, ['waiting']);
		const seconds = (Number(waitTill) - Date.now()) / 1000;
		expect(seconds).toBeGreaterThan(60);
		expect(seconds).toBeLessThan(70);
		await paused.passTime(execution);
		await expect
			.poll(() => paused.host.of(execution), { timeout: PATIENCE })
			.toMatchObject({ status: 'waiting', lives: 2 });
		await sandbox.control.finishRun(run);
		await paused.passTime(execution);
		await expect
			.poll(() => paused.host.of(execution), { timeout: PATIENCE })
			.toMatchObject({ status: 'waiting', lives: 3 });
		await paused.finishAndResume(execution);
		expect((await ended(execution)).map(({ json }) => json.status)).toEqual(['success']);
	});

	it("starts the next run when the previous run's browser has closed", async () => {
		await sandbox.control.settings({ selfHostedSlots: 1, selfHostedClosesAfterSeconds: 10 });
		await startHost({ pauseAfter: 5 });
		const robotIds = [await newRobot(sandbox), await newRobot(sandbox)];
		const execution = start(robotIds);
		await expect.poll(starts, { timeout: PATIENCE }).toBe(1);
		await paused.finishRuns();
		await expect
			.poll(async () => (await sandbox.owner.activeRuns()).length, { timeout: 2 * PATIENCE })
			.toBe(1);
		expect(paused.host.of(execution)).toMatchObject({ status: 'running', lives: 1 });
		await paused.finishRuns();
		expect((await ended(execution)).map(({ json }) => json.robotId)).toEqual(robotIds);
	}, 120_000);

	it('fails an item that times out before its run can start', async () => {
		await takeSlot();
		await startHost({ timeoutMinutes: 5, onTimeout: 'return' });
		const execution = start([await newRobot(sandbox)]);
		await paused.host.reaches(execution, ['waiting']);
		paused.host.expire(execution, 5 * 60_000);
		paused.host.resumeByTimer(execution);
		const [item] = await ended(execution);
		expect(item?.json).toMatchObject({ status: 'not started', timedOut: true });
	});
});

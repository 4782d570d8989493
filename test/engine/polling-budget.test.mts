import { beforeEach, describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { endedRun, Poller } from './support/polling.mts';

const sandbox = useSandbox();
let robotId: string;
let poller: Poller;

beforeEach(async () => {
	robotId = await newRobot(sandbox);
	poller = new Poller(sandbox, { robotIds: [robotId] });
});

/** So many runs, one minute apart. */
async function endedRuns(count: number): Promise<string[]> {
	const runs: string[] = [];
	while (runs.length < count) runs.push(await endedRun(sandbox, robotId, runs.length - count));
	return runs;
}

/** Delays the next GET requests to this path. */
const slow = async (path: string, milliseconds: number) =>
	await sandbox.control.fault({ kind: 'delay', milliseconds, path, times: 1, method: 'GET' });

/** Polls with this time limit until each run was emitted, or for 50 polls. Returns the emitted IDs. */
async function emittedWithin(budget: number, count: number): Promise<unknown[]> {
	const runs: unknown[] = [];
	for (let polls = 0; polls < 50 && runs.length < count; polls++)
		runs.push(...(await poller.emitted({}, { budget })));
	return runs;
}

describe('a poll whose time is up', () => {
	it.each([
		['the list of runs', '/runs$'],
		['a run', '/runs/[^/]+$'],
	])('leaves %s to the next polls, which emit each run once', async (_, path) => {
		await poller.emitted();
		const runs = await endedRuns(3);
		await sandbox.control.clear();
		await slow(path, 1500);
		const since = Date.now();
		expect(await poller.emitted({}, { budget: 300 })).toEqual([]);
		expect(Date.now() - since).toBeLessThan(1200);
		expect(await emittedWithin(300, runs.length)).toEqual(runs);
		expect(await poller.emitted({}, { budget: 60_000 })).toEqual([]);
	});

	it('reads no further run after half of it', async () => {
		await poller.emitted();
		const runs = await endedRuns(8);
		await sandbox.control.fault({
			kind: 'delay',
			milliseconds: 1200,
			path: '/runs/[^/]+$',
			times: 5,
			method: 'GET',
		});
		const emitted = await poller.emitted({}, { budget: 2000 });
		expect(emitted).toEqual(runs.slice(0, 5));
		expect(await poller.emitted({}, { budget: 2000 })).toEqual(runs.slice(5));
	});

	it('passes the error of its list on to the next poll', async () => {
		await poller.emitted();
		await sandbox.control.fault({ kind: 'status', status: 403, path: '/runs$', times: 1 });
		expect(await poller.emitted({}, { budget: 0 })).toEqual([]);
		await expect(poller.emitted({}, { budget: 60_000 })).rejects.toThrow(/Maxun/);
	});
});

describe('with durable cursors', () => {
	const durable = { durable: true, activation: 'update' } as const;

	it('runs that n8n discarded are emitted again, each once', async () => {
		await poller.emitted({}, durable);
		const first = await endedRun(sandbox, robotId, -2);
		expect(await poller.emitted({}, { ...durable, discarded: true })).toEqual([first]);
		const second = await endedRun(sandbox, robotId, -1);
		expect(await poller.emitted({}, { ...durable, discarded: true })).toEqual([first, second]);
		expect(await poller.emitted({}, durable)).toEqual([first, second]);
		expect(await poller.emitted({}, durable)).toEqual([]);
	});

	it('polling continues with the state from before they were turned on', async () => {
		await poller.emitted({}, { durable: false });
		const first = await endedRun(sandbox, robotId, -2);
		expect(await poller.emitted({}, { durable: false })).toEqual([first]);
		const second = await endedRun(sandbox, robotId, -1);
		poller.staticData = poller.staticData.reloaded();
		const renamed = { ...durable, node: { name: 'Renamed' } };
		expect(await poller.emitted({}, renamed)).toEqual([second]);
		expect(await poller.emitted({}, renamed)).toEqual([]);
	});
});

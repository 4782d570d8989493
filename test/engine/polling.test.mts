import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { StaticData } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { useClock } from './support/clock.mts';
import { AFTER, endedRun, MINUTE, Poller } from './support/polling.mts';
import { warnings } from './support/warnings.mts';

const sandbox = useSandbox();

let robotId: string;
let poller: Poller;

beforeEach(async () => {
	robotId = await newRobot(sandbox);
	poller = new Poller(sandbox, {
		events: ['run_completed', 'run_failed'],
		robotIds: [robotId],
	});
});

/** One poll. Returns the emitted run IDs. */
const emitted = async (...given: Parameters<Poller['emitted']>) => await poller.emitted(...given);

/** One poll. Returns the items. */
const look = async (...given: Parameters<Poller['items']>) => await poller.items(...given);

const TEST = { manual: true };

/** A run of the robot that ends in so many minutes. */
const ended = async (minutes: number, run: IDataObject = {}) =>
	await endedRun(sandbox, robotId, minutes, run);

describe('without a selection', () => {
	it('all robots are polled if none is selected, without a request for each', async () => {
		expect(await emitted({ robotIds: [] })).toEqual([]);
		const first = await ended(-0.2);
		robotId = await newRobot(sandbox);
		const second = await ended(-0.1);
		await sandbox.control.clear();
		expect(await emitted({ robotIds: [] })).toEqual([first, second]);
		const asked = (await sandbox.control.lines()).filter((line) => line.includes('/robots/'));
		expect(asked).toEqual([]);
	});
});

describe('a poll', () => {
	it('polling starts from now and emits each later run once, oldest first', async () => {
		await ended(-90);
		await ended(-60);
		expect(await emitted()).toEqual([]);
		const [late, early] = [await ended(-1), await ended(-2, { status: 'failed' })];
		expect(await emitted()).toEqual([early, late]);
		expect(await emitted()).toEqual([]);
	});

	it('thousands of runs of another robot do not hide those of selected ones', async () => {
		const robotIds = [robotId, await newRobot(sandbox)];
		const busy = await newRobot(sandbox);
		expect(await emitted({ robotIds })).toEqual([]);
		const watched = await ended(-3);
		await sandbox.control.runs({ robotId: busy, count: 2100 });
		expect(await emitted({ robotIds })).toEqual([watched]);
	});

	it('polling notices a run that appears late and one that took hours', async () => {
		const startedAt = new Date(Date.now() - 300 * MINUTE).toISOString();
		const long = await ended(-1, { startedAt, finishedAt: null, status: 'running' });
		expect(await emitted()).toEqual([]);
		const first = await ended(-3);
		expect(await emitted()).toEqual([first]);
		const late = await ended(-6);
		const finishedAt = new Date(Date.now() + (AFTER - 1) * MINUTE).toISOString();
		await sandbox.control.patchRun(long, { status: 'success', finishedAt });
		expect(await emitted()).toEqual([late, long]);
		expect(await emitted()).toEqual([]);
	});

	it('a poll emits at most a hundred runs, and later polls emit the rest', async () => {
		expect(await emitted()).toEqual([]);
		const ids: string[] = [];
		while (ids.length < 120) ids.push(await ended(ids.length / 100));
		const batches = [await emitted(), await emitted(), await emitted()];
		expect(batches.map(({ length }) => length)).toEqual([100, 20, 0]);
		expect(batches.flat()).toEqual(ids);
		expect(JSON.stringify(poller.staticData.load()).length).toBeLessThan(10_000);
	});

	it('a failed poll says why and loses nothing', async () => {
		expect(await emitted()).toEqual([]);
		const run = await ended(-1);
		for (const path of ['/runs$', '/runs/[^/]+$']) {
			await sandbox.control.fault({ kind: 'status', status: 403, path, times: 9 });
			await expect(look()).rejects.toThrow(/Maxun/);
			await sandbox.control.clear();
		}
		expect(await emitted()).toEqual([run]);
	});

	// With durable cursors, n8n polls independently of its start.
	const polls = it.skipIf(process.env.TEST_DURABLE_CURSORS === 'true');
	polls.each(['init', 'leadershipChange'] as const)(
		'a poll reports its error but does not fail when n8n starts (%s)',
		async (activation) => {
			expect(await emitted()).toEqual([]);
			const run = await ended(-1);
			const onError = vi.fn();
			const start = { activation, onError, workflowId: `started-${activation}` };
			await sandbox.control.fault({ kind: 'status', status: 403, path: '^/runs', times: 9 });
			expect(await look({}, start)).toEqual([]);
			expect(onError).toHaveBeenCalledExactlyOnceWith(
				expect.objectContaining({ message: expect.stringContaining('Maxun') }),
			);
			await sandbox.control.clear();
			expect(await emitted({}, start)).toEqual([run]);
		},
	);

	it('a workflow can be published while a run cannot be read', async () => {
		expect(await emitted()).toEqual([]);
		const run = await ended(-1);
		const onError = vi.fn();
		await sandbox.control.fault({ kind: 'status', status: 404, path: `/runs/${run}$`, times: 1 });
		expect(await look({}, { onError })).toEqual([]);
		expect(onError).toHaveBeenCalledExactlyOnceWith(
			expect.objectContaining({ message: expect.stringContaining(run) }),
		);
		expect(await emitted()).toEqual([run]);
	});
});

describe('a deleted robot', () => {
	const remove = async (id: string) => await sandbox.owner.delete(`/robots/${id}`);

	it('does not block the runs of the others and is reported once', async () => {
		const gone = await newRobot(sandbox);
		const robotIds = [gone, robotId];
		expect(await emitted({ robotIds })).toEqual([]);
		await remove(gone);
		const told = warnings();
		const runs = [await ended(-2)];
		expect(await emitted({ robotIds })).toEqual(runs);
		expect(told).toEqual([expect.stringContaining(gone)]);
		runs.push(await ended(-1));
		expect(await emitted({ robotIds })).toEqual(runs.slice(1));
		expect(told).toHaveLength(1);
	});

	it('keeps its runs of the last hour if it is found again', async () => {
		const away = await newRobot(sandbox);
		const robotIds = [away, robotId];
		expect(await emitted({ robotIds })).toEqual([]);
		const [missed, other] = [await ended(-50, { robotId: away }), await ended(-1)];
		const path = `^/robots/${away}/runs$`;
		await sandbox.control.fault({ kind: 'status', status: 404, path });
		expect(await emitted({ robotIds })).toEqual([other]);
		expect(await emitted({ robotIds })).toEqual([missed]);
		expect(await emitted({ robotIds })).toEqual([]);
	});

	it('fails the poll if no selected robot exists', async () => {
		const other = await newRobot(sandbox);
		const robotIds = [robotId, other];
		expect(await emitted({ robotIds })).toEqual([]);
		for (const id of robotIds) await remove(id);
		for (let count = 0; count < 2; count++) {
			await expect(look({ robotIds })).rejects.toThrow(`could not find robot '${robotId}'`);
		}
		poller.staticData = new StaticData();
		await expect(look({ robotIds })).rejects.toThrow(`could not find robot '${robotId}'`);
	});

	it('does not hide the latest run of another robot in the editor', async () => {
		const gone = await newRobot(sandbox);
		await remove(gone);
		const latest = await ended(-10);
		const robotIds = [gone, robotId];
		expect(await emitted({ robotIds }, TEST)).toEqual([latest]);
		await expect(look({ robotIds: [gone] }, TEST)).rejects.toThrow('could not find robot');
	});
});

describe('a run that cannot be fetched', () => {
	const later = useClock();
	const diffs = { options: { includeDiff: true } };

	/** Fails all requests with a matching path. */
	async function fail(path: string): Promise<void> {
		await sandbox.control.fault({ kind: 'status', status: 500, path, times: 999 });
	}

	it('delays no other run if its diff cannot be read, and is emitted without the diff', async () => {
		expect(await emitted(diffs)).toEqual([]);
		const bad = await ended(-20, { hasChanges: true });
		const good = await ended(-10, { hasChanges: true });
		await fail(`/runs/${bad}/diff$`);
		const told = warnings();
		expect(await emitted(diffs)).toEqual([good]);
		expect(told).toEqual([expect.stringContaining(bad)]);
		poller.staticData = poller.staticData.reloaded();
		await expect(look(diffs)).rejects.toThrow('Maxun returned status');
		const next = await ended(-9);
		expect(await emitted(diffs)).toEqual([next]);
		later(31);
		const items = await look(diffs);
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({
			run: { id: bad },
			diff: null,
			diffError: expect.stringContaining('Maxun returned status'),
		});
		expect(await emitted(diffs)).toEqual([]);
	});

	it('is emitted without its data after a while', async () => {
		expect(await emitted()).toEqual([]);
		const [bad, good] = [await ended(-20), await ended(-10)];
		await fail(`/runs/${bad}$`);
		expect(await emitted()).toEqual([good]);
		later(31);
		const items = await look();
		expect(items).toHaveLength(1);
		expect(items[0]).toMatchObject({
			run: { id: bad },
			event: 'run_completed',
			dataError: expect.stringContaining('Maxun returned status'),
		});
		await sandbox.control.clear();
		expect(await emitted()).toEqual([]);
	});

	it('fails one poll, and not all polls until it is emitted', async () => {
		expect(await emitted()).toEqual([]);
		const bad = await ended(-20);
		await fail(`/runs/${bad}$`);
		await expect(look()).rejects.toThrow('Maxun returned status');
		expect(await emitted()).toEqual([]);
	});

	it('delays no other run, however many there are', async () => {
		expect(await emitted()).toEqual([]);
		const finishedAt = new Date(Date.now() + AFTER * MINUTE).toISOString();
		const run = { startedAt: finishedAt, finishedAt };
		const bad = await sandbox.control.runs({ robotId, count: 100, run });
		await fail(`/runs/(${bad.join('|')})$`);
		await expect(look()).rejects.toThrow('Maxun returned status');
		const good = await ended(2);
		expect(await emitted()).toEqual([good]);
	});
});

describe('the settings', () => {
	it('Trigger On selects runs by status', async () => {
		const parameters = { events: ['run_aborted'] };
		expect(await emitted(parameters)).toEqual([]);
		await ended(-3);
		const aborted = await ended(-2, { status: 'aborted' });
		const [item] = await look(parameters);
		expect(item).toMatchObject({ event: 'run_aborted', run: { id: aborted } });
	});

	it('the options choose runs by source and by changes', async () => {
		const bySource = { options: { sources: ['schedule', 'sdk'] } };
		expect(await emitted(bySource)).toEqual([]);
		await ended(-3, { source: 'api' });
		const [scheduled, sdk] = [
			await ended(-2, { source: 'schedule' }),
			await ended(-1, { source: 'sdk', hasChanges: true }),
		];
		expect(await emitted(bySource)).toEqual([scheduled, sdk]);
		poller.staticData = new StaticData({
			'node:Maxun': { ledger: { since: Date.now() - 60 * MINUTE } },
		});
		expect(await emitted({ options: { onlyChanges: true } })).toEqual([]);
		const changed = await ended(-0.5, { hasChanges: true });
		expect(await emitted({ options: { onlyChanges: true } })).toEqual([changed]);
	});

	it('a robot that is added is polled from then on', async () => {
		const former = robotId;
		expect(await emitted()).toEqual([]);
		robotId = await newRobot(sandbox);
		await ended(-1);
		expect(await emitted({ robotIds: [former, robotId] })).toEqual([]);
		const run = await ended(-0.5);
		expect(await emitted({ robotIds: [former, robotId] })).toEqual([run]);
	});
});

describe('a test in the editor', () => {
	it('a test returns the latest run that has ended, even when repeated', async () => {
		await ended(-30);
		const latest = await ended(-10);
		for (let count = 0; count < 2; count++) {
			expect(await emitted({}, TEST)).toEqual([latest]);
		}
	});

	it('a test returns the latest run that has ended, even if 100 later ones are active', async () => {
		const latest = await ended(-10);
		const run = { finishedAt: null };
		await sandbox.control.runs({ robotId, count: 100, status: 'running', run });
		expect(await emitted({}, TEST)).toEqual([latest]);
	});

	it('a test reports when no run has ended', async () => {
		await expect(look({}, TEST)).rejects.toThrow('No run that has ended matches');
	});
});

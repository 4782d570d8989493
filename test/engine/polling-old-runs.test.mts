import type { IDataObject } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../sandbox/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { useClock } from './support/clock.mts';
import { endedRun, Poller } from './support/polling.mts';
import { warnings } from './support/warnings.mts';

const sandbox = useSandbox();
let robotId: string;
let poller: Poller;

beforeEach(async () => {
	robotId = await newRobot(sandbox);
	poller = new Poller(sandbox, { robotIds: [robotId] });
});

const ended = async (minutes: number, run: IDataObject = {}) =>
	await endedRun(sandbox, robotId, minutes, run);

/** A run that ended an hour before the test. */
const oldRun = async (run: IDataObject = {}) => await ended(-160, run);

describe('a run from before the watch does not start the workflow', () => {
	it('at the first poll with 100 queued runs', async () => {
		await oldRun();
		const run = { startedAt: null, finishedAt: null };
		await sandbox.control.runs({ robotId, count: 100, status: 'queued', run });
		expect(await poller.emitted()).toEqual([]);
		expect(await poller.emitted()).toEqual([]);
		const later = await ended(-1);
		expect(await poller.emitted()).toEqual([later]);
	});

	it('after the credential changes to another account, with all robots', async () => {
		const all = { robotIds: [] };
		const other = { credentials: sandbox.credentials({ apiKey: KEYS.poor }) };
		await oldRun();
		expect(await poller.emitted(all, other)).toEqual([]);
		expect(await poller.emitted(all)).toEqual([]);
		const later = await ended(-1);
		expect(await poller.emitted(all)).toEqual([later]);
	});

	it('after another event is selected', async () => {
		expect(await poller.emitted()).toEqual([]);
		const failed = await ended(-3, { status: 'failed' });
		const completed = await ended(-2);
		const events = ['run_completed', 'run_failed'];
		expect(await poller.emitted({ events })).toEqual([completed]);
		const later = await ended(-1, { status: 'failed' });
		expect(await poller.emitted({ events })).toEqual([later]);
		expect(await poller.emitted({ events })).not.toContain(failed);
	});
});

it('a run without any time starts the workflow once', async () => {
	const events = ['run_completed', 'run_aborted'];
	const withoutTimes = { status: 'aborted', startedAt: null, finishedAt: null };
	await ended(0, withoutTimes);
	expect(await poller.emitted({ events })).toEqual([]);
	const run = await ended(0, withoutTimes);
	expect(await poller.emitted({ events })).toEqual([run]);
	expect(await poller.emitted({ events })).toEqual([]);
});

describe('a change of the robots', () => {
	const later = useClock();

	it('loses no run since the last poll, from one robot to all robots and back', async () => {
		const all = { robotIds: [] };
		const runs: string[] = [];
		const newRun = async () => {
			later(10);
			runs.push(await ended(-101));
		};
		expect(await poller.emitted()).toEqual([]);
		await newRun();
		await sandbox.control.runs({ robotId: await newRobot(sandbox), count: 120 });
		const emitted = [...(await poller.emitted(all)), ...(await poller.emitted(all))];
		await newRun();
		emitted.push(...(await poller.emitted()));
		expect(emitted).toEqual(runs);
	});
});

describe('a robot that cannot be read', () => {
	const later = useClock();

	/** The ages of the runs at which the lists of a poll begin, in hours. */
	async function listedHours(robotIds: string[]): Promise<number[]> {
		later(5);
		await sandbox.control.clear();
		await poller.emitted({ robotIds });
		const lines = (await sandbox.control.lines()).filter((line) => line.includes(robotId));
		const times = lines.map((line) => /since=([^&]+)/.exec(line)?.[1] ?? '');
		return times.map((time) => (Date.now() - Date.parse(decodeURIComponent(time))) / 3_600_000);
	}

	it.each([true, false])(
		'does not make the lists of the others longer (watched before: %s)',
		async (isWatched) => {
			const gone = await newRobot(sandbox);
			const robotIds = [robotId, gone];
			await poller.emitted(isWatched ? { robotIds } : {});
			await sandbox.owner.delete(`/robots/${gone}`);
			later(24 * 60);
			await poller.emitted({ robotIds });
			const hours = await listedHours(robotIds);
			expect(hours).toHaveLength(1);
			expect(Math.max(...hours)).toBeLessThan(2);
		},
	);
});

it('a screenshot with an invalid URL does not stop the trigger', async () => {
	const parameters = { options: { downloadScreenshots: true } };
	expect(await poller.emitted(parameters)).toEqual([]);
	const data = { screenshots: ['http://exa mple/1.png'] };
	const runs = [await ended(-2, { data }), await ended(-1)];
	expect(await poller.emitted(parameters)).toEqual(runs);
	expect(await poller.emitted(parameters)).toEqual([]);
});

it('a robot whose runs cannot be listed does not stop the others, and is logged once', async () => {
	const other = await newRobot(sandbox);
	const robotIds = [robotId, other];
	expect(await poller.emitted({ robotIds })).toEqual([]);
	const told = warnings();
	const path = `^/robots/${other}/runs$`;
	for (const [index, status] of [403, 404, 500].entries()) {
		const run = await ended(index - 9);
		await sandbox.control.fault({ kind: 'status', status, path, times: 9 });
		expect(await poller.emitted({ robotIds })).toEqual([run]);
		await sandbox.control.clearFaults();
	}
	expect(told).toEqual([expect.stringContaining('continues with its other robots')]);
});

it('a list that outlasts its poll does not count for settings that change in the meantime', async () => {
	expect(await poller.emitted()).toEqual([]);
	const failed = await ended(-2, { status: 'failed' });
	await sandbox.control.fault({
		kind: 'delay',
		milliseconds: 800,
		path: '/runs$',
		times: 1,
		method: 'GET',
	});
	const events = ['run_failed'];
	expect(await poller.emitted({}, { budget: 200 })).toEqual([]);
	const later = await ended(-1, { status: 'failed' });
	expect(await poller.emitted({ events }, { budget: 60_000 })).toEqual([]);
	const last = await ended(0, { status: 'failed' });
	expect(await poller.emitted({ events })).toEqual([last]);
	expect(await poller.emitted({ events })).not.toEqual(expect.arrayContaining([failed, later]));
});

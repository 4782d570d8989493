import { describe, expect, it } from 'vitest';
import { StaticData } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { useClock } from './support/clock.mts';
import { endedRun, Poller } from './support/polling.mts';
import { warnings } from './support/warnings.mts';

const sandbox = useSandbox();
const MINUTE = 60_000;

const later = useClock();

describe('the polling trigger', () => {
	it('emits the runs since the last poll after its node was renamed, even in another process', async () => {
		const robotId = await newRobot(sandbox);
		const poller = new Poller(sandbox, { robotIds: [robotId] });
		await poller.emitted();
		const first = await endedRun(sandbox, robotId, 0);
		expect(await poller.emitted()).toEqual([first]);
		later(10);
		const second = await endedRun(sandbox, robotId, -2);
		poller.staticData = poller.staticData.reloaded();
		expect(await poller.emitted({}, { node: { name: 'Renamed' } })).toEqual([second]);
	});

	it('does not use the data of another node that had its name', async () => {
		const robotId = await newRobot(sandbox);
		const poller = new Poller(sandbox, { robotIds: [robotId] });
		await poller.emitted();
		const run = await endedRun(sandbox, robotId, 0);
		const ledger = { since: Date.now() + MINUTE, from: { other: 0 } };
		const staticData = new StaticData({ ...poller.staticData.load(), 'node:Other': { ledger } });
		poller.staticData = staticData;
		expect(await poller.emitted({}, { node: { name: 'Other' } })).toEqual([run]);
	});

	it('lists only recent runs of three robots, with one request each', async () => {
		const robotIds = await Promise.all(
			Array.from({ length: 3 }, async () => await newRobot(sandbox)),
		);
		const poller = new Poller(sandbox, { robotIds });
		for (const robotId of robotIds) await sandbox.control.runs({ robotId, count: 150 });
		await poller.emitted();
		later(1);
		await poller.emitted();
		later(1);
		const runs = await Promise.all(
			robotIds.map(async (robotId) => await endedRun(sandbox, robotId, 0)),
		);
		await sandbox.control.clear();
		expect((await poller.emitted()).sort()).toEqual([...runs].sort());
		const lists = (await sandbox.control.lines()).filter((line) => /\/runs\?/.test(line));
		expect(lists.length).toBeLessThanOrEqual(9);
		later(10);
		await poller.emitted();
		later(1);
		await sandbox.control.clear();
		await poller.emitted();
		expect(await sandbox.control.lines()).toHaveLength(3);
	});

	it('emits a run whose queue time hides it from lists that begin with the active runs', async () => {
		const robotId = await newRobot(sandbox);
		const poller = new Poller(sandbox, { robotIds: [robotId] });
		await poller.emitted();
		await endedRun(sandbox, robotId, -10, { status: 'running' });
		const first = await endedRun(sandbox, robotId, 0);
		expect(await poller.emitted()).toEqual([first]);
		later(1);
		const startedAt = new Date(Date.now() - 50 * MINUTE).toISOString();
		const queued = await endedRun(sandbox, robotId, 0, { startedAt });
		expect(await poller.emitted()).toEqual([queued]);
	});

	it('skips runs above the maximum age, and logs how many', async () => {
		const robotId = await newRobot(sandbox);
		const poller = new Poller(sandbox, { robotIds: [robotId], options: { maxAge: 24 } });
		await poller.emitted();
		later(72 * 60);
		for (const hours of [-60, -50, -40]) await endedRun(sandbox, robotId, hours * 60);
		const recent = await endedRun(sandbox, robotId, -60);
		const told = warnings();
		poller.staticData = poller.staticData.reloaded();
		expect(await poller.emitted()).toEqual([recent]);
		expect(told).toEqual([expect.stringContaining('skipped 3 runs')]);
		expect(await poller.emitted()).toEqual([]);
	});

	it('emits a run that at first cannot be found', async () => {
		const robotId = await newRobot(sandbox);
		const poller = new Poller(sandbox, { robotIds: [robotId] });
		await poller.emitted();
		const [hidden, run] = [
			await endedRun(sandbox, robotId, -2),
			await endedRun(sandbox, robotId, -1),
		];
		const fault = { kind: 'status', status: 404, path: `/runs/${hidden}$` } as const;
		await sandbox.control.fault({ ...fault, times: 1 });
		expect(await poller.emitted()).toEqual([run]);
		expect(await poller.emitted()).toEqual([hidden]);
	});

	it('emits a run that takes nine hours, even if n8n restarts before it ends', async () => {
		const robotId = await newRobot(sandbox);
		await endedRun(sandbox, robotId, 0);
		const poller = new Poller(sandbox, { robotIds: [robotId] });
		await poller.emitted();
		const long = await endedRun(sandbox, robotId, 0, { status: 'running', finishedAt: null });
		later(8 * 60);
		const meanwhile = await endedRun(sandbox, robotId, 0);
		expect(await poller.emitted()).toEqual([meanwhile]);
		later(60);
		poller.staticData = poller.staticData.reloaded();
		const other = await endedRun(sandbox, robotId, -1);
		const finishedAt = new Date(Date.now() + 100 * MINUTE).toISOString();
		await sandbox.control.patchRun(long, { status: 'success', finishedAt });
		expect(await poller.emitted()).toEqual([other, long]);
		expect(await poller.emitted()).toEqual([]);
	});

	it('emits a run without an end time', async () => {
		const robotId = await newRobot(sandbox);
		const poller = new Poller(sandbox, { robotIds: [robotId] });
		await poller.emitted();
		const run = await endedRun(sandbox, robotId, -1, { finishedAt: null });
		expect(await poller.emitted()).toEqual([run]);
		expect(await poller.emitted()).toEqual([]);
	});
});

it('a self-hosted server with six runs per poll repeats none in three and a half hours', async () => {
	const robotId = await newRobot(sandbox);
	const poller = new Poller(
		sandbox,
		{ server: 'selfHosted', robotIds: [robotId] },
		{ credentials: sandbox.serverCredentials({ timezone: 'UTC' }) },
	);
	await poller.emitted();
	const [runs, emitted]: [unknown[], unknown[]] = [[], []];
	for (let poll = 0; poll < 42; poll++) {
		later(5);
		const at = new Date().toISOString();
		const run = { startedAt: at, finishedAt: at };
		runs.push(...(await sandbox.control.runs({ robotId, count: 6, run })));
		emitted.push(...(await poller.emitted()));
		if (poll % 10 === 0) poller.staticData = poller.staticData.reloaded();
	}
	expect([...emitted].sort()).toEqual([...runs].sort());
}, 300_000);

it('a time zone that is corrected later neither loses nor repeats runs of a self-hosted server', async () => {
	const robotId = await newRobot(sandbox);
	const poller = new Poller(sandbox, { server: 'selfHosted', robotIds: [robotId] });
	const inZone = async (timezone: string) =>
		await poller.emitted({}, { credentials: sandbox.serverCredentials({ timezone }) });
	await endedRun(sandbox, robotId, -3);
	expect(await inZone('')).toEqual([]);
	const zones = ['Pacific/Honolulu', 'Asia/Tokyo', '', 'Europe/Berlin'];
	for (const [index, zone] of zones.entries()) {
		later(1);
		const run = await endedRun(sandbox, robotId, 0);
		if (index === 2) poller.staticData = poller.staticData.reloaded();
		expect(await inZone(zone)).toEqual([run]);
		expect(await inZone(zones[index + 1] ?? '')).toEqual([]);
	}
});

/** All robots of a self-hosted server. Its time is the latest run of any robot, so the tests are days apart. */
async function allRobots(days: number) {
	later(days * 24 * 60);
	const [robotId, other] = [await newRobot(sandbox), await newRobot(sandbox)];
	const credentials = sandbox.serverCredentials();
	const poller = new Poller(sandbox, { server: 'selfHosted', robotIds: [] }, { credentials });
	const ended = async (id: string) => await endedRun(sandbox, id, -100);
	/** The other robot's runs can't be listed. */
	const fail = async (status: number) => {
		const path = `/robots/${other}/runs$`;
		await sandbox.control.fault({ kind: 'status', status, path, times: 99, method: 'GET' });
	};
	return { poller, robotId, other, ended, fail };
}

it('all robots of a self-hosted server: one whose runs cannot be listed for six hours loses none', async () => {
	const { poller, robotId, other, ended, fail } = await allRobots(7);
	await ended(robotId);
	expect(await poller.emitted()).toEqual([]);
	later(10);
	const run = await ended(other);
	await fail(500);
	for (let hour = 0; hour < 6; hour++) {
		later(60);
		const latest = await ended(robotId);
		expect(await poller.emitted()).toEqual([latest]);
	}
	await sandbox.control.clear();
	expect(await poller.emitted()).toEqual([run]);
});

it('all robots of a self-hosted server: the watch of one whose runs cannot be listed begins when they can', async () => {
	const { poller, robotId, other, ended, fail } = await allRobots(14);
	await ended(robotId);
	later(1);
	await ended(other);
	await fail(403);
	for (let poll = 0; poll < 2; poll++) {
		expect(await poller.emitted()).toEqual([]);
		later(1);
	}
	await sandbox.control.clear();
	expect(await poller.emitted()).toEqual([]);
	later(1);
	const run = await ended(other);
	expect(await poller.emitted()).toEqual([run]);
	expect(await poller.emitted()).toEqual([]);
});

import type { IDataObject } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { newRobot, unique } from '../helpers/fixtures.mts';
import { useClock } from './support/clock.mts';
import { announce, MINUTE, polled, runIdsOf, useTriggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

// The runs that start a workflow don't depend on n8n's clock or on the clock in a response's header.

const { sandbox, triggers } = useTriggers();
const later = useClock();
const [HOUR, DAY, YEAR] = [60, 24 * 60, 365 * 24 * 60];

let robotId: string;
beforeEach(async () => {
	robotId = await newRobot(sandbox);
});
afterEach(async () => {
	await sandbox.control.clearFaults();
	await sandbox.owner.delete(`/robots/${robotId}`);
});

const ended = async (minutes = 1, run: IDataObject = {}) => {
	later(minutes);
	return await triggers.endedRun(robotId, 0, run);
};
const at = (minutes: number) => new Date(Date.now() + minutes * MINUTE);

/** Maxun, or a proxy before it, sends a wrong time with its next responses to a request for runs. */
const misdate = async (minutes: number, status = 200, times = 1) => {
	const headers = { date: at(minutes).toUTCString() };
	const body = JSON.stringify({ success: true, data: [] });
	await sandbox.respond(status, 'GET /runs$', { headers, body, times });
};

describe.each([HOUR, YEAR, -HOUR, -YEAR])('a response that is dated %i minutes ahead', (ahead) => {
	it.each([200, 502])('does not lose or repeat a run (status %i)', async (status) => {
		const old = await ended(1);
		const host = await triggers.poller([robotId]);
		await misdate(ahead, status);
		await host.poll().catch(() => undefined);
		const runs = [await ended(10), await ended(10)];
		expect(await polled(host)).toEqual(runs);
		runs.push(await ended(30));
		expect(await polled(host)).toEqual(runs.slice(2));
		expect(await polled(host)).toEqual([]);
		expect(runIdsOf(host.emitted)).not.toContain(old);
	});

	it('does not start the workflow for old runs if it is the first event', async () => {
		const run = { startedAt: at(-YEAR), finishedAt: at(-YEAR) };
		await triggers.endedRun(robotId, 0, run);
		await triggers.endedRun(robotId, 3 * DAY);
		const date = at(ahead).toUTCString();
		await sandbox.control.fault({ kind: 'status', status: 502, headers: { date }, times: 1 });
		const host = await triggers.poller([robotId]);
		expect(await polled(host)).toEqual([]);
		const next = await ended(1);
		expect(await polled(host)).toEqual([next]);
	});
});

it.each([YEAR, -YEAR, HOUR, -HOUR])(
	"n8n's clock that jumps by %i minutes does not lose or repeat a run",
	async (minutes) => {
		const host = await triggers.poller([robotId]);
		const runs = [await ended(1)];
		expect(await polled(host)).toEqual(runs);
		// Maxun's clock is right.
		const next = at(10).toISOString();
		later(minutes);
		runs.push(await triggers.endedRun(robotId, 0, { startedAt: next, finishedAt: next }));
		await sandbox.control.clear();
		expect(await polled(host)).toEqual(runs.slice(1));
		expect(await polled(host)).toEqual([]);
	},
);

describe.each(['maxunCloud', 'selfHosted'])('%s:', (kind) => {
	const poller = async (given = {}) =>
		kind === 'selfHosted'
			? await triggers.poller(
					[robotId],
					{ server: 'selfHosted', ...given },
					{ credentials: sandbox.serverCredentials() },
				)
			: await triggers.poller([robotId], given);

	it('a run that is dated 2099 does not end the watch', async () => {
		const host = await poller();
		const odd = '2099-01-01T00:00:00.000Z';
		const runs = [await ended(1, { startedAt: odd, finishedAt: odd })];
		expect(await polled(host)).toEqual(runs);
		runs.push(await ended(10));
		expect(await polled(host)).toEqual(runs.slice(1));
		runs.push(await ended(5 * HOUR));
		expect(await polled(host)).toEqual(runs.slice(2));
		expect(await polled(host)).toEqual([]);
	});

	it("a robot's first run starts the workflow, whatever the clocks show", async () => {
		const host = await poller();
		const before = at(-5 * DAY).toISOString();
		const first = await ended(1, { startedAt: before, finishedAt: before });
		expect(await polled(host)).toEqual([first]);
		expect(await polled(host)).toEqual([]);
	});

	it('a run of 30 hours starts the workflow, even if it began before the publication', async () => {
		const running = { status: 'running', finishedAt: null };
		const runs = [await ended(1, running)];
		later(30 * HOUR);
		const host = await poller();
		runs.push(await ended(1, running));
		expect(await polled(host)).toEqual([]);
		for (let hour = 0; hour < 30; hour++) {
			const other = await ended(HOUR);
			expect(await polled(host)).toEqual([other]);
		}
		for (const run of runs) {
			const finishedAt = new Date().toISOString();
			await sandbox.control.patchRun(run, { status: 'success', finishedAt });
			later(1);
		}
		expect(await polled(host)).toEqual(runs);
		expect(await polled(host)).toEqual([]);
	});

	it('an active run that is deleted is forgotten', async () => {
		const run = await ended(1, { status: 'running', finishedAt: null });
		const host = await poller();
		await sandbox.owner.delete(`/runs/${run}`);
		for (let poll = 0; poll < 3; poll++) {
			await sandbox.control.clear();
			expect(await polled(host)).toEqual([]);
			later(1);
		}
		expect(await sandbox.count(new RegExp(run))).toBe(0);
	});

	it('a run that fails and then completes under the same ID starts the workflow for both', async () => {
		const host = await poller({ events: ['run_completed', 'run_failed'] });
		const run = await ended(1, { status: 'failed' });
		expect(await polled(host)).toEqual([run]);
		later(10);
		const finishedAt = new Date().toISOString();
		await sandbox.control.patchRun(run, { status: 'success', finishedAt });
		expect(await polled(host)).toEqual([run]);
		expect(host.emitted.map(({ json }) => json.event)).toEqual(['run_failed', 'run_completed']);
		expect(await announce(host, robotId, run)).toBe(200);
		expect(host.emitted).toHaveLength(2);
	});
});

it('a robot with many old runs costs few requests, and none of them starts the workflow', async () => {
	await sandbox.control.runs({ robotId, count: 1500 });
	await sandbox.control.runs({ robotId, count: 150, status: 'failed' });
	const host = await triggers.poller([robotId], { events: ['run_completed', 'run_failed'] });
	await sandbox.control.clear();
	expect(await polled(host)).toEqual([]);
	const run = await ended(3 * DAY);
	expect(await polled(host)).toEqual([run]);
	later(30 * DAY);
	expect(await polled(host)).toEqual([]);
	expect(await sandbox.count(/^GET .*\/runs\?/)).toBeLessThanOrEqual(6);
});

describe('an event', () => {
	it('of a run that ended long ago starts the workflow, unless the run is known', async () => {
		const host = await triggers.activeHost([robotId]);
		const run = await ended(1);
		later(3 * HOUR);
		expect(await announce(host, robotId, run)).toBe(200);
		expect(await announce(host, robotId, run)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([run]);
	});

	it.each([YEAR, -YEAR])(
		'starts the workflow although responses are dated %i minutes ahead',
		async (ahead) => {
			const host = await triggers.activeHost([robotId]);
			await misdate(ahead);
			await host.poll().catch(() => undefined);
			const run = await ended(1);
			expect(await announce(host, robotId, run)).toBe(200);
			expect(runIdsOf(host.emitted)).toEqual([run]);
		},
	);
});

it('the age of missed runs is the time between them and the latest run', async () => {
	const host = await triggers.poller([robotId], { options: { maxAge: 2 } });
	const told = warnings();
	await ended(HOUR);
	const runs = [await ended(150), await ended(1)];
	later(5 * DAY);
	expect(await polled(host)).toEqual(runs);
	expect(told).toEqual([expect.stringContaining('skipped 1 runs')]);
});

it.each([1, 20, 50])(
	'a robot that is recorded again next to another robot does not lose a run (%i minutes)',
	async (minutes) => {
		const name = unique('Prices');
		const former = await newRobot(sandbox, { name });
		const host = await triggers.poller([name, robotId]);
		const other = robotId;
		// Other tests would see the later time of its runs.
		onTestFinished(async () => void (await sandbox.owner.delete(`/robots/${other}`)));
		later(2);
		await sandbox.owner.delete(`/robots/${former}`);
		robotId = await newRobot(sandbox, { name });
		const runs = [await ended(minutes)];
		const emitted: unknown[] = [];
		for (let poll = 0; poll < 9; poll++) {
			runs.push(await triggers.endedRun(other));
			emitted.push(...(await polled(host)));
			later(10);
		}
		expect(new Set(emitted)).toEqual(new Set(runs));
		expect(emitted).toHaveLength(runs.length);
	},
);

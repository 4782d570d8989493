import type { IDataObject } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { KEYS, TEAM_ID } from '../sandbox/index.mts';
import { StaticData, type TriggerHost } from '../helpers/engine/index.mts';
import { newRobot, unique } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useClock } from './support/clock.mts';
import { announce, polled, runIdsOf, useTriggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

const { sandbox, triggers } = useTriggers();
const later = useClock();

let robotId: string;
beforeEach(async () => {
	robotId = await newRobot(sandbox);
});
// Triggers that watch all robots would also read its runs.
afterEach(async () => await sandbox.owner.delete(`/robots/${robotId}`));

/** Moves the date forward, and adds a run of the robot that ends then. */
const ended = async (minutes = 1, run: IDataObject = {}) => {
	later(minutes);
	return await triggers.endedRun(robotId, 0, run);
};

describe('a poll', () => {
	it('emits each run that ended since the publication once, earliest first', async () => {
		await triggers.endedRun(robotId, 90);
		const run = { startedAt: null, finishedAt: null };
		await sandbox.control.runs({ robotId, count: 100, status: 'queued', run });
		const host = await triggers.poller([robotId]);
		const [first, second] = [await ended(), await ended()];
		expect(await polled(host)).toEqual([first, second]);
		later(1);
		expect(await polled(host)).toEqual([]);
	});

	it.each([
		['every ten minutes, polled daily', 10, 24 * 60],
		['daily, polled weekly', 24 * 60, 7 * 24 * 60],
	])('emits all runs of a robot that runs %s', async (_, interval, poll) => {
		const host = await triggers.poller([robotId]);
		for (let round = 0; round < 2; round++) {
			const runs: string[] = [];
			while (runs.length * interval < poll) runs.push(await ended(interval));
			expect(await polled(host)).toEqual(runs);
		}
	});

	it('finds a run that appears late', async () => {
		const host = await triggers.poller([robotId]);
		later(5);
		const first = await ended();
		expect(await polled(host)).toEqual([first]);
		const late = await triggers.endedRun(robotId, 3);
		expect(await polled(host)).toEqual([late]);
	});

	it('emits the runs that ended while n8n was off, even if it was killed', async () => {
		const host = await triggers.poller([robotId]);
		const before = await ended();
		expect(await polled(host)).toEqual([before]);
		const during = [await ended(24 * 60), await ended(24 * 60)];
		await host.restart();
		expect(runIdsOf(host.emitted)).toEqual([before, ...during]);
	});

	it('emits a run again if n8n was killed before it stored the execution', async () => {
		// With durable cursors, n8n stores both together.
		const host = await triggers.poller([robotId], {}, { durable: false });
		const run = await ended();
		await host.poll();
		host.staticData.processed.clear();
		await host.restart();
		expect(runIdsOf(host.emitted)).toEqual([run, run]);
	});

	it('does not emit runs again while n8n is running, although n8n reports a start with each poll', async () => {
		const host = await triggers.poller([robotId]);
		const run = await ended();
		const activation = 'init' as const;
		expect(await polled(host, { activation })).toEqual([run]);
		expect(await host.poll({ activation })).toBeNull();
	});

	it('makes n8n save the cursor after 400 runs that do not start the workflow', async () => {
		const only = { options: { sources: ['schedule'] } };
		const host = await triggers.poller([robotId], only, { durable: false });
		const ignored = async (count: number) => {
			later(1);
			const at = new Date().toISOString();
			const run = { startedAt: at, finishedAt: at, source: 'api' };
			await sandbox.control.runs({ robotId, count, run });
			return await host.poll();
		};
		const { saves } = host.staticData;
		expect(await ignored(399)).toBeNull();
		expect(await ignored(1)).toMatchObject({ emitted: [[]] });
		expect(host.staticData.saves).toBe(saves + 1);
		expect(await ignored(1)).toBeNull();
	});

	it('emits a run without times once', async () => {
		const run = { status: 'aborted', startedAt: null, finishedAt: null };
		await triggers.endedRun(robotId, 0, run);
		const host = await triggers.poller([robotId], { events: ['run_completed', 'run_canceled'] });
		expect(await polled(host)).toEqual([]);
		const withoutTimes = await triggers.endedRun(robotId, 0, run);
		expect(await polled(host)).toEqual([withoutTimes]);
		expect(await polled(host)).toEqual([]);
	});

	it("ignores a list's odd entries, but a list without a readable entry isn't an empty list", async () => {
		const host = await triggers.poller([robotId]);
		const run = await ended();
		const answer = async (...data: unknown[]) => {
			const body = JSON.stringify({ success: true, data });
			await sandbox.respond(200, `GET ^/robots/${robotId}/runs`, { times: 1, body });
		};
		await answer(null, 42, 'odd');
		await expect(host.poll()).rejects.toThrow('could not read the response');
		const finishedAt = new Date().toISOString();
		await answer(null, 42, {}, { id: null }, { id: run, robotId, status: 'success', finishedAt });
		expect(await polled(host)).toEqual([run]);
	});
});

describe('a poll at its limits', () => {
	const slow = async (path: string, milliseconds: number, times = 1) =>
		await sandbox.control.fault({ kind: 'delay', milliseconds, path, times, method: 'GET' });

	it('the next poll continues a list that takes too long', async () => {
		const host = await triggers.poller([robotId]);
		const runs = await triggers.endedRuns(robotId, 2);
		await slow('/runs$', 700);
		expect(await polled(host, { budget: 300 })).toEqual([]);
		await expect.poll(async () => await polled(host, { budget: 5_000 })).toEqual(runs);
	});

	it('emits the other runs if a run takes too long', async () => {
		const host = await triggers.poller([robotId]);
		const [slowRun, other] = await triggers.endedRuns(robotId, 2);
		await slow(`/runs/${slowRun}$`, 1500);
		expect(await polled(host, { budget: 1000 })).toEqual([other]);
		expect(await polled(host, { budget: 5_000 })).toEqual([slowRun]);
	});

	it('emits what it has read when Maxun rejects further requests', async () => {
		const host = await triggers.poller([robotId]);
		const told = warnings();
		const runs = await triggers.endedRuns(robotId, 8);
		const headers = { 'retry-after': '2' };
		await sandbox.respond(429, 'GET /runs/[^/]+$', { headers, skip: 6, times: 1 });
		const first = await polled(host, { budget: 4000 });
		expect(first.length).toBeGreaterThanOrEqual(6);
		const second = await polled(host, { budget: 20_000 });
		expect([...first, ...second].sort()).toEqual([...runs].sort());
		expect(told).toEqual([]);
	});

	it('stops reading runs after half of its time, and does not continue a list later than 30 minutes', async () => {
		const host = await triggers.poller([robotId]);
		const runs = await triggers.endedRuns(robotId, 8);
		await slow('/runs/[^/]+$', 1200, 5);
		expect(await polled(host, { budget: 2000 })).toEqual(runs.slice(0, 5));
		await sandbox.control.clear();
		await slow('/runs/[^/]+$', 1200, 2);
		expect(await polled(host, { budget: 1500 })).toEqual(runs.slice(5, 8));
		expect(await sandbox.count(/\/runs\?/)).toBe(0);
		runs.push(...(await triggers.endedRuns(robotId, 8)));
		await slow('/runs/[^/]+$', 1200, 5);
		expect(await polled(host, { budget: 2000 })).toEqual(runs.slice(8, 13));
		runs.push(await ended(24 * 60));
		expect(await polled(host)).toEqual(runs.slice(13));
	});

	it('skips a poll while another poll is running', async () => {
		const host = await triggers.poller([robotId]);
		const runs = await triggers.endedRuns(robotId);
		await slow('/runs$', 300);
		const polls = await Promise.all([polled(host), polled(host)]);
		expect(polls.flat()).toEqual(runs);
	});
});

describe('several robots', () => {
	let other: string;
	beforeEach(async () => {
		other = await newRobot(sandbox);
	});

	it('are listed with one request, as long as this list contains each run', async () => {
		later(60 * 24 * 60);
		const host = await triggers.poller([robotId, other]);
		// The list begins with the latest run. Other tests have dated this run 60 days earlier.
		const first = await ended();
		expect(await polled(host)).toEqual([first]);
		const runs = [await ended()];
		later(1);
		runs.push(await triggers.endedRun(other));
		await sandbox.control.clear();
		expect(await polled(host)).toEqual(runs);
		expect(await sandbox.count(/GET .*\/runs\?/)).toBe(1);
		const hidden = await ended();
		const busy = await newRobot(sandbox);
		await sandbox.control.runs({ robotId: busy, count: 2100 });
		expect(await polled(host)).toEqual([hidden]);
		await sandbox.owner.delete(`/robots/${busy}`);
	});

	it("are all robots, even new robots, but not the nodes' temporary robots", async () => {
		const host = await triggers.poller([], { watch: 'all' });
		const runs = [await ended()];
		robotId = await newRobot(sandbox, { name: 'n8n urls until 2099-01-01T00:00Z abcdefghij' });
		await ended();
		robotId = await newRobot(sandbox);
		runs.push(await ended());
		expect(await polled(host)).toEqual(runs);
	});

	it.each([403, 404, 500])(
		'continue if a robot responds with status %s, which is logged once',
		async (status) => {
			await triggers.endedRun(other);
			const host = await triggers.poller([robotId, other]);
			await sandbox.control.runs({ robotId: await newRobot(sandbox), count: 120 });
			await sandbox.respond(status, `GET ^/robots/${other}/runs$`, { times: 99 });
			const missed = await triggers.endedRun(other, -1);
			const told = warnings();
			// The other robot's runs from before the watch are still known afterwards.
			const runs = [await ended(10), await ended()];
			expect(await polled(host)).toEqual(runs);
			const next = await ended();
			expect(await polled(host)).toEqual([next]);
			expect(told).toEqual([expect.stringContaining('continues with its other robots')]);
			await sandbox.control.clearFaults();
			expect(await polled(host)).toEqual([missed]);
		},
	);

	it('fail the poll and the publication if no robot can be read', async () => {
		const host = await triggers.poller([robotId, other]);
		for (const id of [robotId, other]) await sandbox.owner.delete(`/robots/${id}`);
		await sandbox.respond(500, 'GET ^/runs$', { times: 99 });
		await expect(host.poll()).rejects.toThrow(`could not find robot '${robotId}'`);
		await expect(triggers.poller([robotId])).rejects.toThrow(`could not find robot '${robotId}'`);
	});
});

describe('a run that cannot be read', () => {
	const fail = async (run: string, status = 500) =>
		await sandbox.control.fault({ kind: 'status', status, path: `/runs/${run}$`, times: 999 });

	it('does not delay others, is logged once, and starts the workflow with its error after 30 minutes', async () => {
		const host = await triggers.poller([robotId]);
		const bad = await ended();
		await fail(bad);
		const told = warnings();
		const good = await ended();
		expect(await polled(host)).toEqual([good]);
		later(29);
		expect(await polled(host)).toEqual([]);
		expect(told).toEqual([expect.stringContaining(bad)]);
		later(2);
		const poll = await host.poll();
		expect(poll?.emitted[0]?.[0]?.json).toMatchObject({
			event: 'run_completed',
			robot: { id: robotId },
			run: { id: bad },
			error: expect.stringContaining('Maxun'),
			details: expect.any(String),
		});
		expect(await polled(host)).toEqual([]);
	});

	it('starts the workflow with its data if it can be read in the meantime', async () => {
		const host = await triggers.poller([robotId]);
		const run = await ended();
		await fail(run);
		expect(await polled(host)).toEqual([]);
		await sandbox.control.clearFaults();
		later(10);
		expect(await polled(host)).toEqual([run]);
	});

	it('is read again if Maxun lists its end, but does not return it yet', async () => {
		const host = await triggers.poller([robotId]);
		const run = await ended();
		const { data } = await sandbox.owner.get(`/runs/${run}`);
		const body = { success: true, data: { ...data, status: 'running', finishedAt: null } };
		await sandbox.respond(200, `GET ^/runs/${run}$`, { body, times: 9 });
		const next = await ended(5);
		expect(await polled(host)).toEqual([next]);
		await sandbox.control.clearFaults();
		expect(await polled(host)).toEqual([run]);
	});

	it('is read again if its data appears within a minute', async () => {
		const host = await triggers.poller([robotId], { options: { ifNoData: 'nothing' } });
		const run = await ended(1, { data: {} });
		expect(await polled(host)).toEqual([]);
		await sandbox.control.patchRun(run, { data: { markdown: 'Late' } });
		later(1);
		expect(await polled(host)).toEqual([run]);
	});

	it("without data is not read again after a minute, even if the server's clock was set back", async () => {
		const host = await triggers.poller([robotId], { options: { ifNoData: 'nothing' } });
		await ended(60, { data: {} });
		later(-30);
		expect(await polled(host)).toEqual([]);
		later(1);
		expect(await polled(host)).toEqual([]);
		await sandbox.control.clear();
		expect(await polled(host)).toEqual([]);
		expect(await sandbox.count(/^GET \/runs\/[^?]/)).toBe(0);
	});
});

describe('the watch', () => {
	it('continues when the settings change, and begins now for new robots', async () => {
		const host = await triggers.poller([robotId]);
		const first = robotId;
		const failed = await ended(1, { status: 'failed' });
		const completed = await ended();
		robotId = await newRobot(sandbox);
		await ended();
		await host.deactivate();
		host.edit({
			name: 'Renamed',
			parameters: { robotIds: [first, robotId], events: ['run_completed', 'run_failed'] },
		});
		await host.activate('update');
		expect(runIdsOf(host.emitted)).toEqual([completed]);
		const later1 = await ended(1, { status: 'failed' });
		robotId = first;
		const later2 = await ended(1, { status: 'failed' });
		expect(await polled(host)).toEqual([later1, later2]);
		expect(runIdsOf(host.emitted)).not.toContain(failed);
	});

	it('with other events ignores earlier runs, even those that were processed without a change', async () => {
		const host = await triggers.poller([robotId], { events: ['run_changed'] });
		const earlier = await ended();
		later(2);
		expect(await polled(host)).toEqual([]);
		await host.republish({ parameters: { events: ['run_completed'] } });
		expect(await announce(host, robotId, earlier)).toBe(200);
		const run = await ended();
		expect(await polled(host)).toEqual([run]);
		expect(runIdsOf(host.emitted)).toEqual([run]);
	});

	it.each([
		['If No Data', { ifNoData: 'nothing' }, { ifNoData: 'item' }, { data: {} }],
		['Data Checks', { dataChecks: { minRows: 1000, ifCheckFails: 'nothing' } }, {}, {}],
	])('with another %s ignores runs that were ignored before', async (_, first, second, run) => {
		const host = await triggers.poller([robotId], { options: first }, { durable: false });
		await ended(1, run);
		later(2);
		for (let poll = 0; poll < 3; poll++) {
			await host.poll();
			later(1);
		}
		const options = { pollOnly: true, ...second };
		await host.republish({ parameters: { options } });
		expect(await polled(host)).toEqual([]);
		const next = await ended();
		expect(await polled(host)).toEqual([next]);
		expect(runIdsOf(host.emitted)).toEqual([next]);
	});

	it('continues from one robot to all robots and back', async () => {
		const host = await triggers.poller([robotId]);
		const runs: string[] = [];
		for (const watch of ['all', 'robots']) {
			runs.push(await ended());
			await host.deactivate();
			host.edit({ parameters: { watch } });
			await host.activate('update');
		}
		runs.push(await ended());
		await host.poll();
		expect(runIdsOf(host.emitted)).toEqual(runs);
	});

	it.each([
		[71, true],
		[73, false],
	])('continues if the workflow was unpublished for %s hours: %s', async (hours, continues) => {
		const host = await triggers.poller([robotId]);
		await host.deactivate();
		const run = await ended(hours * 60);
		later(1);
		await host.activate();
		expect(runIdsOf(host.emitted)).toEqual(continues ? [run] : []);
	});

	it.each([
		['continues with the same credential', {}, 1],
		[
			'begins a new watch for another key, which may belong to another account',
			{ apiKey: KEYS.poor },
			0,
		],
		['begins a new watch for another team in the credential', { teamId: TEAM_ID }, 0],
	])('of all robots %s', async (_, changes, count) => {
		const credentials = sandbox.credentials();
		const host = await triggers.poller([], { watch: 'all' }, { credentials });
		const { teamId = '' } = { teamId: '', ...changes };
		const watched = await newRobot(sandbox, { teamId });
		later(1);
		await triggers.endedRun(watched);
		later(1);
		Object.assign(credentials.maxunCloudApi, changes);
		await host.republish();
		expect(host.emitted).toHaveLength(count);
	});
});

it.each(['init', 'leadershipChange'] as const)(
	'a failed poll does not stop the trigger when n8n starts (%s), and does not lose anything',
	async (activation) => {
		const host = await triggers.poller([robotId]);
		const run = await ended();
		await sandbox.control.fault({ kind: 'status', status: 403, path: '/runs$', times: 1 });
		await expect(host.poll({ activation })).rejects.toThrow(/Maxun/);
		expect(await polled(host)).toEqual([run]);
	},
);

describe('events start the workflow before a poll has found a run', () => {
	const refusedOnce = async () => {
		const host = await triggers.host([robotId], { options: { pollOnly: true } });
		await sandbox.control.fault({ kind: 'status', status: 403, path: '/runs$', times: 1 });
		return host;
	};
	const expectStart = async (host: TriggerHost) => {
		host.reopen();
		await host.poll();
		expect(await announce(host, robotId, await ended())).toBe(200);
	};

	it('if the first poll failed when n8n started', async () => {
		const host = await refusedOnce();
		await expect(host.restart()).rejects.toThrow('Maxun');
		await expectStart(host);
	});

	it('if n8n 2 needs two attempts to publish', async () => {
		const host = await refusedOnce();
		await expect(host.activate()).rejects.toThrow('Maxun');
		await host.hook('create');
		await expectStart(host);
	});
});

it.each([false, true])(
	'publishing again does not start an execution without items (polls only: %s)',
	async (pollOnly) => {
		const options = { pollOnly };
		const host = await triggers.activeHost([robotId], { options }, { durable: false });
		const run = await ended();
		if (pollOnly) await host.poll();
		else await announce(host, robotId, run);
		await host.republish({ parameters: { options: { ...options, maxAge: 9 } } });
		expect(host.starts).toHaveLength(1);
	},
);

describe('while a poll is reading runs', () => {
	const slow = async (path: string, milliseconds: number) => {
		await sandbox.control.fault({ kind: 'delay', milliseconds, path, times: 9 });
	};
	// n8n 2 drops what the poll returns. n8n 1 uses it.
	describe.each([true, false])('(hooks first: %s)', (hooksFirst) => {
		it('publishing an edit does not start the workflow twice', async () => {
			// Maxun doesn't send events for canceled runs, so each poll lists the runs.
			const events = ['run_completed', 'run_canceled'];
			const host = await triggers.activeHost([robotId], { events }, { hooksFirst });
			const [run] = await triggers.endedRuns(robotId);
			await slow('/runs/[^/]+$', 400);
			await slow('/webhooks', 400);
			const polling = host.poll();
			await sleep(200);
			await host.republish({ parameters: { options: { maxAge: 9 } } });
			await polling;
			await host.poll();
			expect(runIdsOf(host.emitted)).toEqual([run]);
		});

		it('unpublishing, and publishing a month later, does not start the workflow for old runs', async () => {
			const host = await triggers.poller([robotId], {}, { hooksFirst });
			await triggers.endedRuns(robotId, 3);
			await slow('/runs/[^/]+$', 400);
			const polling = host.poll();
			await sleep(200);
			await host.deactivate();
			await polling;
			await sandbox.control.clearFaults();
			await triggers.endedRuns(robotId, 5);
			later(30 * 24 * 60);
			await host.activate();
			expect(await polled(host)).toEqual([]);
			expect(host.emitted).toEqual([]);
		});
	});
});

it('polls that n8n continues after it has unpublished the workflow find runs again after an hour', async () => {
	const host = await triggers.poller([robotId], {}, { hooksFirst: true, durable: false });
	await host.deactivate();
	const runs = await triggers.endedRuns(robotId, 2);
	expect(await polled(host)).toEqual([]);
	later(60);
	expect(await polled(host)).toEqual(runs);
});

// test/engine/trigger-time.test.mts tests the same with a second robot.
it('a robot that is recorded again with the same name does not lose a run', async () => {
	const name = unique('Prices');
	const former = await newRobot(sandbox, { name });
	const host = await triggers.poller([name]);
	later(2);
	await sandbox.owner.delete(`/robots/${former}`);
	robotId = await newRobot(sandbox, { name });
	const run = await ended();
	later(1);
	for (const runs of [[], [run], []]) expect(await polled(host)).toEqual(runs);
});

it.each([60, 300])('%i robots that run twice an hour need few requests', async (count) => {
	const teamId = TEAM_ID;
	const robots: string[] = [];
	while (robots.length < count) robots.push(await newRobot(sandbox, { teamId }));
	const host = await triggers.poller(robots, { options: { teamId: locator(teamId) } });
	const at = new Date().toISOString();
	for (const id of robots) {
		const run = { startedAt: at, finishedAt: at };
		await sandbox.control.runs({ robotId: id, count: 2, run });
	}
	await sandbox.client({ teamId }).delete(`/robots/${robots[0]}`);
	later(1);
	await sandbox.control.clear();
	await host.poll();
	expect(await sandbox.count(/^GET (?!\/runs\/)/)).toBeLessThanOrEqual(10);
});

it('a trigger that cannot keep up with the rate limit says so once', async () => {
	const host = await triggers.poller([robotId]);
	const told = warnings();
	const emitted: unknown[] = [];
	for (let day = 0; day < 4; day++) {
		for (let run = 0; run < 6; run++) await ended(240);
		const headers = { 'retry-after': '900' };
		await sandbox.respond(429, 'GET /runs/[^/]+$', { headers, skip: 2, times: 99 });
		emitted.push(...(await polled(host)));
		await sandbox.control.clearFaults();
	}
	expect(told).toEqual([expect.stringMatching(/Poll more often, or watch fewer robots/)]);
	for (let poll = 0; poll < 3; poll++) emitted.push(...(await polled(host)));
	expect(new Set(emitted).size).toBe(24);
});

it.each([
	['an option is missing', { criteria: { events: ['run_completed'] } }],
	['a part is damaged', { criteria: 7, seen: [], active: 'x', unsaved: null, baselines: 1 }],
])('a saved cursor from another version continues (%s)', async (_, changes) => {
	const host = await triggers.poller([robotId], {}, { durable: false });
	const data = z.object({ global: z.record(z.record(z.unknown())) }).parse(host.staticData.load());
	const saved = Object.fromEntries(
		Object.entries(data.global).map(([key, value]) => [
			key,
			'done' in value ? { ...value, ...changes } : { ...value, webhooks: 3, names: 'x', page: [] },
		]),
	);
	host.staticData.replace({ global: saved });
	const run = await ended();
	later(1);
	await host.restart();
	expect(runIdsOf(host.emitted)).toEqual([run]);
});

it.each([401, 500])('while Maxun responds with %s, only the first poll fails', async (status) => {
	const host = await triggers.poller([robotId]);
	const run = await ended();
	await sandbox.control.fault({ kind: 'status', status, path: '.*', times: 9999 });
	let failures = 0;
	for (let poll = 0; poll < 5; poll++) {
		await host.poll().catch(() => failures++);
		later(1);
	}
	await sandbox.control.clearFaults();
	expect(failures).toBe(1);
	expect(await polled(host)).toEqual([run]);
});

describe('with durable cursors', () => {
	// With webhooks, polls look for runs only once an hour.
	it.each([true, false])(
		'a run whose poll n8n discards is emitted by the next poll (only polls: %s)',
		async (pollOnly) => {
			const host = await triggers.activeHost(
				[robotId],
				{ options: { pollOnly } },
				{ durable: true },
			);
			await host.poll();
			const first = await ended(61);
			expect(await polled(host, { discarded: true })).toEqual([]);
			const second = await ended();
			expect(await polled(host)).toEqual([first, second]);
			expect(await host.poll()).toBeNull();
		},
	);

	it('events start the workflow, even if n8n was killed before it saved the first poll', async () => {
		const staticData = new StaticData();
		const saving = vi.spyOn(staticData, 'save').mockReturnValue();
		const host = await triggers.poller([robotId], {}, { durable: true, staticData });
		await host.restart();
		saving.mockRestore();
		await host.poll();
		const run = await ended();
		expect(await announce(host, robotId, run)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([run]);
	});

	it('the trigger watches from the publication on, even a week after the last publication', async () => {
		const host = await triggers.poller([robotId], {}, { durable: true });
		await ended();
		await host.poll();
		await host.deactivate();
		const old = await ended();
		later(7 * 24 * 60);
		await host.activate();
		const run = await ended();
		expect(await polled(host)).toEqual([run]);
		expect(runIdsOf(host.emitted)).not.toContain(old);
	});
});

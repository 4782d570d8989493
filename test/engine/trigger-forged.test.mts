import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { TriggerHost } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useClock } from './support/clock.mts';
import { announce, runIdsOf, useTriggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

// Anybody with the trigger's URL can send deliveries.

const { sandbox, triggers } = useTriggers();
const later = useClock();
let robotId: string;
let host: TriggerHost;
beforeEach(async () => {
	robotId = await newRobot(sandbox);
	host = await triggers.activeHost([robotId]);
	later(1);
	await sandbox.control.clear();
});

const send = async (run?: unknown) => await announce(host, robotId, run);
const requests = async () => (await sandbox.sent()).length;

describe('a delivery', () => {
	it("without the robot's ID in its URL does not cost a request", async () => {
		const run = await triggers.endedRun(robotId);
		const body = { event_type: 'run_completed', data: { run_id: run } };
		for (const query of ['', '?robot=', '?robot=Prices', '?robot=a&robot=b', '?run=1']) {
			expect((await host.post(body, host.url + query)).status).toBe(200);
		}
		expect(await requests()).toBe(0);
		expect(host.emitted).toEqual([]);
	});

	it('of a robot that the trigger does not watch does not cost a request', async () => {
		const run = await triggers.endedRun(robotId);
		expect(await announce(host, randomUUID(), run)).toBe(200);
		expect(await requests()).toBe(0);
		expect(host.emitted).toEqual([]);
	});

	it.each(['active', '../robots', 'a'.repeat(150), '7', '%2e%2e'])(
		'with %j instead of an ID does not cause a request',
		async (id) => {
			await triggers.endedRun(robotId);
			// On a busy computer, the first poll may still be listing active runs.
			await host.poll();
			await sandbox.control.clear();
			await send(id);
			expect(await sandbox.count(/^GET \/runs\/(active|\.|a{9}|7|%)/)).toBe(0);
		},
	);

	it('of a run that does not start the workflow is read once an hour, whatever the event is called', async () => {
		const [foreign = ''] = await sandbox.control.runs({ robotId: await newRobot(sandbox) });
		const failed = await triggers.endedRun(robotId, 0, { status: 'failed' });
		for (let round = 0; round < 20; round++) {
			for (const run_id of [foreign, failed]) {
				const body = { event_type: `run_${round}`, data: { run_id } };
				expect((await host.post(body, `${host.url}?robot=${robotId}`)).status).toBe(200);
			}
			later(2);
		}
		expect(await requests()).toBe(2);
		later(60);
		await send(failed);
		expect(await requests()).toBe(3);
		expect(host.emitted).toEqual([]);
	});

	it('that arrives several times at once is read once', async () => {
		const run = await triggers.endedRun(robotId);
		const delay = { kind: 'delay', milliseconds: 300, path: `/runs/${run}$`, times: 9 } as const;
		await sandbox.control.fault(delay);
		const sent = await Promise.all(Array.from({ length: 8 }, async () => await send(run)));
		expect(new Set(sent)).toEqual(new Set([200]));
		expect(await requests()).toBe(1);
		expect(runIdsOf(host.emitted)).toEqual([run]);
	});
});

describe('many deliveries of unknown runs', () => {
	const flood = async (count: number, id: () => unknown = randomUUID) =>
		await Promise.all(Array.from({ length: count }, async () => await send(id())));

	it.each([
		['with IDs', randomUUID],
		['without IDs', () => undefined],
		['with odd IDs', () => 'active'],
	])('%s cost at most 30 requests a minute', async (_, id) => {
		await flood(60, id);
		expect(await requests()).toBeLessThanOrEqual(30);
		later(1.1);
		await flood(60, id);
		expect(await requests()).toBeLessThanOrEqual(60);
		expect(host.emitted).toEqual([]);
	});

	it('share the connection, and write at most one line an hour to the log', async () => {
		const told = warnings();
		await sandbox.control.fault({ kind: 'status', status: 500, path: '/runs/', times: 9999 });
		for (let minute = 0; minute < 20; minute++) {
			await flood(10);
			later(1.1);
		}
		expect(told).toHaveLength(1);
	});

	it('need at most 30 requests and a line in the log, and do not hold up a true event, even if there are 500', async () => {
		const told = warnings();
		const run = await triggers.endedRun(robotId);
		const others = `/runs/(?!${run})`;
		await sandbox.control.fault({ kind: 'status', status: 500, path: others, times: 9999 });
		await flood(250);
		await send(run);
		await flood(250);
		expect(await sandbox.count(new RegExp(`^GET ${others}`))).toBeLessThanOrEqual(30);
		expect(told.length).toBeLessThanOrEqual(1);
		// Maxun sends it again if it was rejected.
		later(1.1);
		expect(await send(run)).toBe(200);
		await host.poll();
		expect(runIdsOf(host.emitted)).toEqual([run]);
	});

	it('do not limit true events', async () => {
		const runs = await triggers.endedRuns(robotId, 60);
		for (const status of await Promise.all(runs.map(send))) expect(status).toBe(200);
		expect(runIdsOf(host.emitted).sort()).toEqual(runs.sort());
	});
});

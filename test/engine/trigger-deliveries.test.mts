import type { INodeParameters } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEMO, KEYS } from '../sandbox/index.mts';
import type { TriggerOptions } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { useClock } from './support/clock.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);
beforeEach(
	async () =>
		await sandbox.control.settings({
			runSeconds: 0.1,
			slots: 5,
			deliveryCopies: 1,
			deliveryShape: 'snake',
			allowPrivateWebhooks: true,
		}),
);

/** An active trigger on a new robot, and a function that sends the event of a run. */
async function watch(parameters: INodeParameters = {}, options: Partial<TriggerOptions> = {}) {
	const robotId = await newRobot(sandbox);
	const host = await triggers.activeHost([robotId], parameters, options);
	const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
	/** @returns the status of the response */
	const announce = async (run_id: unknown) =>
		(await host.post({ event_type: 'run_completed', data: { run_id } }, url)).status;
	return { robotId, host, announce };
}

describe('a run that ends', () => {
	it('a run that ends starts the workflow with data from the API', async () => {
		const { robotId, host } = await watch();
		const runId = await triggers.finishedRun(robotId);
		const [item] = await host.waitForItems(1);
		expect(item?.json).toMatchObject({
			event: 'run_completed',
			robot: { id: robotId },
			run: { id: runId, status: 'success', data: { markdown: expect.any(String) } },
		});
		const asked = (await sandbox.sent()).filter(({ path }) => path === `/runs/${runId}`);
		expect(asked).toHaveLength(1);
		expect(asked[0]?.headers.authorization).toBe(`Bearer ${KEYS.owner}`);
	});

	it.each(['snake', 'camel', 'flat', 'camelNoId'] as const)(
		'a delivery of the shape %s is accepted',
		async (deliveryShape) => {
			await sandbox.control.settings({ deliveryShape });
			const { robotId, host } = await watch();
			const runId = await triggers.finishedRun(robotId);
			expect(runIdsOf(await host.waitForItems(1))).toEqual([runId]);
		},
	);

	it('a run is emitted once, however often it is delivered', async () => {
		await sandbox.control.settings({ deliveryCopies: 3 });
		const { robotId, host } = await watch();
		const runId = await triggers.finishedRun(robotId);
		await host.waitForDeliveries(4);
		await sandbox.control.repeatDeliveries(runId);
		await host.waitForDeliveries(7);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
		expect(host.deliveries.map(({ status }) => status)).toEqual([202, ...Array(6).fill(200)]);
	});

	it('a run is emitted only for selected events', async () => {
		const host = await triggers.activeHost([DEMO.failing, DEMO.article], {
			events: ['run_failed'],
		});
		await triggers.finishedRun(DEMO.article);
		const failed = await triggers.finishedRun(DEMO.failing);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([failed]);
		expect(host.emitted[0]?.json).toMatchObject({
			event: 'run_failed',
			run: { status: 'failed', error: expect.any(String) },
		});
		await host.deactivate();
	});

	it('a run becomes an item for each row, or the raw run if configured', async () => {
		const rows = await triggers.activeHost([DEMO.products], { output: 'rows' });
		await triggers.finishedRun(DEMO.products);
		const items = await rows.waitForItems(8);
		expect(items[0]?.json).toMatchObject({ Product: expect.any(String) });
		await rows.deactivate();
		const raw = await triggers.activeHost([DEMO.products], { output: 'raw' });
		const runId = await triggers.finishedRun(DEMO.products);
		const [item] = await raw.waitForItems(1);
		expect(item?.json.run).toEqual((await sandbox.owner.get(`/runs/${runId}`)).body.data);
		await raw.deactivate();
	});

	it('a run without changes is skipped if only changes are wanted', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId], { options: { onlyChanges: true } });
		await triggers.finishedRun(robotId);
		await host.waitForDeliveries(1);
		expect(host.emitted).toEqual([]);
		const [changed = ''] = await triggers.endedRuns(robotId, 1, { hasChanges: true });
		await sandbox.control.repeatDeliveries(changed);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([changed]);
	});
});

describe('a delivery that is not confirmed', () => {
	it('a delivery that the API does not confirm starts nothing', async () => {
		const [robotId, other] = [await newRobot(sandbox), await newRobot(sandbox)];
		const host = await triggers.activeHost([robotId]);
		const [foreign] = await sandbox.control.runs({ robotId: other });
		const [aborted] = await sandbox.control.runs({ robotId, status: 'aborted' });
		await sandbox.control.settings({ slots: 0 });
		const going = await sandbox.owner.start(robotId);
		const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
		const claim = (runId: unknown) => ({
			event_type: 'run_completed',
			data: { run_id: runId, robot_id: robotId, status: 'success' },
		});
		for (const body of [
			claim('no-such-run'),
			claim('../robots'),
			claim(foreign),
			claim(aborted),
			claim(going),
			claim({ $ne: null }),
			claim('x'.repeat(200_000)),
			`{"data":${'['.repeat(1000)}${']'.repeat(1000)}}`,
			claim(''),
			[],
			'null',
			'"text"',
			'{"cut',
		]) {
			const { status } = await host.post(body, url);
			expect(status, JSON.stringify(body)).not.toBe(500);
		}
		expect(host.emitted).toEqual([]);
		expect(host.deliveries.filter(({ error }) => error !== undefined)).toEqual([]);
	});

	it('a delivery that cannot be checked now is refused, so that it is retried', async () => {
		const { robotId, host, announce } = await watch();
		const [runId] = await triggers.endedRuns(robotId);
		for (const [status, headers] of [
			[503, { 'retry-after': '0' }],
			[429, { 'retry-after': '600' }],
			[500, {}],
		] as const) {
			await sandbox.control.fault({ kind: 'status', status, path: '^/runs', headers, times: 9 });
			expect(await announce(runId)).toBe(503);
			await sandbox.control.clear();
		}
		expect(host.emitted).toEqual([]);
		expect(await announce(runId)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
	});
});

describe('a repeated delivery', () => {
	it('leaves an execution without items, even while n8n stores the first one', async () => {
		const { robotId, host, announce } = await watch();
		const [runId] = await triggers.endedRuns(robotId);
		host.storing = async () => await sleep(300);
		const statuses = [1, 2, 3].map(async () => await announce(runId));
		expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
	});

	it('starts the workflow if n8n responded to the first with an error', async () => {
		const { robotId, host, announce } = await watch();
		const [runId] = await triggers.endedRuns(robotId);
		host.storing = async () => await Promise.reject(new Error('The database is away'));
		expect(await announce(runId)).toBe(500);
		host.storing = async () => undefined;
		expect(await announce(runId)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
	});
});

describe('a run that cannot be fetched', () => {
	const later = useClock();

	/** An active trigger, and functions that deliver a run and make its requests fail. */
	async function active() {
		const options = { options: { includeDiff: true } };
		const { robotId, host, announce: send } = await watch(options);
		const newRun = async () => {
			const [id = ''] = await triggers.endedRuns(robotId, 1, { hasChanges: true });
			return id;
		};
		const fail = async (path: string) =>
			await sandbox.control.fault({ kind: 'status', status: 500, path, times: 999 });
		return { host, send, newRun, fail };
	}

	const withoutDiff = { diff: null, diffError: expect.stringContaining('Maxun returned status') };

	it("a run whose diff cannot be read is emitted without it at the sender's last retry", async () => {
		const { host, send, newRun, fail } = await active();
		const bad = await newRun();
		await fail(`/runs/${bad}/diff$`);
		expect(await send(bad)).toBe(503);
		later(21);
		expect(await send(bad)).toBe(503);
		later(21);
		expect(await send(bad)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([bad]);
		expect(host.emitted[0]?.json).toMatchObject(withoutDiff);
	});
});

describe('missed runs', () => {
	const later = useClock();

	it('missed runs follow the next delivery, oldest first, each once', async () => {
		const { robotId, host, announce } = await watch();
		const missed = await triggers.endedRuns(robotId, 3);
		later(6);
		const [named] = await triggers.endedRuns(robotId);
		expect(await announce(named)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([...missed, named]);
		expect(await announce(missed[1])).toBe(200);
		expect(host.emitted).toHaveLength(4);
	});

	it('missed runs are emitted on activation after downtime', async () => {
		const robotId = await newRobot(sandbox);
		const first = await triggers.activeHost([robotId]);
		await triggers.finishedRun(robotId);
		await first.waitForItems(1);
		const { port, staticData } = first;
		await first.close();
		const [missed] = await triggers.endedRuns(robotId);
		const saved = staticData.reloaded();
		const second = await triggers.activeHost([robotId], {}, { port, staticData: saved });
		expect(runIdsOf(await second.waitForItems(1))).toEqual([missed]);
	});

	it('missed runs of other robots are emitted if one robot was deleted', async () => {
		const [gone, robotId] = [await newRobot(sandbox), await newRobot(sandbox)];
		const host = await triggers.activeHost([gone, robotId]);
		const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
		await sandbox.owner.delete(`/robots/${gone}`);
		const [missed] = await triggers.endedRuns(robotId);
		later(6);
		const [named] = await triggers.endedRuns(robotId);
		const body = { event_type: 'run_completed', data: { run_id: named } };
		expect((await host.post(body, url)).status).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([missed, named]);
		const [last] = await triggers.endedRuns(robotId);
		expect((await host.post({ event_type: 'run_completed' }, url)).status).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([missed, named, last]);
	});
});

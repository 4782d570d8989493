import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DEMO, KEYS } from '../sandbox/index.mts';
import type { TriggerHost } from '../helpers/engine/index.mts';
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

describe('a run that ends', () => {
	it('a run that ends starts the workflow with data from the API', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
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
			const robotId = await newRobot(sandbox);
			const host = await triggers.activeHost([robotId]);
			const runId = await triggers.finishedRun(robotId);
			expect(runIdsOf(await host.waitForItems(1))).toEqual([runId]);
		},
	);

	it('the trigger resolves its credential once for a delivery', async () => {
		const values = sandbox.credentials();
		let resolved = 0;
		const credentials = {
			get maxunCloudApi() {
				resolved++;
				return values.maxunCloudApi;
			},
		};
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId], {}, { credentials });
		resolved = 0;
		await sandbox.control.clear();
		await triggers.finishedRun(robotId);
		await host.waitForItems(1);
		expect((await sandbox.sent()).length).toBeGreaterThan(1);
		expect(resolved).toBe(1);
	});

	it('a run is emitted once, however often it is delivered', async () => {
		await sandbox.control.settings({ deliveryCopies: 3 });
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		const runId = await triggers.finishedRun(robotId);
		await host.waitForDeliveries(3);
		await sandbox.control.repeatDeliveries(runId);
		await host.waitForDeliveries(6);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
		expect(host.deliveries.map(({ status }) => status)).toEqual(Array(6).fill(200));
	});

	it('many runs that end together are all emitted', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		const ids = await Promise.all(
			Array.from({ length: 6 }, async () => await triggers.finishedRun(robotId)),
		);
		expect(runIdsOf(await host.waitForItems(6)).sort()).toEqual(ids.sort());
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
		const [changed = ''] = await sandbox.control.runs({ robotId, run: { hasChanges: true } });
		await sandbox.control.repeatDeliveries(changed);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([changed]);
	});
});

describe('a delivery that is not confirmed', () => {
	it('a delivery without the secret is refused and starts nothing', async () => {
		const robotId = await newRobot(sandbox);
		const [runId] = await sandbox.control.runs({ robotId });
		const host = await triggers.activeHost([robotId]);
		const body = { event_type: 'run_completed', data: { run_id: runId, robot_id: robotId } };
		const url = new URL((await triggers.webhooks(robotId))[0]?.url ?? '');
		const [name = '', secret = ''] = [...url.searchParams.entries()][0] ?? [];
		await sandbox.control.clear();
		for (const query of [
			'',
			`?${name}=`,
			`?${name}=wrong`,
			`?${name}=${secret}x`,
			`?${name}[]=${secret}`,
		]) {
			const { status } = await host.post(body, host.url + query);
			expect([401, 403]).toContain(status);
		}
		expect(host.emitted).toEqual([]);
		expect(await sandbox.sent()).toEqual([]);
	});

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
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
		const [runId] = await sandbox.control.runs({ robotId });
		const body = { event_type: 'run_completed', data: { run_id: runId, robot_id: robotId } };
		for (const [status, headers] of [
			[503, { 'retry-after': '0' }],
			[429, { 'retry-after': '600' }],
			[500, {}],
		] as const) {
			await sandbox.control.fault({ kind: 'status', status, path: '^/runs', headers, times: 9 });
			expect((await host.post(body, url)).status).toBe(503);
			await sandbox.control.clear();
		}
		expect(host.emitted).toEqual([]);
		expect((await host.post(body, url)).status).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
	});
});

describe('before n8n has stored the execution', () => {
	const later = useClock();
	const claim = (run_id: unknown) => ({ event_type: 'run_completed', data: { run_id } });

	/** An n8n that delays the first execution, and a run whose delivery it has accepted. */
	async function busy() {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
		const [runId] = await sandbox.control.runs({ robotId });
		const gate = new EventEmitter();
		const stored = once(gate, 'open');
		const store = () => gate.emit('open');
		const taken = new Promise<void>((resolve) => {
			host.storing = async () => {
				host.storing = async () => undefined;
				resolve();
				await stored;
			};
		});
		const first = host.post(claim(runId), url).then(
			({ status }) => status,
			() => 0,
		);
		await taken;
		const send = async (id: unknown) => (await host.post(claim(id), url)).status;
		return { host, robotId, runId, store, first, send };
	}

	it('a repeated delivery and other runs do not start its run again', async () => {
		const { host, robotId, runId, store, first, send } = await busy();
		later(5);
		expect(await send(runId)).toBe(503);
		const [other] = await sandbox.control.runs({ robotId });
		expect(await send(other)).toBe(200);
		later(40);
		expect(await send(runId)).toBe(503);
		expect(runIdsOf(host.emitted)).toEqual([other]);
		store();
		expect(await first).toBe(200);
		expect(await send(runId)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([other, runId]);
	});

	it('its run is emitted again if n8n reports nothing until all retries are over', async () => {
		const { host, runId, store, first, send } = await busy();
		later(61);
		expect(await send(runId)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
		store();
		await first;
	});

	it('a repeated delivery is accepted at once if n8n responded to the first with an error', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
		const [runId] = await sandbox.control.runs({ robotId });
		host.storing = async () => await Promise.reject(new Error('The database is away'));
		expect((await host.post(claim(runId), url)).status).toBe(500);
		host.storing = async () => undefined;
		expect((await host.post(claim(runId), url)).status).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
	});

	it('a repeated delivery does not start the run again while its items are built', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId], { options: { includeDiff: true } });
		const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
		const [runId] = await sandbox.control.runs({ robotId, run: { hasChanges: true } });
		await sandbox.control.fault({ kind: 'delay', milliseconds: 700, path: '/diff$' });
		const first = host.post(claim(runId), url);
		await vi.waitFor(async () =>
			expect(await sandbox.control.lines()).toContain(`GET /runs/${runId}/diff`),
		);
		later(2);
		expect((await host.post(claim(runId), url)).status).toBe(200);
		expect((await first).status).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
	});
});

describe('deliveries that arrive together', () => {
	const claim = (run_id: unknown) => ({ event_type: 'run_completed', data: { run_id } });

	/** Deliveries of several runs, of which the first one starts the workflow alone. */
	async function together(count: number, store: () => Promise<void> = async () => undefined) {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId], { options: { catchUp: false } });
		const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
		const runIds = await sandbox.control.runs({ robotId, count });
		await sandbox.control.clear();
		await sandbox.control.fault({ kind: 'delay', milliseconds: 500, path: '/runs/' });
		const [first = '', ...others] = runIds;
		const statusOf = async (runId: string) => (await host.post(claim(runId), url)).status;
		const one = statusOf(first);
		await vi.waitFor(async () => expect(await sandbox.control.lines()).toHaveLength(1));
		host.storing = async () => {
			host.storing = store;
		};
		const statuses = await Promise.all([one, ...others.map(statusOf)]);
		return { host, url, runIds, statuses, statusOf };
	}

	it('start one execution', async () => {
		const { host, runIds, statuses } = await together(5);
		expect(statuses).toEqual(Array(5).fill(200));
		const starts = host.deliveries.flatMap(({ emitted }) => (emitted?.[0] ? [emitted[0]] : []));
		expect(starts.map(({ length }) => length)).toEqual([1, 4]);
		expect(runIdsOf(host.emitted).sort()).toEqual([...runIds].sort());
	});

	it('are all retried if n8n cannot store their execution', async () => {
		const failing = async () => await Promise.reject(new Error('The database is away'));
		const { host, runIds, statuses, statusOf } = await together(4, failing);
		expect(statuses.slice().sort()).toEqual([200, 500, 503, 503]);
		host.storing = async () => undefined;
		const retried = await Promise.all(runIds.map(statusOf));
		expect(retried).toEqual(Array(4).fill(200));
		expect(runIdsOf(host.emitted).sort()).toEqual([...runIds].sort());
	});

	it('each get their own response', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId], { options: { catchUp: false } });
		const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
		const [first, second, broken] = await sandbox.control.runs({ robotId, count: 3 });
		const [aborted] = await sandbox.control.runs({ robotId, status: 'aborted' });
		await sandbox.control.clear();
		await sandbox.control.fault({ kind: 'status', status: 500, path: `/runs/${broken}$` });
		await sandbox.control.fault({ kind: 'delay', milliseconds: 500, path: `/runs/${first}$` });
		const statusOf = async (runId: unknown) => (await host.post(claim(runId), url)).status;
		const one = statusOf(first);
		await vi.waitFor(async () => expect(await sandbox.control.lines()).toHaveLength(1));
		const others = [second, second, broken, aborted, 'unknown'].map(statusOf);
		expect(await one).toBe(200);
		expect(await Promise.all(others)).toEqual([200, 200, 503, 200, 503]);
		expect(runIdsOf(host.emitted)).toEqual([first, second]);
	});
});

describe('a run that cannot be fetched', () => {
	const later = useClock();

	/** An active trigger, and functions that deliver a run and make its requests fail. */
	async function active() {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId], { options: { includeDiff: true } });
		const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
		const send = async (run_id: unknown) =>
			(await host.post({ event_type: 'run_completed', data: { run_id } }, url)).status;
		const newRun = async () => {
			const [id = ''] = await sandbox.control.runs({ robotId, run: { hasChanges: true } });
			return id;
		};
		const fail = async (path: string) =>
			await sandbox.control.fault({ kind: 'status', status: 500, path, times: 999 });
		const since = () => Number(Object(host.staticData.ofNode().ledger).since);
		return { host, send, newRun, fail, since };
	}

	const withoutDiff = { diff: null, diffError: expect.stringContaining('Maxun returned status') };

	it('a missed run whose diff cannot be read does not delay others', async () => {
		const { host, send, newRun, fail } = await active();
		const [bad, good] = [await newRun(), await newRun()];
		await fail(`/runs/${bad}/diff$`);
		expect(await send(good)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([good]);
		later(31);
		const last = await newRun();
		expect(await send(last)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([good, bad, last]);
		expect(host.emitted[1]?.json).toMatchObject(withoutDiff);
	});

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

	it('a run that cannot be read is emitted without its data after a while', async () => {
		const { host, send, newRun, fail, since } = await active();
		const bad = await newRun();
		const endOfBad = Date.now();
		await fail(`/runs/${bad}$`);
		later(1);
		const good = await newRun();
		expect(await send(good)).toBe(200);
		expect(since()).toBeLessThanOrEqual(endOfBad);
		later(31);
		const last = await newRun();
		expect(await send(last)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([good, bad, last]);
		expect(host.emitted[1]?.json.dataError).toContain('Maxun returned status');
		expect(since()).toBeGreaterThan(endOfBad);
		await sandbox.control.clear();
		expect(await send(bad)).toBe(200);
		expect(host.emitted).toHaveLength(3);
	});
});

it('the saved state stays small', async () => {
	const robotId = await newRobot(sandbox);
	const host = await triggers.activeHost([robotId]);
	const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
	const ids = await sandbox.control.runs({ robotId, count: 150 });
	for (const runId of ids) {
		await host.post({ event_type: 'run_completed', data: { run_id: runId } }, url);
	}
	expect(host.emitted).toHaveLength(150);
	expect(JSON.stringify(host.staticData.load()).length).toBeLessThan(10_000);
});

describe('a restart of n8n without hooks', () => {
	/** A process with the saved data, and the next run that ends. */
	async function afterRestart(robotId: string, host: TriggerHost): Promise<[TriggerHost, string]> {
		const { port } = host;
		const staticData = host.staticData.reloaded();
		await host.close();
		await sleep(10);
		const restarted = await triggers.host([robotId], {}, { port, staticData });
		restarted.reopen();
		const runId = await triggers.finishedRun(robotId);
		await restarted.waitForItems(1);
		return [restarted, runId];
	}

	it('the next run is emitted after a restart, and earlier ones are not', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		const earlier = await triggers.finishedRun(robotId);
		await host.waitForItems(1);
		const [restarted, runId] = await afterRestart(robotId, host);
		expect(runIdsOf(restarted.emitted)).toEqual([runId]);
		await sandbox.control.repeatDeliveries(earlier);
		await restarted.waitForDeliveries(2);
		expect(restarted.emitted).toHaveLength(1);
	});

	it('the next run is emitted after a restart, even if an older copy replaced the saved data', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		const older = host.staticData.load();
		const earlier = await triggers.finishedRun(robotId);
		await host.waitForItems(1);
		host.staticData.replace(older);
		// Any delivery fixes this.
		await sandbox.control.repeatDeliveries(earlier);
		await host.waitForDeliveries(3);
		const [restarted, runId] = await afterRestart(robotId, host);
		expect(runIdsOf(restarted.emitted)).toEqual([runId]);
	});
});

describe('missed runs', () => {
	/** A run that ends without delivery. */
	async function unheardRun(robotId: string): Promise<string> {
		const [webhook] = await triggers.webhooks(robotId);
		const path = `/robots/${robotId}/webhooks/${webhook?.id}`;
		await sandbox.owner.patch(path, { active: false });
		const runId = await triggers.finishedRun(robotId);
		await sandbox.owner.patch(path, { active: true });
		return runId;
	}

	it('missed runs follow the next delivery, oldest first, each once', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		const ids = [await triggers.finishedRun(robotId)];
		await host.waitForItems(1);
		ids.push(await unheardRun(robotId), await unheardRun(robotId));
		ids.push(await triggers.finishedRun(robotId));
		expect(runIdsOf(await host.waitForItems(4))).toEqual(ids);
		await sandbox.control.repeatDeliveries(ids[1] ?? '');
		await host.waitForDeliveries(3);
		expect(host.emitted).toHaveLength(4);
	});

	it('missed runs are emitted on activation after downtime', async () => {
		const robotId = await newRobot(sandbox);
		const first = await triggers.activeHost([robotId]);
		await triggers.finishedRun(robotId);
		await first.waitForItems(1);
		const { port, staticData } = first;
		await first.close();
		const missed = await unheardRun(robotId);
		const saved = staticData.reloaded();
		const second = await triggers.activeHost([robotId], {}, { port, staticData: saved });
		expect(runIdsOf(await second.waitForItems(1))).toEqual([missed]);
	});

	it('missed runs of other robots are emitted if one robot was deleted', async () => {
		const [gone, robotId] = [await newRobot(sandbox), await newRobot(sandbox)];
		const host = await triggers.activeHost([gone, robotId]);
		const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
		await sandbox.owner.delete(`/robots/${gone}`);
		const [missed, named] = await sandbox.control.runs({ robotId, count: 2 });
		const told = { event_type: 'run_completed', data: { run_id: named } };
		expect((await host.post(told, url)).status).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([missed, named]);
		const [last] = await sandbox.control.runs({ robotId });
		expect((await host.post({ event_type: 'run_completed' }, url)).status).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([missed, named, last]);
	});

	it('runs before the first activation and aborted runs are not missed runs', async () => {
		const robotId = await newRobot(sandbox);
		await triggers.finishedRun(robotId);
		const host = await triggers.activeHost([robotId]);
		await sandbox.control.settings({ slots: 0 });
		await sandbox.control.abortRun(await sandbox.owner.start(robotId));
		await sandbox.control.settings({ slots: 5 });
		const runId = await triggers.finishedRun(robotId);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([runId]);
		await sleep(300);
		expect(host.emitted).toHaveLength(1);
	});
});

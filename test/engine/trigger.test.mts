import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { DEMO, KEYS, TEAM_ID } from '../sandbox/index.mts';
import { StaticData } from './harness/index.mts';
import { locator } from './support/parameters.mts';
import { useSandbox } from './support/sandbox.mts';
import { runIdsOf, TriggerWorld } from './support/triggers.mts';

const world = useSandbox();
const triggers = new TriggerWorld(world);
beforeEach(
	async () =>
		await world.control.settings({
			runSeconds: 0.1,
			slots: 5,
			deliveryCopies: 1,
			deliveryShape: 'snake',
			allowPrivateWebhooks: true,
		}),
);

/** An address without its query, which carries the secret. */
const withoutQuery = (url = '') => url.split('?')[0];

describe('activation', () => {
	test('registers one webhook on each robot, with a secret in its address', async () => {
		const robots = [await triggers.newRobot(), await triggers.newRobot()];
		const host = await triggers.activeHost(robots, { events: ['run_failed', 'run_completed'] });
		const secrets = [];
		for (const robotId of robots) {
			const [webhook, ...others] = await triggers.webhooks(robotId);
			expect(others).toEqual([]);
			expect(withoutQuery(webhook?.url)).toBe(host.url);
			expect(webhook).toMatchObject({ active: true, retryAttempts: 10 });
			expect([...(webhook?.events ?? [])].sort()).toEqual(['run_completed', 'run_failed']);
			secrets.push(new URL(webhook?.url ?? '').search);
		}
		expect(secrets[0]?.length).toBeGreaterThan(32);
		const other = await triggers.newRobot();
		await triggers.activeHost([other], {}, { node: { webhookId: 'another-trigger' } });
		expect(secrets).not.toContain(new URL((await triggers.webhooks(other))[0]?.url ?? '').search);
	});

	test('again, with or without what was saved, keeps one webhook and a living secret', async () => {
		const robotId = await triggers.newRobot();
		const first = await triggers.activeHost([robotId]);
		const { port } = first;
		await first.activate();
		expect(await triggers.webhooks(robotId)).toHaveLength(1);
		const staticData = first.staticData.reloaded();
		await first.close();
		const second = await triggers.activeHost([robotId], {}, { port, staticData });
		expect(await triggers.webhooks(robotId)).toHaveLength(1);
		await second.close();
		const third = await triggers.activeHost([robotId], {}, { port, staticData: new StaticData() });
		expect(await triggers.webhooks(robotId)).toHaveLength(1);
		const runId = await triggers.finishedRun(robotId);
		expect(runIdsOf(await third.waitForItems(1))).toEqual([runId]);
	});

	test('repairs a webhook that was paused or changed', async () => {
		const robotId = await triggers.newRobot();
		const host = await triggers.activeHost([robotId]);
		const [webhook] = await triggers.webhooks(robotId);
		const path = `/robots/${robotId}/webhooks/${webhook?.id}`;
		await world.ask(path, { method: 'PATCH', body: { active: false, events: ['run_failed'] } });
		await host.activate();
		expect(await triggers.webhooks(robotId)).toMatchObject([
			{ id: webhook?.id, active: true, events: ['run_completed'] },
		]);
	});

	test('registers anew where the webhook was deleted by hand', async () => {
		const robotId = await triggers.newRobot();
		const host = await triggers.activeHost([robotId]);
		const [webhook] = await triggers.webhooks(robotId);
		await world.ask(`/robots/${robotId}/webhooks/${webhook?.id}`, { method: 'DELETE' });
		await host.activate();
		expect(await triggers.webhooks(robotId)).toHaveLength(1);
	});

	test("leaves other webhooks alone, and acts for the node's team", async () => {
		const robotId = await triggers.newRobot({ teamId: TEAM_ID });
		const url = 'https://somebody.example.com/else';
		await world.ask(`/robots/${robotId}/webhooks`, {
			method: 'POST',
			teamId: TEAM_ID,
			body: { url },
		});
		const options = { teamId: locator(TEAM_ID) };
		const host = await triggers.activeHost([robotId], { options });
		expect(await triggers.webhooks(robotId, TEAM_ID)).toHaveLength(2);
		const runId = await triggers.finishedRun(robotId, TEAM_ID);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([runId]);
		await host.deactivate();
		expect(await triggers.webhooks(robotId, TEAM_ID)).toMatchObject([{ url }]);
	});

	test('with other robots takes the trigger off the former ones', async () => {
		const [former, kept, added] = [
			await triggers.newRobot(),
			await triggers.newRobot(),
			await triggers.newRobot(),
		];
		const first = await triggers.activeHost([former, kept]);
		const { port, staticData } = first;
		await first.close();
		await triggers.activeHost([kept, added], {}, { port, staticData: staticData.reloaded() });
		expect(await triggers.webhooks(former)).toEqual([]);
		expect(await triggers.webhooks(kept)).toHaveLength(1);
		expect(await triggers.webhooks(added)).toHaveLength(1);
	});
});

describe('an activation that cannot be', () => {
	test('of a robot with ten webhooks says what to do, and leaves nothing behind', async () => {
		const [full, other] = [await triggers.newRobot(), await triggers.newRobot()];
		for (let index = 0; index < 10; index++) {
			const url = `https://receiver.example.com/${index}`;
			await world.ask(`/robots/${full}/webhooks`, { method: 'POST', body: { url } });
		}
		const host = await triggers.host([other, full]);
		const error: unknown = await host.activate().catch((caught: unknown) => caught);
		expect(error).toMatchObject({ message: expect.stringContaining('webhook') });
		expect(Object(error).description).toMatch(/delete|remove/i);
		expect(Object(error).message + Object(error).description).toMatch(/\b(10|ten)\b/);
		expect(await triggers.webhooks(other)).toEqual([]);
		expect(await triggers.webhooks(full)).toHaveLength(10);
	});

	test('at an address that the service refuses passes on why', async () => {
		await world.control.settings({ allowPrivateWebhooks: false });
		const robotId = await triggers.newRobot();
		const host = await triggers.host([robotId], {}, { origin: 'http://localhost:5678' });
		const error: unknown = await host.activate().catch((caught: unknown) => caught);
		expect(error).toBeInstanceOf(Error);
		expect(`${Object(error).message} ${Object(error).description}`).toMatch(/public/i);
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});

	test('at an address that no service on the internet reaches is told before it is asked', async () => {
		// An address for documentation, where nothing answers: to ask it would take longer than the test.
		const credentials = world.credentials({ baseUrl: 'https://203.0.113.7/api/v1' });
		const origin = 'http://localhost:5678';
		const host = await triggers.host([DEMO.products], {}, { origin, credentials });
		const error: unknown = await host.hook('create').catch((caught: unknown) => caught);
		expect(error).toBeInstanceOf(Error);
		expect(`${Object(error).message} ${Object(error).description}`).toContain('localhost:5678');
	}, 2000);

	test.each([
		['without a robot', { robotIds: [] }],
		['without an event', { events: [] }],
	])('%s sends nothing', async (_, parameters) => {
		const host = await triggers.host([DEMO.products], parameters);
		await expect(host.activate()).rejects.toThrow();
		expect((await world.sent()).filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	test('with a wrong key says that', async () => {
		const credentials = world.credentials({ apiKey: 'wrong' });
		const host = await triggers.host([DEMO.products], {}, { credentials });
		await expect(host.activate()).rejects.toThrow(/API key/);
	});
});

describe('deactivation', () => {
	test('removes the webhooks, and may be repeated', async () => {
		const robotId = await triggers.newRobot();
		const host = await triggers.activeHost([robotId]);
		await host.deactivate();
		expect(await triggers.webhooks(robotId)).toEqual([]);
		await host.deactivate();
		expect(await host.hook('delete')).toBe(true);
	});

	test('is content with a webhook or a robot that is gone', async () => {
		const [first, second] = [await triggers.newRobot(), await triggers.newRobot()];
		const host = await triggers.activeHost([first, second]);
		const [webhook] = await triggers.webhooks(first);
		await world.ask(`/robots/${first}/webhooks/${webhook?.id}`, { method: 'DELETE' });
		await world.ask(`/robots/${second}`, { method: 'DELETE' });
		await host.deactivate();
	});

	test('does not hide that the service refused', async () => {
		const robotId = await triggers.newRobot();
		const host = await triggers.activeHost([robotId]);
		await world.control.fault({ kind: 'status', status: 403, method: 'DELETE', times: 5 });
		await expect(host.deactivate()).rejects.toThrow();
	});

	test('also knows the webhooks of a life that saved nothing', async () => {
		const robotId = await triggers.newRobot();
		const first = await triggers.activeHost([robotId]);
		const { port } = first;
		await first.close();
		const second = await triggers.host([robotId], {}, { port });
		await second.hook('delete');
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});
});

describe('a run that ends', () => {
	test('starts the workflow with what the API says of it', async () => {
		const robotId = await triggers.newRobot();
		const host = await triggers.activeHost([robotId]);
		const runId = await triggers.finishedRun(robotId);
		const [item] = await host.waitForItems(1);
		expect(item?.json).toMatchObject({
			event: 'run_completed',
			robot: { id: robotId },
			run: { id: runId, status: 'success', data: { markdown: expect.any(String) } },
		});
		const asked = (await world.sent()).filter(({ path }) => path === `/runs/${runId}`);
		expect(asked).toHaveLength(1);
		expect(asked[0]?.headers.authorization).toBe(`Bearer ${KEYS.owner}`);
	});

	test.each(['snake', 'camel', 'flat', 'camelNoId'] as const)(
		'is understood in the delivery shape %s',
		async (deliveryShape) => {
			await world.control.settings({ deliveryShape });
			const robotId = await triggers.newRobot();
			const host = await triggers.activeHost([robotId]);
			const runId = await triggers.finishedRun(robotId);
			expect(runIdsOf(await host.waitForItems(1))).toEqual([runId]);
		},
	);

	test('is emitted once, however often it is delivered', async () => {
		await world.control.settings({ deliveryCopies: 3 });
		const robotId = await triggers.newRobot();
		const host = await triggers.activeHost([robotId]);
		const runId = await triggers.finishedRun(robotId);
		await host.waitForDeliveries(3);
		await world.control.repeatDeliveries(runId);
		await host.waitForDeliveries(6);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
		expect(host.deliveries.map(({ status }) => status)).toEqual(Array(6).fill(200));
	});

	test('emits each of many runs that end together', async () => {
		const robotId = await triggers.newRobot();
		const host = await triggers.activeHost([robotId]);
		const ids = await Promise.all(
			Array.from({ length: 6 }, async () => await triggers.finishedRun(robotId)),
		);
		expect(runIdsOf(await host.waitForItems(6)).sort()).toEqual(ids.sort());
	});

	test('is emitted only for the chosen events', async () => {
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

	test('gives an item for each row, or the run as the service sent it, on demand', async () => {
		const rows = await triggers.activeHost([DEMO.products], { output: 'rows' });
		await triggers.finishedRun(DEMO.products);
		const items = await rows.waitForItems(8);
		expect(items[0]?.json).toMatchObject({ Product: expect.any(String) });
		await rows.deactivate();
		const full = await triggers.activeHost([DEMO.products], { output: 'full' });
		const runId = await triggers.finishedRun(DEMO.products);
		const [item] = await full.waitForItems(1);
		expect(item?.json.run).toEqual((await world.ask(`/runs/${runId}`)).body.data);
		await full.deactivate();
	});

	test('without changes is left out where only changes are wanted', async () => {
		const robotId = await triggers.newRobot();
		const host = await triggers.activeHost([robotId], { options: { onlyChanges: true } });
		await triggers.finishedRun(robotId);
		await host.waitForDeliveries(1);
		expect(host.emitted).toEqual([]);
		const [changed = ''] = await world.control.runs({ robotId, run: { hasChanges: true } });
		await world.control.repeatDeliveries(changed);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([changed]);
	});
});

describe('a delivery that proves nothing', () => {
	test('starts nothing without the secret, and is refused', async () => {
		const robotId = await triggers.newRobot();
		const [runId] = await world.control.runs({ robotId });
		const host = await triggers.activeHost([robotId]);
		const body = { event_type: 'run_completed', data: { run_id: runId, robot_id: robotId } };
		const url = new URL((await triggers.webhooks(robotId))[0]?.url ?? '');
		const [name = '', secret = ''] = [...url.searchParams.entries()][0] ?? [];
		await world.control.clear();
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
		expect(await world.sent()).toEqual([]);
	});

	test('starts nothing, whatever it says', async () => {
		const [robotId, other] = [await triggers.newRobot(), await triggers.newRobot()];
		const host = await triggers.activeHost([robotId]);
		const [foreign] = await world.control.runs({ robotId: other });
		const [aborted] = await world.control.runs({ robotId, status: 'aborted' });
		await world.control.settings({ slots: 0 });
		const going = await triggers.startedRun(robotId);
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

	test('that cannot be checked now is refused, so that it comes again', async () => {
		const robotId = await triggers.newRobot();
		const host = await triggers.activeHost([robotId]);
		const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
		const [runId] = await world.control.runs({ robotId });
		const body = { event_type: 'run_completed', data: { run_id: runId, robot_id: robotId } };
		for (const [status, headers] of [
			[503, { 'retry-after': '0' }],
			[429, { 'retry-after': '600' }],
			[500, {}],
		] as const) {
			await world.control.fault({ kind: 'status', status, path: '^/runs', headers, times: 9 });
			expect((await host.post(body, url)).status).toBe(503);
			await world.control.clear();
		}
		expect(host.emitted).toEqual([]);
		expect((await host.post(body, url)).status).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
	});
});

describe('listening for a test event', () => {
	test('has its own address and webhook, and never touches the production one', async () => {
		const robotId = await triggers.newRobot();
		const host = await triggers.activeHost([robotId]);
		const [production] = await triggers.webhooks(robotId);
		const saved = host.staticData.load();
		await host.listen();
		const addresses = (await triggers.webhooks(robotId)).map(({ url }) => withoutQuery(url));
		expect(addresses.sort()).toEqual([host.url, host.testUrl].sort());
		await triggers.finishedRun(robotId);
		await host.waitForItems(2);
		expect(
			host.deliveries
				.filter(({ emitted }) => emitted)
				.map(({ test: isTest }) => isTest)
				.sort(),
		).toEqual([false, true]);
		await host.stopListening();
		expect(await triggers.webhooks(robotId)).toMatchObject([{ id: production?.id }]);
		expect(host.staticData.load()).toEqual(saved);
	});
});

test('what is saved stays small', async () => {
	const robotId = await triggers.newRobot();
	const host = await triggers.activeHost([robotId]);
	const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
	const ids = await world.control.runs({ robotId, count: 150 });
	for (const runId of ids) {
		await host.post({ event_type: 'run_completed', data: { run_id: runId } }, url);
	}
	expect(host.emitted).toHaveLength(150);
	expect(JSON.stringify(host.staticData.load()).length).toBeLessThan(10_000);
});

test('a restart of n8n that calls no hook changes nothing for the next run', async () => {
	const robotId = await triggers.newRobot();
	const first = await triggers.activeHost([robotId]);
	const { port, staticData } = first;
	await first.close();
	await sleep(10);
	const second = await triggers.host([robotId], {}, { port, staticData: staticData.reloaded() });
	second.reopen();
	const runId = await triggers.finishedRun(robotId);
	expect(runIdsOf(await second.waitForItems(1))).toEqual([runId]);
});

describe('what was missed', () => {
	/** A run whose end nobody was told of. */
	async function unheardRun(robotId: string): Promise<string> {
		const [webhook] = await triggers.webhooks(robotId);
		const path = `/robots/${robotId}/webhooks/${webhook?.id}`;
		await world.ask(path, { method: 'PATCH', body: { active: false } });
		const runId = await triggers.finishedRun(robotId);
		await world.ask(path, { method: 'PATCH', body: { active: true } });
		return runId;
	}

	test('comes with the next delivery, oldest first, and once', async () => {
		const robotId = await triggers.newRobot();
		const host = await triggers.activeHost([robotId]);
		const ids = [await triggers.finishedRun(robotId)];
		await host.waitForItems(1);
		ids.push(await unheardRun(robotId), await unheardRun(robotId));
		ids.push(await triggers.finishedRun(robotId));
		expect(runIdsOf(await host.waitForItems(4))).toEqual(ids);
		await world.control.repeatDeliveries(ids[1] ?? '');
		await host.waitForDeliveries(3);
		expect(host.emitted).toHaveLength(4);
	});

	test('comes with the activation after n8n was away', async () => {
		const robotId = await triggers.newRobot();
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

	test('is not what ended before the trigger was first active, nor what was aborted', async () => {
		const robotId = await triggers.newRobot();
		await triggers.finishedRun(robotId);
		const host = await triggers.activeHost([robotId]);
		await world.control.settings({ slots: 0 });
		await world.control.abortRun(await triggers.startedRun(robotId));
		await world.control.settings({ slots: 5 });
		const runId = await triggers.finishedRun(robotId);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([runId]);
		await sleep(300);
		expect(host.emitted).toHaveLength(1);
	});
});

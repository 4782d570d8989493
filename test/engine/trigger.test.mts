import { beforeEach, describe, expect, it } from 'vitest';
import { DEMO, TEAM_ID } from '../sandbox/index.mts';
import { StaticData } from '../helpers/engine/index.mts';
import { locator } from '../helpers/parameters.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

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

/** A URL without its query, which contains the start of the watch. */
const withoutQuery = (url = '') => url.split('?')[0];

describe('activation', () => {
	it('an activation creates one webhook on each robot, with the start of the watch in its URL', async () => {
		const robots = [await newRobot(sandbox), await newRobot(sandbox)];
		const host = await triggers.activeHost(robots, { events: ['run_failed', 'run_completed'] });
		for (const robotId of robots) {
			const [webhook, ...others] = await triggers.webhooks(robotId);
			expect(others).toEqual([]);
			expect(withoutQuery(webhook?.url)).toBe(host.url);
			expect(webhook).toMatchObject({ active: true, retryAttempts: 10 });
			expect([...(webhook?.events ?? [])].sort()).toEqual(['run_completed', 'run_failed']);
			const { searchParams } = new URL(webhook?.url ?? '');
			expect(Math.abs(Number(searchParams.get('since')) - Date.now())).toBeLessThan(60_000);
			expect(searchParams.get('selection')).toBe('run_completed,run_failed');
		}
	});

	it('another activation keeps one webhook and its watch, even without saved data', async () => {
		const robotId = await newRobot(sandbox);
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

	it('an activation repairs a webhook that was paused or changed', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		const [webhook] = await triggers.webhooks(robotId);
		const path = `/robots/${robotId}/webhooks/${webhook?.id}`;
		const changes = { active: false, events: ['run_failed'], timeout: 1, retryDelay: 60 };
		await sandbox.owner.patch(path, changes);
		await host.activate();
		const repaired = { active: true, events: ['run_completed'], timeout: 30, retryDelay: 5 };
		expect(await triggers.webhooks(robotId)).toMatchObject([{ id: webhook?.id, ...repaired }]);
	});

	it("an activation does not change other webhooks and uses the node's team", async () => {
		const robotId = await newRobot(sandbox, { teamId: TEAM_ID });
		const url = 'https://somebody.example.com/else';
		await sandbox.client({ teamId: TEAM_ID }).post(`/robots/${robotId}/webhooks`, { url });
		const options = { teamId: locator(TEAM_ID) };
		const host = await triggers.activeHost([robotId], { options });
		expect(await triggers.webhooks(robotId, TEAM_ID)).toHaveLength(2);
		const runId = await triggers.finishedRun(robotId, TEAM_ID);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([runId]);
		await host.deactivate();
		expect(await triggers.webhooks(robotId, TEAM_ID)).toMatchObject([{ url }]);
	});

	it('an activation with other robots deletes the previous webhooks', async () => {
		const [former, kept, added] = [
			await newRobot(sandbox),
			await newRobot(sandbox),
			await newRobot(sandbox),
		];
		const first = await triggers.activeHost([former, kept]);
		const { port, staticData } = first;
		await first.close();
		await triggers.activeHost([kept, added], {}, { port, staticData: staticData.reloaded() });
		expect(await triggers.webhooks(former)).toEqual([]);
		expect(await triggers.webhooks(kept)).toHaveLength(1);
		expect(await triggers.webhooks(added)).toHaveLength(1);
	});

	it('a robot that is missing for a moment keeps no webhook forever', async () => {
		const [former, kept] = [await newRobot(sandbox), await newRobot(sandbox)];
		const first = await triggers.activeHost([former, kept]);
		const { port, staticData } = first;
		await first.close();
		const missing = { kind: 'status', status: 404, path: `/robots/${former}/webhooks` } as const;
		await sandbox.control.fault({ ...missing, times: 1 });
		const options = { port, staticData: staticData.reloaded() };
		const host = await triggers.activeHost([kept], {}, options);
		expect(await triggers.webhooks(former)).toHaveLength(1);
		await host.deactivate();
		expect(await triggers.webhooks(former)).toEqual([]);
		expect(await triggers.webhooks(kept)).toEqual([]);
	});
});

describe('an activation that fails', () => {
	it('an activation with a robot that has ten webhooks says what to do and leaves nothing', async () => {
		const [full, other] = [await newRobot(sandbox), await newRobot(sandbox)];
		for (let index = 0; index < 10; index++) {
			const url = `https://receiver.example.com/${index}`;
			await sandbox.owner.post(`/robots/${full}/webhooks`, { url });
		}
		const host = await triggers.host([other, full]);
		const error: unknown = await host.activate().catch((caught: unknown) => caught);
		expect(error).toMatchObject({ message: expect.stringContaining('webhook') });
		expect(Object(error).description).toMatch(/delete|remove/i);
		expect(Object(error).message + Object(error).description).toMatch(/\b(10|ten)\b/);
		expect(await triggers.webhooks(other)).toEqual([]);
		expect(await triggers.webhooks(full)).toHaveLength(10);
	});

	it('an activation with a deleted robot logs it and registers the others', async () => {
		const [gone, other] = [await newRobot(sandbox), await newRobot(sandbox)];
		await sandbox.owner.delete(`/robots/${gone}`);
		const told = warnings();
		const host = await triggers.activeHost([gone, other]);
		expect(told).toEqual([expect.stringContaining(gone)]);
		expect(await triggers.webhooks(other)).toHaveLength(1);
		await host.deactivate();
		const alone = await triggers.host([gone]);
		await expect(alone.activate()).rejects.toThrow(`could not find robot '${gone}'`);
	});

	it('an activation at a URL that the service refuses says why', async () => {
		await sandbox.control.settings({ allowPrivateWebhooks: false });
		const robotId = await newRobot(sandbox);
		const host = await triggers.host([robotId], {}, { origin: 'http://localhost:5678' });
		const error: unknown = await host.activate().catch((caught: unknown) => caught);
		expect(error).toBeInstanceOf(Error);
		expect(`${Object(error).message} ${Object(error).description}`).toMatch(/public/i);
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});

	it('an activation at a URL that the internet cannot reach fails before any request', async () => {
		// A documentation address, where nothing listens. A request would take longer than the test.
		const credentials = sandbox.credentials({ baseUrl: 'https://203.0.113.7/api/v1' });
		const origin = 'http://localhost:5678';
		const host = await triggers.host([DEMO.products], {}, { origin, credentials });
		const error: unknown = await host.hook('create').catch((caught: unknown) => caught);
		expect(error).toBeInstanceOf(Error);
		expect(`${Object(error).message} ${Object(error).description}`).toContain('localhost:5678');
	}, 2000);

	it.each([
		['without a robot', { robotIds: [] }],
		['without an event', { events: [] }],
	])('an activation with %s sends nothing', async (_, parameters) => {
		const host = await triggers.host([DEMO.products], parameters);
		await expect(host.activate()).rejects.toThrow();
		// The sample event of an earlier test may still arrive.
		const sent = (await sandbox.sent()).filter(({ path }) => !path.endsWith('/test'));
		expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	it('an activation with a wrong key says so', async () => {
		const credentials = sandbox.credentials({ apiKey: 'wrong' });
		const host = await triggers.host([DEMO.products], {}, { credentials });
		await expect(host.activate()).rejects.toThrow(/API key/);
	});
});

describe('deactivation', () => {
	it('a deactivation deletes the webhooks and can be repeated', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		await host.deactivate();
		expect(await triggers.webhooks(robotId)).toEqual([]);
		await host.deactivate();
		expect(await host.hook('delete')).toBe(true);
	});

	it('a deactivation succeeds if a webhook or a robot no longer exists', async () => {
		const [first, second] = [await newRobot(sandbox), await newRobot(sandbox)];
		const host = await triggers.activeHost([first, second]);
		const [webhook] = await triggers.webhooks(first);
		await sandbox.owner.delete(`/robots/${first}/webhooks/${webhook?.id}`);
		await sandbox.owner.delete(`/robots/${second}`);
		await host.deactivate();
	});

	it('a deactivation that the service refuses is an error', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		await sandbox.control.fault({ kind: 'status', status: 400, method: 'DELETE', times: 5 });
		await expect(host.deactivate()).rejects.toThrow();
	});

	it('a deactivation also deletes webhooks of an earlier process without saved data', async () => {
		const robotId = await newRobot(sandbox);
		const first = await triggers.activeHost([robotId]);
		const { port } = first;
		await first.close();
		const second = await triggers.host([robotId], {}, { port });
		await second.hook('delete');
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});
});

describe('listening for a test event', () => {
	it('a test has its own URL and webhook, and never changes the production ones', async () => {
		const robotId = await newRobot(sandbox);
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

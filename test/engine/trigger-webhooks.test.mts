import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { DEMO, KEYS, TEAM_ID } from '../sandbox/index.mts';
import { StaticData } from '../helpers/engine/index.mts';
import { newRobot, unique } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { until } from '../helpers/until.mts';
import { useClock } from './support/clock.mts';
import { announce, polled, runIdsOf, type Triggers, useTriggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

/** What publishing and unpublishing do in Maxun, and how this affects the polls. */

const { sandbox, triggers } = useTriggers();
const later = useClock();
let robotId: string;
beforeEach(async () => {
	robotId = await newRobot(sandbox);
});

/** Moves the date forward, and adds a run that ends then. */
const ended = async (minutes = 1) => {
	later(minutes);
	return await triggers.endedRun(robotId);
};

/** Delays the creation of webhooks. */
const slowWebhooks = async (milliseconds: number, times: number) => {
	const creation = { path: '/webhooks$', method: 'POST' };
	await sandbox.control.fault({ kind: 'delay', milliseconds, times, ...creation });
};

const POLLING = { options: { pollOnly: true } };

const withoutQuery = (url = '') => url.split('?')[0];

/** A URL at which something else responds. */
async function otherServer(status: number): Promise<string> {
	const other = createServer((_, response) => response.writeHead(status).end('Not n8n'));
	onTestFinished(() => void other.close());
	other.listen(0, '127.0.0.1');
	await once(other, 'listening');
	const { port } = z.object({ port: z.number() }).parse(other.address());
	return `http://127.0.0.1:${port}`;
}

describe('publishing', () => {
	it.each([true, false])(
		'adds one webhook to each robot, and its events start the workflow (hooks first: %s)',
		async (hooksFirst) => {
			await sandbox.control.settings({ runSeconds: 0.1, deliveryCopies: 3 });
			const robots = [robotId, await newRobot(sandbox)];
			const events = ['run_failed', 'run_completed', 'run_canceled'];
			const host = await triggers.activeHost(robots, { events }, { hooksFirst });
			for (const robot of robots) {
				const [webhook, ...others] = await triggers.webhooks(robot);
				expect(others).toEqual([]);
				expect(webhook).toMatchObject({
					url: `${host.url}?robot=${robot}`,
					active: true,
					retryAttempts: 10,
					events: ['run_failed', 'run_completed'],
				});
			}
			later(1);
			const run = await triggers.finishedRun(robotId);
			await host.waitForDeliveries(4);
			expect(runIdsOf(host.emitted)).toEqual([run]);
			expect(host.deliveries.map(({ status }) => status)).toEqual([202, 200, 200, 200]);
		},
	);

	it("again keeps or repairs the trigger's webhook and doesn't change any others, even without saved data", async () => {
		const others = [{ url: 'https://somebody.example.com/else' }, {}];
		await sandbox.owner.post(`/robots/${robotId}/webhooks`, others[0]);
		const host = await triggers.activeHost([robotId]);
		const own = (await triggers.webhooks(robotId)).find(({ url }) => url.startsWith(host.url));
		const path = `/robots/${robotId}/webhooks/${own?.id}`;
		await sandbox.owner.patch(path, { active: false, events: ['run_failed'], timeout: 1 });
		host.staticData.replace({});
		await host.activate();
		const webhooks = await triggers.webhooks(robotId);
		expect(webhooks).toHaveLength(2);
		expect(webhooks).toContainEqual({ ...own, timeout: 30 });
		await host.deactivate();
		expect(await triggers.webhooks(robotId)).toMatchObject([others[0], { ...own, active: false }]);
	});

	it('again does not add a webhook if Maxun lists one that it does not change', async () => {
		const host = await triggers.activeHost([robotId]);
		await sandbox.respond(404, 'PATCH /(robots|agents)/[^/]+/webhooks/', { times: 99 });
		await host.activate();
		expect(await triggers.webhooks(robotId)).toHaveLength(1);
	});

	it("uses the node's team, and sends few requests for 100 robots", async () => {
		const robots = [await newRobot(sandbox, { teamId: TEAM_ID })];
		while (robots.length < 100) robots.push(await newRobot(sandbox, { teamId: TEAM_ID }));
		await sandbox.control.clear();
		await triggers.activeHost(robots, { options: { teamId: locator(TEAM_ID) } });
		expect(await triggers.webhooks(robots[99] ?? '', TEAM_ID)).toHaveLength(1);
		expect((await sandbox.sent()).length).toBeLessThanOrEqual(210);
	});

	it("a copy in another n8n instance never changes the original's webhook", async () => {
		const original = await triggers.activeHost([robotId]);
		const [webhook] = await triggers.webhooks(robotId);
		const staticData = original.staticData.reloaded();
		const copy = await triggers.activeHost([robotId], {}, { staticData });
		expect(await triggers.webhooks(robotId)).toHaveLength(2);
		await copy.deactivate();
		expect(await triggers.webhooks(robotId)).toMatchObject([webhook, { active: false }]);
	});

	it.each([
		['without a robot', { robotIds: [] }],
		['without an event', { events: [] }],
		['with an unknown choice', { watch: 'some' }],
	])('%s fails and does not send anything', async (_, parameters) => {
		const host = await triggers.host([DEMO.products], parameters);
		await expect(host.activate()).rejects.toThrow(/Robot|Trigger On|Watch/);
		expect(await sandbox.sent()).toEqual([]);
	});

	it('with a wrong key fails', async () => {
		const credentials = sandbox.credentials({ apiKey: 'wrong' });
		const host = await triggers.host([DEMO.products], {}, { credentials });
		await expect(host.activate()).rejects.toThrow(/API key/);
	});
});

describe('the trigger polls, and the log says why', () => {
	/** Publishes the workflow and polls. @returns the lines in the log */
	async function published(...given: Parameters<Triggers['host']>): Promise<string> {
		const told = warnings();
		const host = await triggers.activeHost(...given);
		const run = await ended();
		expect(await polled(host)).toEqual([run]);
		return told.join('\n');
	}

	it.each([
		['another server responds', 404, /cannot reach.*status 404.*WEBHOOK_URL/],
		['another server accepts everything', 200, /cannot reach.*status 200/],
	])('if %s at its URL', async (_, status, reason) => {
		const origin = await otherServer(status);
		expect(await published([robotId], {}, { origin })).toMatch(reason);
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});

	it('if nothing responds at its URL', async () => {
		const origin = 'http://127.0.0.1:9';
		expect(await published([robotId], {}, { origin })).toMatch(/polls, because.*127\.0\.0\.1:9/);
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});

	it('if the service rejects the URL', async () => {
		await sandbox.control.settings({ allowPrivateWebhooks: false });
		const origin = 'http://localhost:5678';
		expect(await published([robotId], {}, { origin })).toMatch(/polls, because/);
	});

	it('if a robot has ten webhooks', async () => {
		const full = await newRobot(sandbox);
		for (let index = 0; index < 10; index++) {
			const url = `https://receiver.example.com/${index}`;
			await sandbox.owner.post(`/robots/${full}/webhooks`, { url });
		}
		const told = await published([robotId, full]);
		expect(told).toMatch(/Robot '.*' has no webhook.*10 webhooks.*Delete/);
		expect(told).toMatch(/polls, because not all robots have its webhook/);
		expect(await triggers.webhooks(robotId)).toHaveLength(1);
	});

	it('if a robot is missing', async () => {
		const gone = await newRobot(sandbox);
		await sandbox.owner.delete(`/robots/${gone}`);
		expect(await published([gone, robotId])).toMatch(new RegExp(`Robot '${gone}' has no webhook`));
	});

	it('if the URL is not reached, and does not leave a webhook on any robot', async () => {
		const gone = await newRobot(sandbox);
		await sandbox.owner.delete(`/robots/${gone}`);
		const robots = [robotId, await newRobot(sandbox)];
		const origin = await otherServer(404);
		expect(await published([gone, ...robots], {}, { origin })).toMatch(/cannot reach/);
		for (const id of robots) expect(await triggers.webhooks(id)).toEqual([]);
		expect(await sandbox.count(/^POST .*webhooks$/)).toBe(1);
	});

	it('if the key may not register webhooks', async () => {
		robotId = await newRobot(sandbox, { teamId: TEAM_ID });
		const credentials = sandbox.credentials({ apiKey: KEYS.viewer });
		const parameters = { options: { teamId: locator(TEAM_ID) } };
		expect(await published([robotId], parameters, { credentials })).toMatch(/role/);
	});

	it.each([
		['is lost in a gateway', { kind: 'status', status: 504, body: 'Gateway Time-out' }],
		['is unclear', { kind: 'body', body: { data: { sent: 'maybe' } } }],
	] as const)(
		'if the response to the sample event %s, but the webhook remains',
		async (_, fault) => {
			await sandbox.control.fault({ ...fault, path: '/test$', times: 9 });
			expect(await published([robotId])).toMatch(/does not say whether it reaches/);
			expect(await triggers.webhooks(robotId)).toHaveLength(1);
		},
	);
});

describe('how often the trigger polls', () => {
	const asked = async () => await sandbox.count(/\/runs\?/);

	it('is once an hour if Maxun reaches it, even after n8n restarts', async () => {
		const host = await triggers.activeHost([robotId]);
		later(1);
		await host.poll();
		await sandbox.control.clear();
		for (let minute = 0; minute < 54; minute++) {
			later(1);
			await host.poll();
		}
		expect(await asked()).toBe(0);
		const lost = await ended();
		expect(await polled(host)).toEqual([lost]);
		const down = await triggers.endedRun(robotId, -1);
		later(2);
		await host.restart();
		expect(runIdsOf(host.emitted)).toEqual([lost, down]);
	});

	it.each([true, false])(
		'is once more after a webhook is turned on, because the first poll may be too early for a run (hooks first: %s)',
		async (hooksFirst) => {
			await slowWebhooks(1_000, 1);
			const host = await triggers.host([robotId], {}, { hooksFirst });
			const publishing = host.activate();
			await until('the first poll', 3_000, async () => (await asked()) > 0);
			await sleep(200);
			const runs = await triggers.endedRuns(robotId);
			await publishing;
			later(1);
			expect(await polled(host)).toEqual(runs);
			// n8n may not have stored them.
			expect(await polled(host)).toEqual([]);
			await sandbox.control.clear();
			// Somebody sets n8n's clock back.
			later(-30);
			await host.poll();
			expect(await asked()).toBe(0);
		},
	);

	it('is not affected by what events have proposed', async () => {
		const host = await triggers.activeHost([robotId]);
		const run = await ended();
		expect(await announce(host, robotId, run)).toBe(200);
		later(60);
		expect(await host.poll()).toBeNull();
		await host.restart();
		expect(runIdsOf(host.emitted)).toEqual([run]);
	});

	it.each([
		['canceled runs', { events: ['run_completed', 'run_canceled'] }],
		['all robots', { watch: 'all' }],
	])('is at each poll time for %s', async (_, parameters) => {
		const host = await triggers.activeHost([robotId], parameters);
		const run = await ended();
		expect(await polled(host)).toContain(run);
	});
});

it.each(['calls all hooks', 'calls only the first hook', 'repeats only the poll'])(
	'a publication whose first poll fails does not leave a webhook on until it is repeated (n8n %s)',
	async (way) => {
		const host = await triggers.host([robotId], {}, { hooksFirst: true });
		if (way !== 'calls all hooks') vi.spyOn(host, 'hook').mockResolvedValue(true);
		await sandbox.control.fault({ kind: 'status', status: 403, path: '/runs$', times: 9 });
		await expect(host.activate()).rejects.toThrow(/Maxun/);
		const isOn = async () => (await triggers.webhooks(robotId)).some(({ active }) => active);
		await expect.poll(isOn).toBe(false);
		vi.restoreAllMocks();
		await sandbox.control.clearFaults();
		if (way === 'repeats only the poll') {
			await host.poll({ isFirst: true });
			later(1);
			await host.poll();
		} else await host.activate();
		expect(await isOn()).toBe(true);
	},
);

it("each start with another URL changes the robot's webhook, and does not add a webhook", async () => {
	const setup = { workflowId: 'moving', staticData: new StaticData(), hooksFirst: true };
	for (let start = 0; start < 3; start++) {
		const host = await triggers.host([robotId], {}, setup);
		await host.activate('init');
		const webhooks = await triggers.webhooks(robotId);
		expect(webhooks.map(({ url, active }) => [withoutQuery(url), active])).toEqual([
			[host.url, true],
		]);
		await host.close();
	}
});

it('polls add the webhooks that publishing had no time for', async () => {
	const robots = [robotId];
	while (robots.length < 12) robots.push(await newRobot(sandbox));
	const host = await triggers.host(robots);
	await slowWebhooks(200, 99);
	const publishing = host.activate();
	await sleep(500);
	later(2);
	await publishing;
	const count = async () =>
		(await Promise.all(robots.map(async (id) => await triggers.webhooks(id)))).flat().length;
	expect(await count()).toBeLessThan(12);
	await sandbox.control.clearFaults();
	await host.poll();
	expect(await count()).toBe(12);
	later(1);
	await host.poll();
	await sandbox.control.clear();
	later(1);
	await host.poll();
	expect(await sandbox.sent()).toEqual([]);
});

it('10 robots with webhooks need at most 500 requests a day', async () => {
	const robots = [robotId];
	while (robots.length < 10) robots.push(await newRobot(sandbox));
	const host = await triggers.activeHost(robots);
	await host.poll();
	await sandbox.control.clear();
	for (let minute = 0; minute < 24 * 60; minute += 5) {
		later(5);
		await host.poll();
	}
	expect((await sandbox.sent()).length).toBeLessThanOrEqual(500);
});

describe('unpublishing', () => {
	it.each([
		['all', 'global'],
		// A node that stores data overwrites all other data.
		['only their record', 'webhooks'],
	])('turns the webhooks off, even if n8n has lost %s, and can be repeated', async (_, lost) => {
		const host = await triggers.activeHost([robotId]);
		const kept = (key: string, value: unknown) => (key === lost ? undefined : value);
		host.staticData.replace(JSON.parse(JSON.stringify(host.staticData.load(), kept)));
		await host.deactivate();
		expect(await triggers.webhooks(robotId)).toMatchObject([{ active: false }]);
		expect(await host.hook('delete')).toBe(true);
	});

	it('succeeds if a robot no longer exists', async () => {
		const host = await triggers.activeHost([robotId]);
		await sandbox.owner.delete(`/robots/${robotId}`);
		const told = warnings();
		await host.deactivate();
		expect(told).toEqual([]);
	});

	it.each([
		[400, { success: false }],
		[404, '<pre>Cannot PATCH /api</pre>'],
	])('succeeds if Maxun responds with %i, and the log names the webhook', async (status, body) => {
		const host = await triggers.activeHost([robotId]);
		await sandbox.control.fault({ kind: 'status', status, method: 'PATCH', times: 5, body });
		const told = warnings();
		await host.deactivate();
		expect(told).toEqual([
			expect.stringMatching(`webhook on robot '${robotId}' remains.*To stop them, turn it off`),
		]);
		await sandbox.control.clearFaults();
		await triggers.endedRun(robotId);
		later(73 * 60);
		await host.activate();
		expect(host.emitted).toEqual([]);
		expect(await triggers.webhooks(robotId)).toHaveLength(1);
	});
});

describe('a robot that is selected by name', () => {
	const LOOKUP = /^GET \/robots\?/;
	let name: string;
	beforeEach(async () => {
		name = unique('Prices');
		robotId = await newRobot(sandbox, { name });
	});

	it('is looked up when the workflow is published and then hourly, and is still watched when it is renamed', async () => {
		const host = await triggers.activeHost([name]);
		expect(await triggers.webhooks(robotId)).toHaveLength(1);
		expect(await sandbox.count(LOOKUP)).toBe(1);
		await sandbox.owner.patch(`/robots/${robotId}`, { name: unique('Renamed') });
		const runs = [await ended()];
		expect(await announce(host, robotId, runs[0])).toBe(200);
		runs.push(await ended(61));
		await host.poll();
		await host.restart();
		expect(runIdsOf(host.emitted)).toEqual(runs);
		await host.deactivate();
		expect(await triggers.webhooks(robotId)).toMatchObject([{ active: false }]);
	});

	it.each(['nobody', 'two robots'])('does not affect others if %s has the name', async (who) => {
		const twin = who === 'nobody' ? 'No such robot' : name;
		if (who !== 'nobody') await newRobot(sandbox, { name });
		robotId = await newRobot(sandbox);
		const told = warnings();
		const host = await triggers.activeHost([twin, robotId]);
		for (let poll = 0; poll < 2; poll++) {
			const run = await ended(61);
			expect(await polled(host)).toEqual([run]);
		}
		const unknown = told.filter((line) => line.includes('continues with its other robots'));
		expect(unknown).toEqual([expect.stringContaining(twin)]);
	});

	it.each([true, false])('works next to an ID (hooks first: %s)', async (hooksFirst) => {
		const other = await newRobot(sandbox);
		const events = ['run_completed', 'run_canceled'];
		const host = await triggers.activeHost([name, other], { events }, { hooksFirst });
		const runs = [await ended(), await triggers.endedRun(other)];
		expect((await polled(host)).sort()).toEqual(runs.sort());
	});

	it('is found again if the credential has another name for the server', async () => {
		const workflowId = 'renamed server';
		const { staticData } = await triggers.activeHost([name], POLLING, { workflowId });
		const credentials = sandbox.credentials({
			baseUrl: sandbox.baseUrl.replace('127.0.0.1', 'localhost'),
		});
		const setup = { workflowId, staticData, credentials };
		const host = await triggers.host([name], POLLING, setup);
		expect(await polled(host)).toEqual([]);
		const run = await ended();
		expect(await polled(host)).toEqual([run]);
	});

	it('fails the publication if there is no other robot', async () => {
		const host = await triggers.host(['No such robot']);
		await expect(host.activate()).rejects.toThrow(
			/^There is no robot with the name 'No such robot'/,
		);
	});
});

it('static data from other nodes or versions does not stop the trigger', async () => {
	const staticData = new StaticData({
		global: { 'maxun:known node': { done: 7 }, 'maxun:known node record': [] },
	});
	const setup = { staticData, workflowId: 'known' };
	const host = await triggers.activeHost([robotId], {}, setup);
	const run = await ended();
	expect(await announce(host, robotId, run)).toBe(200);
	expect(withoutQuery((await triggers.webhooks(robotId))[0]?.url)).toBe(host.url);
});

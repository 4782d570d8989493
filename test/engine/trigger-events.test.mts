import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { Expression } from 'n8n-workflow';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { KEYS } from '../sandbox/index.mts';
import type { TriggerHost } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { listen } from '../helpers/listen.mts';
import { until } from '../helpers/until.mts';
import { useClock } from './support/clock.mts';
import { announce, polled, runIdsOf, useTriggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

const { sandbox, triggers } = useTriggers({ settings: { runSeconds: 0.1 } });
const later = useClock();
let robotId: string;
let host: TriggerHost;
beforeEach(async () => {
	robotId = await newRobot(sandbox);
	host = await triggers.activeHost([robotId]);
	later(1);
});

const send = async (run?: unknown) => await announce(host, robotId, run);

describe('an event', () => {
	it('starts the workflow with data from the API', async () => {
		const run = await triggers.finishedRun(robotId);
		const [item] = await host.waitForItems(1);
		expect(item?.json).toMatchObject({
			event: 'run_completed',
			robot: { id: robotId },
			run: { id: run, status: 'success', data: { markdown: expect.any(String) } },
		});
		const asked = (await sandbox.sent()).filter(({ path }) => path === `/runs/${run}`);
		expect(asked).toHaveLength(1);
		expect(asked[0]?.headers.authorization).toBe(`Bearer ${KEYS.owner}`);
		expect(JSON.stringify(host.emitted)).not.toContain(KEYS.owner);
	});

	it.each(['snake', 'camel', 'flat', 'camelNoId'] as const)(
		'of the form %s is accepted',
		async (deliveryShape) => {
			await sandbox.control.settings({ deliveryShape });
			const run = await triggers.finishedRun(robotId);
			expect(runIdsOf(await host.waitForItems(1))).toEqual([run]);
		},
	);

	it('about a run that Maxun does not find starts the workflow for the runs of the last minutes', async () => {
		later(10);
		const runs = [await triggers.endedRun(robotId, 4), await triggers.endedRun(robotId, 1)];
		await triggers.endedRun(robotId, 8);
		for (const run of [undefined, 7, 'of-another-form', '../robots']) await send(run);
		expect(runIdsOf(host.emitted)).toEqual([...runs].reverse());
	});

	it('does not start the workflow for an old run of a robot that cannot be listed', async () => {
		const other = await newRobot(sandbox);
		const old = await triggers.endedRun(other, 150);
		const recent = await triggers.endedRun(other, 100);
		// A list of all runs doesn't contain all of them, so the trigger lists each robot.
		await sandbox.control.runs({ robotId: await newRobot(sandbox), count: 120 });
		await sandbox.respond(403, `GET ^/robots/${other}/runs$`, { times: 99 });
		host = await triggers.activeHost([robotId, other]);
		for (const run of [old, recent]) expect(await announce(host, other, run)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([recent]);
	});

	it('is postponed until the watch has begun, and does not start the workflow for earlier runs', async () => {
		host = await triggers.host([robotId]);
		await triggers.endedRun(robotId);
		host.reopen();
		expect(await send()).toBe(503);
		later(1);
		await host.activate();
		const run = await triggers.endedRun(robotId);
		expect(await send()).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([run]);
	});

	it('without a run ID does not start the workflow for an old run without times', async () => {
		const events = ['run_completed', 'run_canceled'];
		const run = { status: 'aborted', startedAt: null, finishedAt: null };
		await triggers.endedRun(robotId, 0, run);
		host = await triggers.activeHost([robotId], { events });
		expect(await send()).toBe(503);
		expect(host.emitted).toEqual([]);
	});

	it('is postponed if no run has ended yet', async () => {
		expect(await send()).toBe(503);
		await sandbox.control.settings({ slots: 0 });
		expect(await send(await sandbox.owner.start(robotId))).toBe(503);
		expect(await send('not-readable-yet')).toBe(503);
	});

	it('is postponed if the run cannot be read now', async () => {
		const run = await triggers.endedRun(robotId);
		for (const [status, headers] of [
			[503, { 'retry-after': '0' }],
			[429, { 'retry-after': '600' }],
			[500, {}],
			[404, {}],
		] as const) {
			await sandbox.control.fault({ kind: 'status', status, path: '^/runs', headers, times: 9 });
			expect(await send(run)).toBe(503);
			await sandbox.control.clear();
		}
		expect(await send(run)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([run]);
	});

	it.each(['robots', 'all'])('about an old run does not start the workflow (%s)', async (watch) => {
		const old = [await triggers.endedRun(robotId, 9), await triggers.endedRun(robotId, 3)];
		host = await triggers.activeHost(watch === 'all' ? [] : [robotId], { watch });
		later(1);
		for (const run of old) expect(await send(run)).toBe(200);
		later(61);
		for (const run of old) expect(await send(run)).toBe(200);
		expect(host.emitted).toEqual([]);
	});

	it('that Maxun does not confirm does not start the workflow, and no execution fails', async () => {
		const [foreign] = await sandbox.control.runs({ robotId: await newRobot(sandbox) });
		const [aborted] = await sandbox.control.runs({ robotId, status: 'aborted' });
		const claim = (run_id: unknown) => ({ data: { run_id, robot_id: robotId, status: 'success' } });
		for (const body of [
			claim(foreign),
			claim(aborted),
			claim({ $ne: null }),
			claim('x'.repeat(200_000)),
			{ ...claim(foreign), event_type: 'webhook_test' },
			`{"data":${'['.repeat(1000)}${']'.repeat(1000)}}`,
			[],
			'null',
			'"text"',
			'{"cut',
		]) {
			const { status } = await host.post(body, `${host.url}?robot=${robotId}`);
			expect(status, JSON.stringify(body)).not.toBe(500);
		}
		expect(host.emitted).toEqual([]);
		expect(host.deliveries.filter(({ error }) => error !== undefined)).toEqual([]);
	});

	it('at a URL that somebody has added manually starts the workflow', async () => {
		const run = await triggers.endedRun(robotId);
		const body = { data: { runId: run, robotId: 'of another form' } };
		expect((await host.post(body, `${host.url}?robot=${robotId}`)).status).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([run]);
	});

	it.each(['named', 'unnamed'])(
		'is proposed again if n8n could not store the execution (%s)',
		async (how) => {
			const run = await triggers.endedRun(robotId);
			const named = how === 'named' ? run : undefined;
			host.storing = async () => await Promise.reject(new Error('The database is away'));
			expect(await send(named)).toBe(500);
			host.storing = async () => undefined;
			expect(await send(named)).toBe(200);
			expect(runIdsOf(host.emitted)).toEqual([run]);
		},
	);

	it('is replaced by a poll if n8n could never store its execution', async () => {
		const run = await triggers.endedRun(robotId);
		host.storing = async () => await Promise.reject(new Error('The database is away'));
		expect(await send(run)).toBe(500);
		later(61);
		expect(await polled(host)).toEqual([run]);
	});

	it('without a run ID reads a few runs, and a poll finds the others', async () => {
		later(10);
		const runs: string[] = [];
		while (runs.length < 30) runs.push(await triggers.endedRun(robotId));
		await sandbox.control.clear();
		await send();
		expect(await sandbox.count(/\/runs\/[^/?]+$/)).toBe(5);
		await host.poll();
		expect(runIdsOf(host.emitted).sort()).toEqual(runs.sort());
	});

	it('without a run ID finds a run that ends while an earlier event is being checked', async () => {
		const runs = [await triggers.endedRun(robotId)];
		await sandbox.control.clear();
		await sandbox.control.fault({ kind: 'delay', milliseconds: 500, path: '^/runs/', times: 9 });
		const earlier = send();
		await until('the first list', 5_000, async () => (await sandbox.count(/\/runs\?/)) > 0);
		runs.push(await triggers.endedRun(robotId));
		await Promise.all([earlier, send()]);
		expect(runIdsOf(host.emitted).sort()).toEqual(runs.sort());
	});

	it('does not change saved data', async () => {
		const { saves } = host.staticData;
		await send(await triggers.endedRun(robotId));
		expect(host.staticData.saves).toBe(saves);
	});
});

it('a self-hosted server that has sent an event is polled only once an hour', async () => {
	await sandbox.control.settings({ selfHostedForm: 'observed' });
	const credentials = sandbox.serverCredentials();
	host = await triggers.activeHost([robotId], { server: 'selfHosted' }, { credentials });
	const asked = async () => {
		await sandbox.control.clear();
		await host.poll();
		return await sandbox.count(/\/runs$/);
	};
	expect(await asked()).toBe(1);
	later(1);
	expect(await asked()).toBe(1);
	expect(await send(await triggers.endedRun(robotId))).toBe(200);
	expect(await asked()).toBe(0);
});

it('a self-hosted server whose events arrive in another process of n8n is polled only once an hour', async () => {
	const answer = { n8n: '', hasReceivedEvent: true };
	const other = createServer((_, response) => response.writeHead(202).end(JSON.stringify(answer)));
	onTestFinished(() => void other.close());
	const origin = `http://127.0.0.1:${await listen(other)}`;
	await sandbox.control.settings({ selfHostedForm: 'observed' });
	const setup = { credentials: sandbox.serverCredentials(), origin };
	host = await triggers.activeHost([robotId], { server: 'selfHosted' }, setup);
	const asked = async () => {
		later(61);
		await sandbox.control.clear();
		await host.poll();
		later(1);
		await host.poll();
		return await sandbox.count(/\/runs$/);
	};
	// Something else responds at n8n's URL.
	expect(await asked()).toBe(2);
	answer.n8n = createHash('sha256').update(origin).digest('hex').slice(0, 8);
	expect(await asked()).toBe(1);
});

// Since version 2, n8n evaluates expressions in isolates. A webhook call has an isolate until its response.
it("an event is checked after an earlier event's response", async () => {
	await Expression.initExpressionEngine({
		engine: 'quickjs',
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
		poolSize: 1,
		maxCodeCacheSize: 64,
	});
	try {
		for (let event = 0; event < 2; event++) {
			expect(await send(await triggers.endedRun(robotId))).toBe(200);
		}
	} finally {
		await Expression.disposeExpressionEngine();
		Expression.setExpressionEngine('legacy');
	}
});

describe('a test in the editor', () => {
	it('shows the latest run that would have started the workflow, and changes nothing in Maxun', async () => {
		await triggers.endedRun(robotId, 20);
		const latest = await triggers.endedRun(robotId, 10);
		await triggers.endedRun(robotId, 5, { status: 'failed' });
		host = await triggers.activeHost([robotId]);
		const saved = host.staticData.load();
		const webhooks = await triggers.webhooks(robotId);
		for (let test = 0; test < 2; test++) {
			await host.listen();
			await host.waitForItems(test + 1);
			expect(await triggers.webhooks(robotId)).toEqual(webhooks);
			await host.stopListening();
		}
		expect(runIdsOf(host.emitted)).toEqual([latest, latest]);
		expect(host.staticData.load()).toEqual(saved);
		expect(await polled(host)).toEqual([]);
	});

	it('waits for the next run if no run has ended', async () => {
		const other = await newRobot(sandbox);
		host = await triggers.host([other]);
		await host.listen();
		await host.waitForDeliveries(1);
		expect(host.emitted).toEqual([]);
		const run = await triggers.endedRun(other);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([run]);
		await host.stopListening();
	});

	it('shows the run later if Maxun does not list it now', async () => {
		const run = await triggers.endedRun(robotId);
		host = await triggers.host([robotId]);
		await sandbox.respond(500, 'GET /runs', { times: 1 });
		await host.listen();
		expect(runIdsOf(await host.waitForItems(1, 30_000))).toEqual([run]);
		expect(host.deliveries.map(({ status }) => status)).toEqual([202, 202]);
		await host.stopListening();
	});

	it.each(['nothing', 'a server that accepts everything'])(
		'says in the log that n8n finds %s at its own URL',
		async (what) => {
			const told = warnings();
			const proxy = createServer((_, response) => response.end('{}'));
			const port = what === 'nothing' ? 9 : await listen(proxy);
			onTestFinished(() => void proxy.close());
			host = await triggers.host([robotId], {}, { origin: `http://127.0.0.1:${port}` });
			await host.listen();
			await expect
				.poll(() => told)
				.toEqual([expect.stringContaining('did not get a response from its own URL')]);
		},
	);
});

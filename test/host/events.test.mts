import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { until } from './rest.mts';
import { openStage, type Stage } from './stage.mts';
import { FULL, quickRobot, random, stateOf, tally, trigger, watching } from './watched.mts';

const RUNS = FULL ? 1000 : 60;
const FORGED = RUNS;
/** Seconds that n8n is away the second time. */
const AWAY = FULL ? 60 : 10;
/** Milliseconds between run ends. */
const PACE = 400;

let stage: Stage;

beforeAll(async () => {
	const settings = { slots: 50, runSeconds: 0.05, rateLimitPerMinute: 1_000_000 };
	stage = await openStage({ settings });
});

afterAll(async () => await stage?.close());

it('emits every run and nothing forged, through repeats, garbage and a killed n8n', async () => {
	const { rest, maxun, n8n } = stage;
	const robotIds = [await quickRobot(stage), DEMO.failing];
	const other = await quickRobot(stage);
	const { id } = await rest.createWorkflow(watching(trigger(robotIds)));
	await rest.activate(id);
	const url = await until('the webhook', 20_000, async () => {
		const { robots } = await stateOf(stage);
		return robots.find((robot) => robot.id === robotIds[0])?.webhooks[0]?.url;
	});
	const foreign = String((await maxun.run(other)).id);

	const runIds: string[] = [];
	const repeats: Array<Promise<unknown>> = [];
	const runs = (async () => {
		for (let count = 0; count < RUNS; count++) {
			// Deliveries overtake each other: each waits for another time.
			await maxun.control('PATCH', '/settings', { webhookDelaySeconds: random(4) });
			const runId = await maxun.start(count % 10 === 9 ? DEMO.failing : (robotIds[0] ?? ''));
			runIds.push(runId);
			for (let copy = random(3); copy > 0; copy--) repeats.push(repeatLater(runId));
			await sleep(PACE);
		}
	})();
	const answers: Record<string, number> = {};
	const forging = (async () => {
		for (let count = 0; count < FORGED; count++) {
			const answer = await forge(url, count, foreign);
			answers[answer] = (answers[answer] ?? 0) + 1;
			await sleep(PACE);
		}
	})();

	const reached = async (share: number) =>
		await until('the runs', 600_000, async () => runIds.length >= RUNS * share || undefined);
	await reached(0.3);
	await n8n.kill();
	await n8n.start();
	await reached(0.6);
	await n8n.kill();
	await sleep(AWAY * 1000);
	await n8n.start();
	await Promise.all([runs, forging]);
	await Promise.all(repeats);
	await until('the last delivery', 600_000, async () => {
		const { deliveries } = await stateOf(stage);
		return deliveries.length === 0 || undefined;
	});
	await sleep(3000);

	const { executions, crashed, strange, missing, repeated } = await tally(rest, id, runIds);
	console.log(
		`${runIds.length} run ends and ${FORGED} forged deliveries, n8n killed twice, away for ${AWAY} s: ${executions} executions (${crashed} cut off by the kill), ${missing.length} runs lost, ${repeated.length} emitted more than once, ${strange} executions for anything else. Answers to forgeries: ${JSON.stringify(answers)}`,
	);
	expect(missing).toEqual([]);
	expect(strange).toBe(0);
	expect(await tally(rest, id, [foreign])).toMatchObject({ missing: [foreign] });
	expect(repeated.length).toBeLessThan(RUNS / 50);
}, 1_800_000);

async function repeatLater(runId: string): Promise<void> {
	await sleep(500 + random(20_000));
	await stage.maxun.control('POST', '/deliveries/repeat', { runId });
}

/** Posts something that no run's end has sent. @returns the status, or that nobody was there */
async function forge(url: string, count: number, foreign: string): Promise<string> {
	const bare = url.split('?')[0] ?? '';
	const claim = (run_id: unknown) =>
		JSON.stringify({ event_type: 'run_completed', data: { run_id, status: 'success' } });
	const kinds: Array<[url: string, body: string, type?: string]> = [
		[bare, claim(foreign)],
		[`${bare}?secret=${randomUUID()}`, claim(foreign)],
		[url, claim(foreign)],
		[url, claim(randomUUID())],
		[url, claim({ $ne: null })],
		[url, '{"event_type": "run_comp'],
		[url, claim(foreign), 'text/plain'],
		[url, claim('x'.repeat(2_000_000))],
		[url, `{"data":${'['.repeat(1000)}${']'.repeat(1000)}}`],
		[url, `<xml>${randomUUID()}</xml>`, 'application/xml'],
	];
	const huge: [string, string] = [url, claim('x'.repeat(17 * 1024 * 1024))];
	const [address, body, type = 'application/json'] =
		count % 100 === 99 ? huge : (kinds[count % kinds.length] ?? huge);
	const headers = { 'content-type': type };
	return await fetch(address, { method: 'POST', headers, body }).then(
		({ status }) => String(status),
		() => 'none',
	);
}

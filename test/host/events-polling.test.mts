import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStage, type Stage } from './stage.mts';
import { FULL } from './size.mts';
import { pollingTrigger, quickRobot, watching, Witness } from './watched.mts';

const RUNS = FULL ? 500 : 40;
/** Duration of the outage in seconds. */
const OUTAGE = FULL ? 600 : 25;
const RESTARTS = FULL ? 3 : 1;
/** Polls a minute. */
const POLLS = FULL ? 2 : 12;
/** Seconds after the outage in which runs end. */
const AFTERWARDS = 60 / POLLS;

let stage: Stage;

beforeAll(async () => {
	const settings = { slots: 20, runSeconds: 0.05, rateLimitPerMinute: 1_000_000 };
	stage = await openStage({ settings });
});

afterAll(async () => await stage?.close());

it('the polling trigger emits each run once, despite restarts and an outage', async () => {
	const { rest, maxun, n8n, sandbox } = stage;
	const robotId = await quickRobot(stage);
	const { id } = await rest.createWorkflow(watching(pollingTrigger([robotId], POLLS)));
	const witness = new Witness(rest, id);
	await rest.activate(id);
	// The first poll sets the start. Earlier runs are ignored.
	await sleep((60_000 / POLLS) * 1.1);
	const runIds = [await maxun.start(robotId)];
	await witness.waitForAll(runIds, 90_000);

	const runs = (async () => {
		while (runIds.length < RUNS) {
			runIds.push(await maxun.start(robotId));
			await sleep(((OUTAGE + AFTERWARDS) * 1000) / RUNS);
		}
	})();
	await sandbox.control.fault({
		kind: 'status',
		method: 'GET',
		path: '/runs',
		status: 503,
		times: 1_000_000,
	});
	const outage = sleep(OUTAGE * 1000).then(async () => await sandbox.control.clearFaults());
	for (let count = 0; count < RESTARTS; count++) {
		await sleep((OUTAGE * 1000) / (RESTARTS + 1));
		await n8n.restart();
	}
	await Promise.all([runs, outage]);
	await witness.waitForAll(runIds, 600_000);
	// One more poll, which must find nothing.
	await sleep((60_000 / POLLS) * 1.1);
	const { executions, failures, missing, repeated, strange } = await witness.tally(runIds);
	console.log(
		`Polling: ${RUNS} run ends, ${RESTARTS} restarts, ${OUTAGE} s of outage: ${executions - failures} executions with runs, ${failures} that show the outage, ${missing.length} runs lost, ${repeated.size} emitted more than once`,
	);
	expect({ missing, repeated: [...repeated], strange }).toEqual({
		missing: [],
		repeated: [],
		strange: 0,
	});
}, 2_400_000);

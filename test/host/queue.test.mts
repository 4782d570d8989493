import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { N8n } from './n8n.mts';
import { CONCURRENCY, openQueueStage, type QueueStage, worked } from './queue.mts';
import { until } from '../helpers/until.mts';
import { ENDED, type ExecutionEntry, itemsOf } from './rest.mts';
import { FULL } from './size.mts';
import { delivered, settled, startRuns, watchRobots } from './traffic.mts';
import { ERROR_WORKFLOW, WaitingWorkflow } from './waiting.mts';
import { quickRobot, stateOf, uuidsIn, Witness } from './watched.mts';

/** The documented size with n8n's own settings, or a smaller size for builds. */
const SIZE = FULL
	? { paused: 40, deliveries: 200, doubled: 1000 }
	: { paused: 12, deliveries: 60, doubled: 40 };

/** The number of runs that end together. */
const BURST = 20;

/** Deliveries at the same moment keep the workers so busy that accesses to n8n's table can take seconds. */
const MOST_REPEATED = 1 / 40;

/** When n8n gives up a lost worker's executions. The default is over a minute. */
const SOON = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	// n8n's default is 10 seconds. With it, the locks of working workers would also expire.
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

let stage: QueueStage;

beforeAll(async () => {
	stage = await openQueueStage({
		settings: { slots: 200, deliveryCopies: 2 },
		env: FULL ? {} : SOON,
	});
});

afterAll(async () => await stage?.close());

const configure = async (runSeconds: number) =>
	await stage.sandbox.control.settings({ runSeconds });

describe('The trigger', () => {
	it(`${SIZE.doubled} runs are emitted, hardly any twice, though both webhook processors get their deliveries`, async () => {
		stage.proxy.routing = 'in turn';
		const robotId = await quickRobot(stage);
		const id = await watchRobots(stage, [robotId]);
		const runs: string[] = [];
		while (runs.length < SIZE.doubled) {
			const starts = Array.from({ length: BURST }, async () => await stage.maxun.start(robotId));
			const burst = await Promise.all(starts);
			await delivered(stage, 60_000);
			const log = await stage.sandbox.control.deliveries();
			const accepted = log.filter(
				({ runId, status }) => burst.includes(String(runId)) && status === 200,
			);
			expect(accepted).toHaveLength(2 * BURST);
			runs.push(...burst);
		}
		stage.proxy.routing = 'by path';
		const witness = new Witness(stage.rest, id);
		await witness.waitForAll(runs, 120_000);
		await settled(stage, id, 1);
		const { executions, empty, strange, failures, repeated } = await witness.tally(runs);
		console.log(`${runs.length} runs in ${executions - empty} executions; ${empty} were empty`);
		expect({ strange, failures }).toEqual({ strange: 0, failures: 0 });
		expect([...repeated].length).toBeLessThanOrEqual(runs.length * MOST_REPEATED);
		await stage.rest.deactivate(id);
	}, 900_000);
});

describe(`${SIZE.paused} paused executions and ${SIZE.deliveries} deliveries over two workers`, () => {
	let waiting: WaitingWorkflow;
	let watchingId: string;
	let runs: string[];
	/** The runs in each execution that was active when the worker was killed. */
	let underWay: Map<string, Set<string>>;
	const lost = (all: ExecutionEntry[]) => all.filter(({ status }) => status !== 'success');

	async function killMeanwhile(worker: N8n): Promise<void> {
		const earlier = (await stateOf(stage)).runs.length;
		await until('a quarter of the runs', 60_000, async () => {
			const over = (await stateOf(stage)).runs.filter(({ status }) => status === 'success');
			return over.length > earlier + SIZE.deliveries / 4;
		});
		await worker.kill();
		const all = await stage.rest.executions(watchingId);
		const open = all.filter(({ status }) => !ENDED.has(status));
		const told = open.map(async ({ id }) => [id, uuidsIn(await stage.rest.execution(id))] as const);
		underWay = new Map(await Promise.all(told));
	}

	beforeAll(async () => {
		await configure(20 + SIZE.paused / 2);
		waiting = await WaitingWorkflow.publish(stage, 'PausedExecutions', {
			robots: SIZE.paused / 4,
			pauseAfter: 1,
			url: stage.url,
		});
		const watched = [await quickRobot(stage), await quickRobot(stage)];
		watchingId = await watchRobots(stage, watched);
		await waiting.call(waiting.robots.flatMap((id) => [id, id, id, id]));
		await waiting.reach(SIZE.paused, 60_000, 'waiting');
		await configure(1);
		const [worker] = stage.workers;
		if (worker === undefined) throw new Error('No worker');
		[runs] = await Promise.all([startRuns(stage, watched, SIZE.deliveries), killMeanwhile(worker)]);
		await delivered(stage, 400_000);
	}, 600_000);

	it("each run starts the workflow once, and only the killed worker's executions fail", async () => {
		const all = await settled(stage, watchingId, 1);
		const failed = lost(all);
		const witness = new Witness(stage.rest, watchingId);
		const { executions, missing, repeated, strange } = await witness.tally(runs);
		console.log(
			`${executions} executions for ${runs.length} runs. ` +
				`The killed worker's ${failed.length} executions failed, with ${missing.length} runs`,
		);
		expect(strange).toBe(0);
		expect([...repeated]).toEqual([]);
		const inHand = new Set(failed.flatMap(({ id }) => [...(underWay.get(id) ?? [])]));
		expect(missing.filter((id) => !inHand.has(id))).toEqual([]);
		await noWorkOfTheOther(failed);
	}, 260_000);

	it('the paused executions resume once with the correct data', async () => {
		const all = await settled(stage, waiting.id, SIZE.paused);
		const failed = lost(all);
		const good = all.filter(({ status }) => status === 'success');
		console.log(`${good.length} of ${all.length} executions that waited went on`);
		expect(all).toHaveLength(SIZE.paused);
		const results = await waiting.resultsOf(good);
		expect(new Set(results.map(({ id }) => id)).size).toBe(good.length);
		await noWorkOfTheOther(failed);
	}, 260_000);

	/** Only the killed worker's executions fail, at most as many as it runs concurrently. */
	async function noWorkOfTheOther(failed: ExecutionEntry[]): Promise<void> {
		const [, other] = stage.workers;
		const done = other ? await worked(other) : new Set();
		expect(failed.filter(({ id }) => done.has(id))).toEqual([]);
		expect(failed.length).toBeLessThanOrEqual(CONCURRENCY);
	}
});

it('a worker that is told to stop does not lose anything, because the other worker takes over', async () => {
	const [worker] = stage.workers;
	if (worker === undefined) throw new Error('No worker');
	await worker.start();
	await configure(30);
	const workflow = await WaitingWorkflow.publish(stage, 'In order', {
		robots: 2,
		pauseAfter: 5,
		url: stage.url,
	});
	const called = [...workflow.robots, ...workflow.robots, ...workflow.robots];
	await workflow.call(called);
	await until('a part for the worker', 30_000, async () => (await hold(workflow, worker))[0]);
	await worker.stop();
	const ended = await workflow.reach(called.length, 120_000, ...ENDED);
	expect(ended.map(({ status }) => status)).toEqual(called.map(() => 'success'));
}, 200_000);

/** A worker's active executions of a workflow. */
async function hold(workflow: WaitingWorkflow, worker: N8n): Promise<string[]> {
	const taken = await worked(worker);
	return (await workflow.inState('running')).map(({ id }) => id).filter((id) => taken.has(id));
}

const runsOf = async ({ robots }: WaitingWorkflow) =>
	(await stateOf(stage)).runs.filter(({ robotId }) => robots.includes(robotId));

it("only a killed worker's active executions fail, once n8n has found the loss", async () => {
	const [worker] = stage.workers;
	if (worker === undefined) throw new Error('No worker');
	await worker.start();
	await configure(60);
	const { id: errorWorkflow } = await stage.rest.createWorkflow(ERROR_WORKFLOW);
	await stage.rest.activate(errorWorkflow);
	const workflow = await WaitingWorkflow.publish(stage, 'In hand', {
		robots: 6,
		pauseAfter: 0,
		errorWorkflow,
		url: stage.url,
	});
	await workflow.call(workflow.robots);
	await until('a run of each robot', 60_000, async () => {
		const runs = await runsOf(workflow);
		return runs.length === workflow.robots.length;
	});
	const inHand = await hold(workflow, worker);
	expect(inHand.length).toBeGreaterThan(0);
	await worker.kill();
	const killedAt = Date.now();
	const ended = await workflow.reach(6, 300_000, ...ENDED);
	const failed = ended.filter(({ status }) => status === 'error');
	const last = Math.max(...failed.map(({ stoppedAt }) => Date.parse(stoppedAt ?? '')));
	console.log(
		`${failed.length} of 6 executions failed, ${seconds(last - killedAt)} after the worker was killed`,
	);
	expect(failed.map(({ id }) => id).sort()).toEqual(inHand.sort());
	expect(ended.filter(({ status }) => status === 'success')).toHaveLength(6 - inHand.length);
	const told = (await settled(stage, errorWorkflow, inHand.length)).map(async ({ id }) => {
		const [item] = itemsOf(await stage.rest.execution(id), 'Failure');
		return item?.json.execution;
	});
	expect(await Promise.all(told)).toEqual(
		expect.arrayContaining(inHand.map((id) => expect.objectContaining({ id }))),
	);
	// Nothing is started again or canceled.
	const started = await until('the end of the runs', 30_000, async () => {
		const runs = await runsOf(workflow);
		return runs.some(({ status }) => status === 'running') ? undefined : runs;
	});
	expect(started.map(({ status }) => status)).toEqual(workflow.robots.map(() => 'success'));
}, 400_000);

const seconds = (milliseconds: number) => `${Math.round(milliseconds / 1000)} s`;

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samplePdf } from '../sandbox/samples.mts';
import type { N8n } from './n8n.mts';
import { openQueueStage, type QueueStage, unfinished, worked } from './queue.mts';
import { type Execution, type ExecutionEntry, itemsOf, until } from './rest.mts';
import { shownProducts } from './shop.mts';
import { WAITING, WaitingWorkflow } from './waiting.mts';
import { quickRobot, stateOf, tally, trigger, watching } from './watched.mts';

/** The size that the figures are given for, with n8n's own settings; else one that a build has time for. */
const FULL = process.env.QUEUE_SUITE === 'full';
const SIZE = FULL ? { parked: 40, deliveries: 200 } : { parked: 12, deliveries: 60 };

/** How soon n8n gives up the executions of a worker that is gone: a minute and more by itself. */
const SOON = { QUEUE_WORKER_LOCK_DURATION: '10000', QUEUE_WORKER_STALLED_INTERVAL: '5000' };

const BUTTON = 'When clicking ‘Execute workflow’';
const ENDED = ['success', 'error', 'crashed', 'canceled'];

let stage: QueueStage;

beforeAll(async () => {
	stage = await openQueueStage({
		settings: { slots: 200, deliveryCopies: 2 },
		env: FULL ? {} : SOON,
	});
});

afterAll(async () => await stage?.close());

const configure = async (runSeconds: number) =>
	await stage.maxun.control('PATCH', '/settings', { runSeconds });

/** The end of an execution, which has to be a good one on a worker. */
async function succeeded(id: string): Promise<Execution> {
	const execution = await stage.rest.finished(id, 90_000);
	expect(execution.error).toBeUndefined();
	expect(execution.status).toBe('success');
	const lists = await Promise.all(stage.workers.map(worked));
	expect(lists.some((list) => list.has(id))).toBe(true);
	return execution;
}

const run = async (example: string) =>
	await succeeded(await stage.rest.run(stage.example(example), BUTTON));

const jsonOf = (execution: Execution, node: string) =>
	itemsOf(execution, node).map(({ json }) => json);

describe('On a worker', () => {
	it('a run gives its rows', async () => {
		const execution = await run('Scrape a page into rows');
		const shown = await shownProducts(stage.sandbox.siteUrl);
		expect(jsonOf(execution, 'Pick the fields').map(({ product }) => product)).toEqual(
			shown.map(({ name }) => name),
		);
	});

	it('pages are scraped, and those that fail go their own way', async () => {
		const execution = await run('Scrape a list of pages');
		expect(jsonOf(execution, 'Keep the text')).toHaveLength(3);
		expect(jsonOf(execution, 'Note what failed')).toHaveLength(1);
	});

	it('an operation does what it says', async () => {
		await run('Weekly schedule and clean-up');
		const { list } = await stage.maxun.get('/robots');
		const schedules = await Promise.all(
			list.map(async ({ id }) => (await stage.maxun.get(`/robots/${String(id)}/schedule`)).data),
		);
		expect(schedules.filter(({ runEveryUnit }) => runEveryUnit === 'WEEKS')).toHaveLength(1);
	});

	it('a document is read that the webhook processor has taken', async () => {
		const id = stage.example('Documents to fields');
		await stage.rest.activate(id);
		const { nodes } = await stage.rest.workflow(id);
		const form = nodes.find(({ name }) => name === 'When a document is sent');
		const address = `${stage.url}/form/${String(form?.webhookId)}`;
		await until('the form', 20_000, async () => (await fetch(address)).status === 200 || undefined);
		const pdf = samplePdf(['Invoice number: R-2041']);
		const body = new FormData();
		body.set('field-0', new File([new Uint8Array(pdf)], 'r-2041.pdf', { type: 'application/pdf' }));
		expect((await fetch(address, { method: 'POST', body })).status).toBe(200);
		const entry = await until('the execution', 20_000, async () =>
			(await stage.rest.executions(id)).at(0),
		);
		expect(jsonOf(await succeeded(entry.id), 'Fields of the document')).toMatchObject([
			{ file: 'r-2041.pdf', fields: { invoiceNumber: 'R-2041' } },
		]);
		await stage.rest.deactivate(id);
	});
});

/** Publishes a workflow that a trigger starts. @returns its id */
async function watch(robots: string[]): Promise<string> {
	const { id } = await stage.rest.createWorkflow(watching(trigger(robots)));
	await stage.rest.activate(id);
	return id;
}

/** Starts runs one after the other, as many as there are. @returns their ids */
async function startRuns(robots: string[], count: number): Promise<string[]> {
	const ids: string[] = [];
	for (let index = 0; index < count; index++) {
		ids.push(await stage.maxun.start(robots[index % robots.length] ?? ''));
	}
	return ids;
}

/** Waits until all deliveries are accepted. */
const delivered = async (limit: number) =>
	await until('the end of all deliveries', limit, async () => {
		const { deliveries, runs } = await stateOf(stage);
		const active = runs.some(({ status }) => status === 'queued' || status === 'running');
		if (deliveries.length > 0 || active) await sleep(500);
		return (deliveries.length === 0 && !active) || undefined;
	});

/** Waits until no execution of a workflow is under way. */
const settled = async (workflowId: string, limit: number): Promise<ExecutionEntry[]> =>
	await until('the end of all executions', limit, async () => {
		const all = await stage.rest.allExecutions(workflowId);
		const areOver = all.every(({ status }) => ENDED.includes(status));
		if (!areOver) await sleep(1000);
		return areOver ? all : undefined;
	});

describe('The trigger', () => {
	it('is registered by the main process and served by the webhook processor', async () => {
		await configure(0.3);
		const robots = [await quickRobot(stage)];
		const id = await watch(robots);
		const runs = await startRuns(robots, 1);
		await delivered(30_000);
		const [entry] = await settled(id, 30_000);
		await succeeded(entry?.id ?? '');
		expect(await tally(stage.rest, id, runs)).toMatchObject({ executions: 1, missing: [] });
		await stage.rest.deactivate(id);
		const { robots: all } = await stateOf(stage);
		expect(all.find((robot) => robot.id === robots[0])?.webhooks).toEqual([]);
	});
});

describe(`${SIZE.parked} executions that wait and ${SIZE.deliveries} deliveries over two workers`, () => {
	let waiting: WaitingWorkflow;
	let watchingId: string;
	let runs: string[];
	/** What the worker was at when it was killed. */
	let hit: string[];

	/** Ends a worker at once while deliveries come in and runs end. */
	async function killMeanwhile(worker: N8n): Promise<void> {
		await until('a quarter of the deliveries', 60_000, async () => {
			const count = (await stage.rest.allExecutions(watchingId)).length;
			return count > SIZE.deliveries / 4 || undefined;
		});
		await worker.kill();
		hit = await unfinished(worker);
	}

	beforeAll(async () => {
		await configure(45);
		waiting = await WaitingWorkflow.publish(stage, 'Parked', {
			robots: SIZE.parked / 4,
			parkAfter: 1,
			url: stage.url,
		});
		const watched = [await quickRobot(stage), await quickRobot(stage)];
		watchingId = await watch(watched);
		await waiting.call(waiting.robots.flatMap((id) => [id, id, id, id]));
		await waiting.reach(SIZE.parked, 60_000, 'waiting');
		await configure(1);
		const [worker] = stage.workers;
		if (worker === undefined) throw new Error('No worker');
		[runs] = await Promise.all([startRuns(watched, SIZE.deliveries), killMeanwhile(worker)]);
		await delivered(240_000);
	}, 400_000);

	it('start each one execution for each run, and lose what the killed worker was at alone', async () => {
		const all = await settled(watchingId, 200_000);
		const failed = all.filter(({ status }) => status !== 'success').map(({ id }) => id);
		const { executions, missing, repeated } = await tally(stage.rest, watchingId, runs);
		console.log(
			`${executions} executions for ${runs.length} runs; the killed worker was at ${hit.length}, ` +
				`${failed.length} of them failed`,
		);
		expect(hit).toEqual(expect.arrayContaining(failed));
		expect(executions).toBe(runs.length);
		expect(repeated).toEqual([]);
		expect(missing).toHaveLength(failed.length);
	}, 260_000);

	it('go on with the right data, each once', async () => {
		const all = await settled(waiting.id, 200_000);
		const good = all.filter(({ status }) => status === 'success');
		const failed = all.filter(({ status }) => status !== 'success').map(({ id }) => id);
		console.log(`${good.length} of ${all.length} executions went on`);
		expect(all).toHaveLength(SIZE.parked);
		expect(hit).toEqual(expect.arrayContaining(failed));
		const results = await Promise.all(good.map(async ({ id }) => await waiting.resultOf(id)));
		expect(new Set(results.map(({ item }) => item.id)).size).toBe(good.length);
		for (const { item, others, execution } of results) {
			expect(others).toBe(0);
			expect(item).toMatchObject({ status: 'success', data: { markdown: expect.any(String) } });
			expect(execution.runs.After).toHaveLength(1);
			expect(execution.runs[WAITING]).toHaveLength(1);
		}
		expect(await waiting.webhooksLeft()).toBe(failed.length);
	}, 260_000);
});

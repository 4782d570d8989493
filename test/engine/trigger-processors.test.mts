import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, it, vi } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import type { ProcessedData } from '../helpers/engine/deduplication.mts';
import {
	execute,
	StaticData,
	TRIGGER_NODE,
	type ExecuteOptions,
} from '../helpers/engine/index.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { useClock } from './support/clock.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

/** Several processes that receive the events of one trigger, as webhook processors do. */

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);
const later = useClock();
beforeEach(async () => {
	await sandbox.control.settings({ runSeconds: 0.1, allowPrivateWebhooks: true });
});

/** A trigger that another process has registered, and two processors of its events. */
async function processors() {
	const robotId = await newRobot(sandbox);
	const registrar = await triggers.activeHost([robotId]);
	const search = new URL((await triggers.webhooks(robotId))[0]?.url ?? '').search;
	const shared = { staticData: registrar.staticData };
	const first = await triggers.host([robotId], {}, shared);
	const second = await triggers.host([robotId], {}, shared);
	const both = [first, second];
	for (const processor of both) processor.reopen();
	/** Sends the event of a run to a processor. @returns the status of the response */
	const announce = async (run_id: string, processor: typeof first) => {
		const body = { event_type: 'run_completed', data: { run_id } };
		return (await processor.post(body, processor.url + search)).status;
	};
	const ended = async (count: number) => {
		return await triggers.endedRuns(robotId, count);
	};
	const deliveries = () => both.flatMap((processor) => processor.deliveries);
	const emitted = () => both.flatMap((processor) => runIdsOf(processor.emitted));
	return { first, second, announce, ended, deliveries, emitted };
}

const slowReads = async () =>
	await sandbox.control.fault({ kind: 'delay', milliseconds: 300, path: '/runs/', times: 99 });

it('a second processor finds a missed run minutes later', async () => {
	const { first, second, announce, ended, emitted } = await processors();
	const [missed = '', named = ''] = await ended(2);
	expect(await announce(named, first)).toBe(200);
	expect(emitted()).toEqual([named]);
	later(6);
	const [last = ''] = await ended(1);
	expect(await announce(last, second)).toBe(200);
	expect(emitted()).toEqual([named, missed, last]);
});

it('a search finds a missed run even if another process restores what the search has recorded to look it up', async () => {
	const { first, announce, ended, emitted } = await processors();
	const [missed = '', named = '', next = ''] = await ended(3);
	expect(await announce(named, first)).toBe(200);
	later(6);
	const { processed } = first.staticData;
	const write = processed.set.bind(processed);
	/** What another process has read: the table during the look. It writes that back after the look. */
	let read: string[] = [];
	vi.spyOn(processed, 'set')
		.mockImplementationOnce((node, entries) => write(node, (read = entries)))
		.mockImplementationOnce((node) => write(node, read));
	expect(await announce(next, first)).toBe(200);
	expect(emitted()).toEqual([named, missed, next]);
	for (let search = 0; search < 2; search++) {
		later(6);
		expect(await announce(next, first)).toBe(200);
	}
	expect(emitted()).toEqual([named, missed, next]);
});

it('a run is emitted once, even if both processors store an execution for it', async () => {
	const { first, second, announce, ended, deliveries, emitted } = await processors();
	const runIds = await ended(4);
	await slowReads();
	second.storing = async () => await sleep(300);
	const statuses = runIds.flatMap((runId) => [announce(runId, first), announce(runId, second)]);
	expect(await Promise.all(statuses)).toEqual(Array(8).fill(200));
	const executions = deliveries().filter((delivery) => delivery.emitted);
	expect(executions.length).toBeGreaterThan(1);
	expect(emitted().sort()).toEqual(runIds.sort());
	const items = executions.flatMap((delivery) => delivery.emitted?.[0] ?? []);
	expect(new Set(items.flatMap(Object.keys))).toEqual(new Set(['json', 'pairedItem']));
});

it('a run is emitted once, even if n8n loses the static data that the first processor saved', async () => {
	const { first, second, announce, ended, emitted } = await processors();
	const older = first.staticData.load();
	const runIds = await ended(1);
	expect(await announce(runIds[0] ?? '', first)).toBe(200);
	first.staticData.replace(older);
	expect(await announce(runIds[0] ?? '', second)).toBe(200);
	expect(second.deliveries[0]?.emitted).toEqual([[]]);
	expect(emitted()).toEqual(runIds);
});

/** The runs that an execution emits, which n8n has stored for these runs. Without a run, it only searches. */
async function emittedBy(
	runIds: Array<string | undefined>,
	options: Partial<ExecuteOptions> = {},
): Promise<unknown[]> {
	const { items, error } = await execute({
		type: TRIGGER_NODE,
		parameters: { events: ['run_completed'], robotIds: ['robot'], options: { catchUp: false } },
		mode: 'webhook',
		executionId: randomUUID(),
		input: runIds.map((id) => ({
			json: { run: id ?? 'none' },
			maxunRun: { id, address: '', isSearch: false },
		})),
		...options,
	});
	expect(error).toBeUndefined();
	return items.flat().map(({ json }) => json.run);
}

it('an execution that n8n repeats emits the same items again', async () => {
	const processedData = new Map();
	expect(await emittedBy(['a', 'b', 'b'], { processedData })).toEqual(['a', 'b', 'b']);
	const again = { processedData, executionId: '7' };
	expect(await emittedBy(['a', 'c'], again)).toEqual(['c']);
	expect(await emittedBy(['a', 'c'], again)).toEqual(['c']);
	expect(await emittedBy(['a', 'b', 'c'], { processedData })).toEqual([]);
});

it('a retried execution and a test in the editor emit all runs, and do not count', async () => {
	const processedData = new Map();
	expect(await emittedBy(['a'], { processedData, mode: 'manual' })).toEqual(['a']);
	expect(await emittedBy(['a'], { processedData })).toEqual(['a']);
	expect(await emittedBy(['a'], { processedData, mode: 'retry' })).toEqual(['a']);
});

it.each(['webhook', 'retry'] as const)(
	'an execution that only looks for missed runs emits no item of its own (mode: %s)',
	async (mode) => {
		expect(await emittedBy([undefined], { mode })).toEqual([]);
	},
);

it('executions at the same time emit each run once, also the first ones of a workflow', async () => {
	const processedData = new Map();
	const runs = ['a', 'b', 'a', 'c', 'b'];
	const emitted = runs.map(async (run) => await emittedBy([run], { processedData }));
	expect((await Promise.all(emitted)).flat()).toEqual(['a', 'b', 'c']);
});

/** Executions of two processes at the same time. They don't take turns. */
const inTwoProcesses = async (first: string[], second: string[], processedData: ProcessedData) =>
	await Promise.all([
		emittedBy(first, { processedData, workflowId: 'first' }),
		emittedBy(second, { processedData, workflowId: 'second' }),
	]);

it('the first executions of two processes both record their runs', async () => {
	const processedData = new Map();
	expect(await inTwoProcesses(['a'], ['b'], processedData)).toEqual([['a'], ['b']]);
	expect(await emittedBy(['a', 'b', 'c'], { processedData })).toEqual(['c']);
});

it('two processes that record a run at the same time emit it once', async () => {
	const processedData = new Map();
	await emittedBy(['first'], { processedData });
	const emitted = await inTwoProcesses(['a', 'b'], ['b', 'c'], processedData);
	expect(emitted.flat().sort()).toEqual(['a', 'b', 'c']);
	expect(await emittedBy(['a', 'b', 'c', 'd'], { processedData })).toEqual(['d']);
});

it('n8n remembers the last 2,500 runs', async () => {
	const processedData = new Map();
	const runs = Array.from({ length: 2500 }, (_, index) => `run ${index}`);
	await emittedBy(['first'], { processedData });
	await emittedBy(runs, { processedData });
	expect(await emittedBy(['run 9', 'run 2499'], { processedData })).toEqual([]);
	expect(await emittedBy(['first'], { processedData })).toEqual(['first']);
});

/** MySQL in n8n 1 has no room for more than about 2,400 entries. */
class SmallTable extends Map<string, string[]> {
	override set(node: string, entries: string[]): this {
		if (entries.length > 2400) throw new Error('Data too long for column');
		return super.set(node, entries);
	}
}

it('a search repeats none of 900 recent runs, even if n8n only remembers 600', async () => {
	const robotId = await newRobot(sandbox);
	const staticData = new StaticData({}, new SmallTable());
	const host = await triggers.host([robotId], {}, { staticData });
	await host.activate();
	await host.waitForDeliveries(1);
	const at = new Date(Date.now() + 1000).toISOString();
	const run = { startedAt: at, finishedAt: at };
	const runs = await sandbox.control.runs({ robotId, count: 900, run });
	const { processed: processedData } = staticData;
	for (let at = 0; at < runs.length; at += 50)
		await emittedBy(runs.slice(at, at + 50), { processedData });
	later(6);
	const [next] = await triggers.endedRuns(robotId);
	const url = (await triggers.webhooks(robotId))[0]?.url;
	await host.post({ event_type: 'run_completed', data: { run_id: next } }, url);
	expect(runIdsOf(host.emitted)).toEqual([next]);
});

it('an execution without new runs ends with no items, even if the node always outputs data', async () => {
	const options = { processedData: new Map(), node: { alwaysOutputData: true } };
	expect(await emittedBy(['a'], options)).toEqual(['a']);
	expect(await emittedBy(['a'], options)).toEqual([]);
});

it('the trigger emits runs even if n8n cannot record them, and the log says so', async () => {
	const messages = warnings();
	expect(await emittedBy(['a'])).toEqual(['a']);
	expect(messages).toEqual([expect.stringContaining('a run may start the workflow twice')]);
});

it('the log says so if other processes overwrite each record', async () => {
	const processedData: ProcessedData = new Map();
	await emittedBy(['first'], { processedData });
	const messages = warnings();
	vi.spyOn(processedData, 'set').mockImplementation(() => processedData);
	expect(await emittedBy(['a'], { processedData })).toEqual(['a']);
	expect(messages).toEqual([expect.stringContaining('a run may start the workflow twice')]);
});

it('the trigger drops runs that it knows to be emitted, even if n8n cannot record the others', async () => {
	const processedData: ProcessedData = new Map();
	await emittedBy(['a'], { processedData });
	const messages = warnings();
	const write = processedData.set.bind(processedData);
	vi.spyOn(processedData, 'set')
		.mockImplementationOnce(write)
		.mockImplementation(() => {
			throw new Error('The database is locked');
		});
	expect(await emittedBy(['a', 'b'], { processedData })).toEqual(['b']);
	expect(messages).toEqual([expect.stringContaining('The database is locked')]);
});

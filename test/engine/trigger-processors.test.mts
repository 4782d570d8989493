import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import {
	execute,
	TRIGGER_NODE,
	type ExecuteOptions,
	type TriggerOptions,
} from '../helpers/engine/index.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { endedRun } from './support/polling.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

/** Several processes that receive the events of one trigger, as webhook processors do. */

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);
beforeEach(async () => {
	vi.useFakeTimers({ toFake: ['Date'] });
	await sandbox.control.settings({ runSeconds: 0.1, allowPrivateWebhooks: true });
});
afterEach(() => void vi.useRealTimers());
const later = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

/** A trigger that another process has registered, and two processors of its events. */
async function processors(options: Partial<TriggerOptions> = {}) {
	const robotId = await newRobot(sandbox);
	const registrar = await triggers.activeHost([robotId]);
	const search = new URL((await triggers.webhooks(robotId))[0]?.url ?? '').search;
	const shared = { staticData: registrar.staticData, ...options };
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
		const runIds: string[] = [];
		while (runIds.length < count) runIds.push(await endedRun(sandbox, robotId, 0));
		return runIds;
	};
	const deliveries = () => both.flatMap((processor) => processor.deliveries);
	const emitted = () => both.flatMap((processor) => runIdsOf(processor.emitted));
	return { first, second, announce, ended, deliveries, emitted };
}

const slowReads = async () =>
	await sandbox.control.fault({ kind: 'delay', milliseconds: 300, path: '/runs/', times: 99 });

it('two processors emit runs that end together once each', async () => {
	const { first, second, announce, ended, emitted } = await processors();
	const runIds = await ended(6);
	await slowReads();
	const statuses = runIds.map(
		async (runId, index) => await announce(runId, index % 2 === 0 ? first : second),
	);
	expect(await Promise.all(statuses)).toEqual(Array(6).fill(200));
	expect(emitted().sort()).toEqual(runIds.sort());
});

it('a second processor finds a missed run a minute later', async () => {
	const { first, second, announce, ended, emitted } = await processors();
	const [missed = '', named = ''] = await ended(2);
	expect(await announce(named, first)).toBe(200);
	expect(emitted()).toEqual([named]);
	later(2);
	const [last = ''] = await ended(1);
	expect(await announce(last, second)).toBe(200);
	expect(emitted()).toEqual([named, missed, last]);
});

it('a run is emitted once, even if both processors store an execution for it', async () => {
	const processedData = new Map();
	const { first, second, announce, ended, deliveries, emitted } = await processors({
		processedData,
	});
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
	const { first, second, announce, ended, emitted } = await processors({
		processedData: new Map(),
	});
	const older = first.staticData.load();
	const runIds = await ended(1);
	expect(await announce(runIds[0] ?? '', first)).toBe(200);
	first.staticData.replace(older);
	expect(await announce(runIds[0] ?? '', second)).toBe(200);
	expect(second.deliveries[0]?.emitted).toEqual([[]]);
	expect(emitted()).toEqual(runIds);
});

it('deliveries that share an execution get their responses after n8n has saved its runs', async () => {
	const { first, announce, ended } = await processors();
	const runIds = await ended(3);
	await slowReads();
	first.saving = async () => await sleep(300);
	const ledger = () => first.staticData.ofNode().ledger;
	const responses = runIds.map(async (runId) => ({
		status: await announce(runId, first),
		saved: ledger(),
	}));
	// The first delivery is on its own. The others arrive while it is being processed.
	const [, ...shared] = await Promise.all(responses);
	expect(first.deliveries.filter((delivery) => delivery.emitted)).toHaveLength(2);
	expect(shared).toEqual(Array(2).fill({ status: 200, saved: ledger() }));
});

/** The items that an execution of two runs emits. */
async function emittedBy(options: Partial<ExecuteOptions>): Promise<unknown[]> {
	const { items, error } = await execute({
		type: TRIGGER_NODE,
		parameters: { robotIds: ['robot'] },
		mode: 'webhook',
		input: ['a', 'b', 'b'].map((maxunRun, row) => ({ json: { maxunRun, row }, maxunRun })),
		...options,
	});
	expect(error).toBeUndefined();
	return items.flat().map(({ json }) => json.row);
}

it('an execution that n8n repeats because its worker stopped emits its runs again, and no other does', async () => {
	const processedData = new Map();
	expect(await emittedBy({ processedData, executionId: '7' })).toEqual([0, 1, 2]);
	expect(await emittedBy({ processedData, executionId: '7' })).toEqual([0, 1, 2]);
	expect(await emittedBy({ processedData, executionId: '8' })).toEqual([]);
});

it('an execution that a person retries emits its runs again', async () => {
	const processedData = new Map();
	expect(await emittedBy({ processedData, executionId: '7' })).toEqual([0, 1, 2]);
	expect(await emittedBy({ processedData, executionId: '8', mode: 'retry' })).toEqual([0, 1, 2]);
});

it('the trigger emits runs even if n8n cannot read which ones were emitted, and the log says so', async () => {
	const messages = warnings();
	expect(await emittedBy({})).toEqual([0, 1, 2]);
	expect(messages).toEqual([expect.stringContaining('a run may start the workflow twice')]);
});

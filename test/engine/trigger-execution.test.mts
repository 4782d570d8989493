import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import type { ProcessedData } from '../helpers/engine/deduplication.mts';
import { execute, TRIGGER_NODE, type ExecuteOptions } from '../helpers/engine/index.mts';
import { announce, useTriggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

const { sandbox, triggers } = useTriggers();

/** The proposed runs that an execution emits. Items without a run only make n8n save data. */
async function emittedBy(
	runIds: Array<string | undefined>,
	options: Partial<ExecuteOptions> = {},
): Promise<unknown[]> {
	const { items, error } = await execute({
		type: TRIGGER_NODE,
		parameters: { events: ['run_completed'], robotIds: ['robot'], options: {} },
		mode: 'webhook',
		executionId: randomUUID(),
		input: runIds.map((id) => ({
			json: { run: id ?? 'none' },
			maxunRun: { id },
		})),
		...options,
	});
	expect(error).toBeUndefined();
	return items.flat().map(({ json }) => json.run);
}

it('an execution that n8n starts again emits the same items', async () => {
	const processedData = new Map();
	expect(await emittedBy(['a', 'b', 'b'], { processedData })).toEqual(['a', 'b', 'b']);
	const again = { processedData, executionId: '7' };
	expect(await emittedBy(['a', 'c'], again)).toEqual(['c']);
	expect(await emittedBy(['a', 'c'], again)).toEqual(['c']);
	expect(await emittedBy(['a', 'b', 'c'], { processedData })).toEqual([]);
});

it('a retried execution and a test in the editor emit all runs, but do not count', async () => {
	const processedData = new Map();
	expect(await emittedBy(['a'], { processedData, mode: 'manual' })).toEqual(['a']);
	expect(await emittedBy(['a'], { processedData })).toEqual(['a']);
	expect(await emittedBy(['a'], { processedData, mode: 'retry' })).toEqual(['a']);
});

it.each(['webhook', 'trigger', 'retry'] as const)(
	'an item that only makes n8n save data is dropped (mode: %s)',
	async (mode) => {
		expect(await emittedBy([undefined], { mode })).toEqual([]);
	},
);

it("simultaneous executions emit each run once, even a workflow's first ones", async () => {
	const processedData = new Map();
	const runs = ['a', 'b', 'a', 'c', 'b'];
	const emitted = runs.map(async (run) => await emittedBy([run], { processedData }));
	expect((await Promise.all(emitted)).flat()).toEqual(['a', 'b', 'c']);
});

/** Simultaneous executions of two processes. They don't take turns. */
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

/** In n8n 1, MySQL has room for only about 2,400 entries. */
class SmallTable extends Map<string, string[]> {
	override set(node: string, entries: string[]): this {
		if (entries.length > 2400) throw new Error('Data too long for column');
		return super.set(node, entries);
	}
}

it.each([new Map<string, string[]>(), new SmallTable()])(
	'any number of runs is recorded at once, and n8n remembers at least the last 900',
	async (processedData) => {
		const runs = Array.from({ length: 2000 }, (_, index) => `run ${index}`);
		expect(await emittedBy(runs, { processedData })).toEqual(runs);
		expect(await emittedBy(runs.slice(-900), { processedData })).toEqual([]);
	},
);

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

it('the log says that other processes overwrite each record', async () => {
	const processedData: ProcessedData = new Map();
	await emittedBy(['first'], { processedData });
	const messages = warnings();
	vi.spyOn(processedData, 'set').mockImplementation(() => processedData);
	expect(await emittedBy(['a'], { processedData })).toEqual(['a']);
	expect(messages).toEqual([expect.stringContaining('a run may start the workflow twice')]);
});

it('the trigger drops runs that it has already emitted, even if n8n cannot record the others', async () => {
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

describe('screenshots', () => {
	const downloading = { options: { downloadScreenshots: true } };

	it('are downloaded by the execution, which owns the files', async () => {
		const robotId = await newRobot(sandbox, { formats: ['screenshot-visible'] });
		const host = await triggers.activeHost([robotId], downloading);
		await triggers.finishedRun(robotId);
		const [item] = await host.waitForItems(1);
		expect(item?.binary?.screenshot).toMatchObject({ mimeType: expect.stringMatching('image/') });
	});

	it('with an invalid URL do not affect others', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId], downloading);
		const screenshots = ['http://exa mple/1.png'];
		const [run] = await triggers.endedRuns(robotId, 1, { screenshots });
		await announce(host, robotId, run);
		expect(host.emitted).toMatchObject([
			{ json: { run: { id: run }, screenshotError: expect.any(String) } },
		]);
	});
});

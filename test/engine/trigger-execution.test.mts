import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import type { ProcessedData } from '../helpers/engine/deduplication.mts';
import { execute, TRIGGER_NODE, type ExecuteOptions } from '../helpers/engine/index.mts';
import { announce, useTriggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

const { sandbox, triggers } = useTriggers();

/** What n8n's table contains. */
let processedData: ProcessedData;
beforeEach(() => void (processedData = new Map()));

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
		input: runIds.map((id) => ({ json: { run: id ?? 'none' }, maxunRun: { id } })),
		processedData,
		...options,
	});
	expect(error).toBeUndefined();
	return items.flat().map(({ json }) => json.run);
}

it('an execution that n8n starts again emits the same items', async () => {
	expect(await emittedBy(['a', 'b', 'b'])).toEqual(['a', 'b', 'b']);
	for (let times = 0; times < 2; times++) {
		expect(await emittedBy(['a', 'c'], { executionId: '7' })).toEqual(['c']);
	}
	expect(await emittedBy(['a', 'b', 'c'])).toEqual([]);
});

it('a retried execution and a test in the editor emit all runs, and do not record them', async () => {
	expect(await emittedBy(['a'], { mode: 'manual' })).toEqual(['a']);
	expect(await emittedBy(['a'])).toEqual(['a']);
	expect(await emittedBy(['a'], { mode: 'retry' })).toEqual(['a']);
});

it.each(['webhook', 'trigger', 'retry'] as const)(
	'an item that only makes n8n save data is dropped (mode: %s)',
	async (mode) => {
		expect(await emittedBy([undefined], { mode })).toEqual([]);
	},
);

it("simultaneous executions emit each run once, even a workflow's first executions", async () => {
	const runs = ['a', 'b', 'a', 'c', 'b'];
	const emitted = runs.map(async (run) => await emittedBy([run]));
	expect((await Promise.all(emitted)).flat()).toEqual(['a', 'b', 'c']);
});

it('simultaneous executions with repeated runs do not make n8n forget any run', async () => {
	const runs = Array.from({ length: 250 }, (_, index) => `run ${index}`);
	await emittedBy(runs);
	const again = Array.from({ length: 40 }, async () => await emittedBy(runs));
	expect((await Promise.all(again)).flat()).toEqual([]);
	expect(await emittedBy(runs)).toEqual([]);
});

/** Simultaneous executions of two processes. They don't take turns. */
const inTwoProcesses = async (first: string[], second: string[]) =>
	await Promise.all([
		emittedBy(first, { workflowId: 'first' }),
		emittedBy(second, { workflowId: 'second' }),
	]);

it('the first executions of two processes both record their runs', async () => {
	expect(await inTwoProcesses(['a'], ['b'])).toEqual([['a'], ['b']]);
	expect(await emittedBy(['a', 'b', 'c'])).toEqual(['c']);
});

it('two processes that record a run at the same time emit it once', async () => {
	await emittedBy(['first']);
	const emitted = await inTwoProcesses(['a', 'b'], ['b', 'c']);
	expect(emitted.flat().sort()).toEqual(['a', 'b', 'c']);
	expect(await emittedBy(['a', 'b', 'c', 'd'])).toEqual(['d']);
});

/** In n8n 1, MySQL has room for only about 2,400 entries. */
class SmallTable extends Map<string, string[]> {
	override set(node: string, entries: string[]): this {
		if (entries.length > 2400) throw new Error('Data too long for column');
		return super.set(node, entries);
	}
}

it.each([new Map<string, string[]>(), new SmallTable()])(
	'any number of runs is recorded at once, and n8n keeps at least the last 900',
	async (table) => {
		processedData = table;
		const runs = Array.from({ length: 2000 }, (_, index) => `run ${index}`);
		expect(await emittedBy(runs)).toEqual(runs);
		expect(await emittedBy(runs.slice(-900))).toEqual([]);
	},
);

it('an execution without new runs ends without items, even if the node always outputs data', async () => {
	const options = { node: { alwaysOutputData: true } };
	expect(await emittedBy(['a'], options)).toEqual(['a']);
	expect(await emittedBy(['a'], options)).toEqual([]);
});

it('the trigger emits runs even if n8n cannot record them, and the log says so', async () => {
	const messages = warnings();
	expect(await emittedBy(['a'], { processedData: undefined })).toEqual(['a']);
	expect(messages).toEqual([expect.stringContaining('a run may start the workflow twice')]);
});

it('the log says that other processes overwrite each record', async () => {
	await emittedBy(['first']);
	const messages = warnings();
	vi.spyOn(processedData, 'set').mockImplementation(() => processedData);
	expect(await emittedBy(['a'])).toEqual(['a']);
	expect(messages).toEqual([expect.stringContaining('a run may start the workflow twice')]);
});

it('the trigger drops runs that it has already emitted, even if n8n cannot record the others', async () => {
	await emittedBy(['a']);
	const messages = warnings();
	const write = processedData.set.bind(processedData);
	vi.spyOn(processedData, 'set')
		.mockImplementationOnce(write)
		.mockImplementation(() => {
			throw new Error('The database is locked');
		});
	expect(await emittedBy(['a', 'b'])).toEqual(['b']);
	expect(messages).toEqual([expect.stringContaining('The database is locked')]);
});

describe('screenshots', () => {
	const downloading = { options: { downloadScreenshots: true } };

	it('are not downloaded for pinned data, which is emitted as it is', async () => {
		const parameters = { events: ['run_completed'], robotIds: ['robot'], ...downloading };
		const input = [{ json: { run: 'pinned' } }];
		expect(await emittedBy([], { parameters, input, mode: 'manual' })).toEqual(['pinned']);
	});

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

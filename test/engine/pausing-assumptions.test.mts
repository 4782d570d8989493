import { ExecuteContext, WorkflowExecute } from 'n8n-core';
import { afterEach, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { pairedIndex } from './support/operations.mts';
import { usePausing } from './support/pausing.mts';

/* Each test breaks one assumption of nodes/Maxun/n8n/internals.ts in n8n's engine. */

const paused = usePausing();
const { sandbox } = paused;

/** Runs two items in the changed engine, and ends their runs. Nothing is lost, repeated or left behind. */
async function pollsInstead(): Promise<void> {
	await paused.startHost();
	const ids = [await newRobot(sandbox), await newRobot(sandbox)];
	const execution = paused.host.start(ids.map((robotId) => ({ robotId })));
	const isPolling = async () =>
		(await sandbox.lines()).filter((line) => line === 'GET /runs/active').length > 4;
	await expect.poll(isPolling).toBe(true);
	await paused.finishRuns();
	const { status, lives } = await paused.host.reaches(execution, ['success', 'error', 'waiting']);
	expect({ status, lives }).toEqual({ status: 'success', lives: 1 });
	const [items] = paused.host.output(execution);
	expect(items?.map(({ json }) => json.robotId)).toEqual(ids);
	expect(items?.map(pairedIndex)).toEqual([0, 1]);
	expect(paused.host.output(execution, 'After')[0]).toHaveLength(2);
	expect(paused.host.hints(execution)).toEqual([
		expect.stringMatching(/because this version of n8n cannot resume the node$/),
	]);
	const lines = await sandbox.lines();
	expect(lines.filter((line) => /^POST .*\/runs$/.test(line))).toHaveLength(2);
}

let restore: (() => void) | undefined;
afterEach(() => restore?.());

/** Changes what a method of the engine returns. */
function change<T>(
	type: { prototype: object },
	key: string,
	changed: (result: T, engine: object) => T,
) {
	const { prototype } = type;
	const original: unknown = Reflect.get(prototype, key);
	if (typeof original !== 'function') throw new Error(`This n8n-core has no ${key}`);
	Reflect.set(prototype, key, function (this: object, ...args: unknown[]) {
		return changed(Reflect.apply(original, this, args), this);
	});
	restore = () => void Reflect.set(prototype, key, original);
}

/** The engine's entries after a node's request: the requested entry first. */
type Entries = Array<{ data: { main: Array<Array<{ json: object }>> } }>;

const changeRequests = (changed: (entries: Entries) => unknown) =>
	change(WorkflowExecute, 'handleEngineRequest', (result, engine) => {
		changed(Reflect.get(engine, 'runExecutionData').executionData.nodeExecutionStack);
		return result;
	});
const emptied = ([requested]: Entries) => requested && (requested.data.main = [[{ json: {} }]]);
const copied = (items: object[]) => items.map((item) => ({ ...item }));
const stored = {};

it.each([
	[
		'returns copies of its entries',
		() => change(ExecuteContext, 'getExecuteData', (one: object) => ({ ...one })),
	],
	['has entries that differ from the input', () => change(ExecuteContext, 'getInputData', copied)],
	['keeps its data elsewhere', () => change(ExecuteContext, 'getContext', () => stored)],
	['does not mention the requested run', () => changeRequests(emptied)],
	['skips the requested run', () => changeRequests((entries) => entries.shift())],
])('an engine that %s makes executions poll', async (_, prepare) => {
	prepare();
	await pollsInstead();
});

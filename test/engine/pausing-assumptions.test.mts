import { ExecuteContext, WorkflowExecute } from 'n8n-core';
import { afterEach, expect, it, vi } from 'vitest';
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

it('an engine that returns copies of its entries makes executions poll', async () => {
	const original = ExecuteContext.prototype.getExecuteData;
	vi.spyOn(ExecuteContext.prototype, 'getExecuteData').mockImplementation(function (
		this: ExecuteContext,
	) {
		return { ...original.call(this) };
	});
	await pollsInstead();
});

it('an engine whose entries differ from the input makes executions poll', async () => {
	const original = ExecuteContext.prototype.getInputData;
	vi.spyOn(ExecuteContext.prototype, 'getInputData').mockImplementation(function (
		this: ExecuteContext,
		...args
	) {
		return original.apply(this, args).map((item) => ({ ...item }));
	});
	await pollsInstead();
});

it('an engine that keeps its data elsewhere makes executions poll', async () => {
	const stored = {};
	vi.spyOn(ExecuteContext.prototype, 'getContext').mockImplementation(() => stored);
	await pollsInstead();
});

/** The engine's entries after a node's request: the requested entry first. */
type Entries = Array<{ data: { main: Array<Array<{ json: object }>> } }>;

function changeRequests(change: (entries: Entries) => void): void {
	const key = 'handleEngineRequest';
	const original: unknown = Reflect.get(WorkflowExecute.prototype, key);
	if (typeof original !== 'function') throw new Error(`This n8n-core has no ${key}`);
	Reflect.set(WorkflowExecute.prototype, key, function (this: WorkflowExecute, ...args: unknown[]) {
		Reflect.apply(original, this, args);
		change(Reflect.get(this, 'runExecutionData').executionData.nodeExecutionStack);
	});
	restore = () => Reflect.set(WorkflowExecute.prototype, key, original);
}

let restore: (() => void) | undefined;
afterEach(() => {
	restore?.();
	restore = undefined;
});

it('an engine that does not mention the requested run makes executions poll', async () => {
	changeRequests(([requested]) => requested && (requested.data.main = [[{ json: {} }]]));
	await pollsInstead();
});

it('an engine that skips the requested run makes executions poll', async () => {
	changeRequests((entries) => entries.shift());
	await pollsInstead();
});

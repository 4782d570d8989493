import { getEventListeners } from 'node:events';
import { NodeApiError } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import {
	executionOrderOf,
	isToolExecution,
	networkCode,
	pollBudget,
	sleep,
} from '../../nodes/Maxun/n8n/olderVersions.ts';

const NODE = {
	id: '1',
	name: 'Maxun',
	type: 'maxun',
	typeVersion: 1,
	position: [0, 0] as [number, number],
	parameters: {},
};

describe('in an execution', () => {
	let cancel: AbortController;

	beforeEach(() => {
		cancel = new AbortController();
	});

	it('waiting ends with the reason as soon as the execution is canceled', async () => {
		const reason = new Error('canceled');
		const waiting = sleep(60_000, cancel.signal);
		cancel.abort(reason);
		await expect(waiting).rejects.toBe(reason);
	});

	it('waiting does not begin in a canceled execution', async () => {
		cancel.abort(new Error('canceled'));
		await expect(sleep(60_000, cancel.signal)).rejects.toThrow('canceled');
	});

	it('everything that waits uses one listener, and ends together', async () => {
		const waiting = Array.from({ length: 20 }, async () => await sleep(60_000, cancel.signal));
		expect(getEventListeners(cancel.signal, 'abort')).toHaveLength(1);
		cancel.abort(new Error('canceled'));
		const ends = await Promise.allSettled(waiting);
		expect(ends.map(({ status }) => status)).toEqual(Array(20).fill('rejected'));
	});

	it('waiting ends on time, and a later cancellation has no effect', async () => {
		const since = Date.now();
		await sleep(50, cancel.signal);
		expect(Date.now() - since).toBeGreaterThanOrEqual(45);
		cancel.abort(new Error('canceled'));
		await new Promise((resolve) => setImmediate(resolve));
	});
});

describe('with an n8n version that lacks a function', () => {
	it('the node runs as a tool if its context can be cloned', () => {
		const tool: object = { cloneWith: () => tool };
		expect(isToolExecution({})).toBe(false);
		expect(isToolExecution(tool)).toBe(true);
		expect(isToolExecution({ isToolExecution: () => true })).toBe(true);
	});

	it('the execution order comes from the workflow', () => {
		const legacy: object = { workflow: { settings: {} } };
		expect(executionOrderOf(legacy)).toBeUndefined();
		const current: object = { workflow: { settings: { executionOrder: 'v1' } } };
		expect(executionOrderOf(current)).toBe('v1');
		const own = { getWorkflowSettings: () => ({ executionOrder: 'v0' as const }) };
		expect(executionOrderOf({ ...current, ...own })).toBe('v0');
	});

	it('a poll may take five minutes', () => {
		expect(pollBudget({})).toBe(300_000);
		expect(pollBudget({ getPollBudgetMs: () => 45_000 })).toBe(45_000);
	});

	it("a network error's code comes from the HTTP code", () => {
		const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
		expect(networkCode(cause)).toBe('ECONNREFUSED');
		const error = new NodeApiError(NODE, { message: 'refused' }, { httpCode: 'ECONNREFUSED' });
		expect(networkCode(error)).toBe('ECONNREFUSED');
		expect(networkCode(new Error('other'))).toBe('');
	});
});

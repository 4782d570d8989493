import { expect, test } from 'vitest';
import { Remembered } from '../../nodes/Maxun/runs/remembered';

const started = { runId: 'run', robotId: 'robot', temporary: 'robot', fields: { url: 'x' } };
const run = { itemIndex: 1, scope: '', since: 5, started };
const memory = {
	outputs: [[{ json: { a: 1 }, pairedItem: { item: 0 }, binary: {} }], []],
	runs: [run],
	robots: [{ scope: '', robotId: 'robot' }],
};

test('what an execution remembers comes back as it was', () => {
	expect(Remembered.parse(JSON.parse(JSON.stringify(memory)))).toEqual(memory);
});

test.each<[string, object]>([
	['a run without its id', { runs: [{ ...run, started: { robotId: 'robot' } }] }],
	['a run of an unknown kind', { runs: [{ ...run, started: { ...started, temporary: 'page' } }] }],
	['an item without data', { outputs: [[{ pairedItem: 0 }]] }],
])('%s is not taken for it', (_, changes) => {
	expect(Remembered.safeParse({ ...memory, ...changes }).success).toBe(false);
});

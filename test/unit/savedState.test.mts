import { describe, expect, it } from 'vitest';
import { SavedState } from '../../nodes/Maxun/runs/pause/savedState';

const started = {
	runId: 'run',
	robotId: 'robot',
	temporary: 'robot',
	fields: { url: 'x' },
	response: { status: 'queued' },
};
const run = { itemIndex: 1, teamId: '', since: 5, started };
const state = {
	outputs: [[{ json: { a: 1 }, pairedItem: { item: 0 }, binary: {} }], []],
	runs: [run],
	open: [{ ...run, itemIndex: 0 }],
	notStarted: [{ itemIndex: 2, since: 1 }, { itemIndex: 3 }],
	resumeUrl: 'https://n8n.example/webhook-waiting/1/maxun-run-ended',
	robots: [{ teamId: '', robotId: 'robot' }],
	counts: [1, 2],
	skipped: ['https://example.com/missing (not found)'],
	withoutData: ['https://example.com/empty'],
	failed: [2],
	unrepeatable: [2],
	remainders: ['A temporary robot remains'],
	tries: 2,
};

describe('the saved state of a paused execution', () => {
	it('is read as it was written', () => {
		expect(SavedState.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
	});

	it('is also read without the fields that older versions did not store', () => {
		const { open, failed, unrepeatable, remainders, tries, ...older } = state;
		expect([open.length, failed, unrepeatable, remainders.length, tries]).toEqual([
			1,
			[2],
			[2],
			1,
			2,
		]);
		const missing = { open: [], failed: [], unrepeatable: [], remainders: [], tries: 1 };
		expect(SavedState.parse(older)).toEqual({ ...older, ...missing });
	});

	it.each<[string, object]>([
		['a run has no ID', { runs: [{ ...run, started: { robotId: 'robot' } }] }],
		[
			'a temporary robot is of an unknown kind',
			{ runs: [{ ...run, started: { ...started, temporary: 'page' } }] },
		],
		['an item has no data', { outputs: [[{ pairedItem: 0 }]] }],
	])('is refused if %s', (_, changes) => {
		expect(SavedState.safeParse({ ...state, ...changes }).success).toBe(false);
	});
});

import { describe, expect, it } from 'vitest';
import type { Outcome, PendingRun } from '../../nodes/Maxun/runs/types';
import { waitForRuns } from '../../nodes/Maxun/runs/wait';
import { fakeServer } from './fakeServer.mts';

const MINUTE = 60_000;

/**
 * A run that never ends, on a server that needs a request for each run.
 *
 * @param missing how often the server doesn't find it
 */
async function endless(runId: string, age: number, waitFor: number, missing = 0) {
	const requested: string[] = [];
	const maxun = await fakeServer('selfHosted', async ({ path }) => {
		requested.push(path);
		if (requested.length <= missing) return { status: 404, body: { message: 'Not found' } };
		return { body: { run: { runId, status: 'running' } } };
	});
	const run: PendingRun = {
		context: {
			maxun,
			concurrency: 5,
			toBinary: async () => await Promise.reject(new Error('The test does not expect this')),
			hint: () => undefined,
			remains: () => undefined,
			noData: () => undefined,
			leaves: () => undefined,
			copies: { keep: () => false, take: () => undefined },
			owner: { nameOf: (what) => what, deleteAbandoned: async () => {} },
		},
		itemIndex: 0,
		runId,
		robotId: 'robot',
		since: Date.now() - age,
		settings: {
			waitFor,
			onTimeout: 'return',
			onFailure: 'error',
			output: 'simplified',
			downloadScreenshots: false,
		},
	};
	return { run, requested };
}

describe('a wait that should have ended already', () => {
	const until = Date.now() - 1;

	it('returns an outcome for runs past their deadline, after a last request', async () => {
		const { run, requested } = await endless('late', 2 * MINUTE, 1);
		const outcomes: Outcome[] = [];
		await waitForRuns([run], async (_, outcome) => void outcomes.push(outcome), { until });
		expect(outcomes).toEqual([{ lastStatus: 'running', unreachable: undefined }]);
		expect(requested).toHaveLength(1);
	});

	it('sends no request about runs that have time left', async () => {
		const { run, requested } = await endless('early', 0, 1);
		const outcomes: Outcome[] = [];
		await waitForRuns([run], async (_, outcome) => void outcomes.push(outcome), { until });
		expect(outcomes).toEqual([]);
		expect(requested).toEqual([]);
	});
});

describe('a run that Maxun does not find', () => {
	const poll = async (confirmedAt: number) => {
		const { run } = await endless('late', 2 * MINUTE, 60, 1);
		const outcomes: Outcome[] = [];
		const limits = { until: Date.now(), atOnce: true };
		const onOutcome = async (_: PendingRun, outcome: Outcome) => void outcomes.push(outcome);
		await waitForRuns([{ ...run, confirmedAt }], onOutcome, limits);
		return outcomes;
	};

	it('may appear later if it has just started, however long it took to build its agent', async () => {
		expect(await poll(Date.now())).toEqual([]);
	});

	it('has been deleted if it started long ago', async () => {
		expect(await poll(Date.now() - MINUTE)).toEqual([
			{ fault: expect.objectContaining({ status: 404 }) },
		]);
	});
});

describe('a run whose deadline passes while another one gets its outcome', () => {
	it('gets its outcome too', async () => {
		const { run: hasty } = await endless('hasty', MINUTE - 50, 1);
		const { run: later } = await endless('later', MINUTE - 150, 1);
		const finished: string[] = [];
		const finish = async ({ runId, context }: PendingRun) => {
			finished.push(runId);
			await context.maxun.sleep(300);
		};
		// The later one is polled first, while it still has time.
		await waitForRuns([later, hasty], finish, { until: later.since + MINUTE });
		expect(finished).toEqual(['hasty', 'later']);
	});
});

import { describe, expect, it } from 'vitest';
import type { Outcome, PendingRun } from '../../nodes/Maxun/runs/types';
import { waitForRuns } from '../../nodes/Maxun/runs/wait';
import { fakeServer } from './fakeServer.mts';

const MINUTE = 60_000;

/** A run that never ends, on a server that needs a request for each run. */
async function endless(runId: string, age: number, waitFor: number) {
	const requested: string[] = [];
	const maxun = await fakeServer('selfHosted', async ({ path }) => {
		requested.push(path);
		return { body: { run: { runId, status: 'running' } } };
	});
	const run: PendingRun = {
		context: {
			maxun,
			concurrency: 5,
			toBinary: async () => await Promise.reject(new Error('The test does not expect this')),
			hint: () => undefined,
			remains: () => undefined,
			copies: { keep: () => false, take: () => undefined },
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

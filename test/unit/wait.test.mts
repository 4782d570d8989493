import { describe, expect, test } from 'vitest';
import { waitForRuns, type Awaited, type Outcome } from '../../nodes/Maxun/runs/wait';
import { fakeApi } from './fakeApi.mts';

const MINUTE = 60_000;

/** A run of a service where everything goes on for ever; it asks about each run by itself. */
function endless(runId: string, age: number, waitFor: number) {
	const asked: string[] = [];
	const api = fakeApi(async ({ path }) => {
		asked.push(path);
		return { id: runId, status: 'running' };
	});
	const run: Awaited = {
		api,
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
	return { run, asked };
}

describe('a wait whose end has come already', () => {
	const until = Date.now() - 1;

	test('settles the runs that are out of time, after a last look at them', async () => {
		const { run, asked } = endless('late', 2 * MINUTE, 1);
		const outcomes: Outcome[] = [];
		await waitForRuns([run], async (_, outcome) => void outcomes.push(outcome), { until });
		expect(outcomes).toEqual([{ lastStatus: 'running', unreachable: undefined }]);
		expect(asked).toHaveLength(1);
	});

	test('asks nothing about runs that have time left', async () => {
		const { run, asked } = endless('early', 0, 1);
		const outcomes: Outcome[] = [];
		await waitForRuns([run], async (_, outcome) => void outcomes.push(outcome), { until });
		expect(outcomes).toEqual([]);
		expect(asked).toEqual([]);
	});
});

test('a run whose time passes while another one is settled is settled too', async () => {
	const hasty = endless('hasty', MINUTE - 50, 1).run;
	const later = endless('later', MINUTE - 150, 1).run;
	const settled: string[] = [];
	const settle = async ({ runId, api }: Awaited) => {
		settled.push(runId);
		await api.sleep(300);
	};
	// The later one is looked at first, while it still has some time.
	await waitForRuns([later, hasty], settle, { until: later.since + MINUTE });
	expect(settled).toEqual(['hasty', 'later']);
});

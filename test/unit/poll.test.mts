import { describe, expect, it } from 'vitest';
import { pollRuns } from '../../nodes/Maxun/execution/poll';
import type { WaitEnd } from '../../nodes/Maxun/runs/types';
import { fakeServer, type FakeResponse } from './fakeServer.mts';
import { pendingRun } from './pendingRun.mts';

const withStatus = (status: string): FakeResponse => ({ body: { run: { runId: 'run', status } } });
const RUNNING = withStatus('running');
const NOT_FOUND: FakeResponse = {
	status: 404,
	body: { statusCode: 404, messageCode: 'not_found', message: 'Run not found' },
};
const LATE = { timeoutAt: Date.now() - 1 };

/**
 * Polls a run once on a self-hosted server, which needs a request for each run.
 *
 * @param timeoutAt when the run times out, now that its status is known
 */
async function look(
	response: FakeResponse,
	changes: Parameters<typeof pendingRun>[1] = {},
	timeoutAt?: number,
) {
	const requested: string[] = [];
	const maxun = await fakeServer('selfHosted', async ({ path }) => {
		requested.push(path);
		return response;
	});
	const outcomes: WaitEnd[] = [];
	await pollRuns(
		[pendingRun(maxun.with({ maxRetries: 0 }), changes)],
		async (_, outcome) => void outcomes.push(outcome),
		(run) => timeoutAt ?? run.timeoutAt,
	);
	return { outcomes, requested };
}

describe("a run's poll", () => {
	it('has no outcome while the run is active', async () => {
		const { outcomes, requested } = await look(RUNNING);
		expect(outcomes).toEqual([]);
		expect(requested).toHaveLength(1);
	});

	it('times out a run after its deadline, after a last request', async () => {
		const { outcomes, requested } = await look(RUNNING, LATE);
		expect(outcomes).toEqual([{ timedOut: 'running' }]);
		expect(requested).toHaveLength(1);
	});

	it('does not time out a run that has just left the queue', async () => {
		expect((await look(RUNNING, LATE, Date.now() + 60_000)).outcomes).toEqual([]);
	});

	it('returns a run that has ended, however late', async () => {
		const { outcomes } = await look(withStatus('success'), LATE);
		expect(outcomes).toEqual([{ ended: expect.objectContaining({ status: 'success' }) }]);
	});
});

describe('a run that Maxun does not find', () => {
	it('may appear later if it has just started, however long building its agent took', async () => {
		expect((await look(NOT_FOUND, { startedAt: Date.now() })).outcomes).toEqual([]);
	});

	it('has been deleted if it started long ago', async () => {
		expect((await look(NOT_FOUND)).outcomes).toEqual([
			{ fault: expect.objectContaining({ status: 404 }) },
		]);
	});
});

const page = '<html><body>Bad gateway</body></html>';

describe('the wait for a run', () => {
	it.each<[string, FakeResponse]>([
		["a proxy's page with 200", { status: 200, body: page }],
		["a proxy's 404", { status: 404, body: page }],
		['status 500', { status: 500, body: { statusCode: 500, messageCode: 'error', message: 'x' } }],
	])(
		'continues after %s, even after its timeout, unless a tool has to return',
		async (_, response) => {
			expect((await look(response)).outcomes).toEqual([]);
			expect((await look(response, LATE)).outcomes).toEqual([]);
			const maxun = await fakeServer('cloud', async () => response);
			const context = {
				...pendingRun(maxun.with({ maxRetries: 0 })).context,
				returnAt: Date.now() - 1,
			};
			expect((await look(response, { context, ...LATE })).outcomes).toEqual([{ early: 'unknown' }]);
		},
	);

	it.each([401, 403])("ends with Maxun's own %i", async (status) => {
		const body = { error: 'Invalid API key' };
		expect((await look({ status, body })).outcomes).toEqual([
			{ fault: expect.objectContaining({ status }) },
		]);
	});
});

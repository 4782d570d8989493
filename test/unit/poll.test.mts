import { expect, it } from 'vitest';
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

/** What a poll shows of a run on a self-hosted server, which needs a request for each run. */
async function look(
	response: FakeResponse,
	changes: Parameters<typeof pendingRun>[1] = {},
	/** When the run times out, now that its status is known. */
	timeoutAt?: number,
) {
	let requests = 0;
	const maxun = await fakeServer('selfHosted', async () => {
		requests++;
		return response;
	});
	const outcomes: WaitEnd[] = [];
	await pollRuns(
		[pendingRun(maxun.with({ maxRetries: 0 }), changes)],
		async (_, outcome) => void outcomes.push(outcome),
		(run) => timeoutAt ?? run.timeoutAt,
	);
	if (!changes.context) expect(requests).toBe(1);
	return outcomes;
}

const ends = (status: number) => [{ fault: expect.objectContaining({ status }) }];
const refused = (status: number) => ({ status, body: { error: 'Invalid API key' } });
const ENDED = { ended: expect.objectContaining({ status: 'success' }) };
const NOW = { startedAt: Date.now() };

it.each<[string, Parameters<typeof look>, object[]]>([
	['continues while the run is active', [RUNNING], []],
	['ends after the deadline', [RUNNING, LATE], [{ timedOut: 'running' }]],
	['continues if the run has just left the queue', [RUNNING, LATE, Date.now() + 600_000], []],
	['ends with a run that has ended, however late', [withStatus('success'), LATE], [ENDED]],
	['continues if a run that has just started may appear later', [NOT_FOUND, NOW], []],
	['ends if a run that started long ago was deleted', [NOT_FOUND], ends(404)],
	["ends with Maxun's own 401", [refused(401)], ends(401)],
	["ends with Maxun's own 403", [refused(403)], ends(403)],
])('the wait for a run %s', async (_, given, outcomes) => {
	expect(await look(...given)).toEqual(outcomes);
});

const page = '<html><body>Bad gateway</body></html>';

it.each<[string, FakeResponse]>([
	["a proxy's page with 200", { status: 200, body: page }],
	["a proxy's 404", { status: 404, body: page }],
	['status 500', { status: 500, body: { statusCode: 500, messageCode: 'error', message: 'x' } }],
])(
	'the wait for a run continues after %s, even after its timeout, unless a tool has to return',
	async (_, response) => {
		expect(await look(response)).toEqual([]);
		expect(await look(response, LATE)).toEqual([]);
		const maxun = await fakeServer('cloud', async () => response);
		const { context } = pendingRun(maxun.with({ maxRetries: 0 }));
		const returning = { ...LATE, context: { ...context, returnAt: Date.now() - 1 } };
		expect(await look(response, returning)).toEqual([{ early: 'unknown' }]);
	},
);

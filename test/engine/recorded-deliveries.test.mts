import { expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { deliveries } from '../helpers/recordings.mts';
import { runIdsOf, useTriggers } from './support/triggers.mts';

// A real server sent these deliveries.

const { sandbox, triggers } = useTriggers({ settings: { selfHostedForm: 'observed' } });

const EVENTS = ['run_completed', 'run_failed'];
const CASES: Array<[event: string, count: number, run: string, response: number]> = [
	['run_completed', 1, 'success', 200],
	// It comes in two forms.
	['run_failed', 2, 'failed', 200],
	// It has made-up data.
	['webhook_test', 1, 'running', 202],
];

it.each(CASES)('%s starts the workflow at most once', async (event, count, status, response) => {
	const robotId = await newRobot(sandbox);
	const host = await triggers.activeHost(
		[robotId],
		{ server: 'selfHosted', registration: 'automatic', events: EVENTS },
		{ credentials: sandbox.serverCredentials() },
	);
	const [webhook] = await sandbox.server.webhooks(robotId);
	const [runId = ''] = await triggers.endedRuns(robotId, 1, { status });
	const bodies = deliveries.map(({ body }) => body).filter((body) => body.event_type === event);
	expect(bodies).toHaveLength(count);
	for (const body of bodies) {
		const { robot_id, run_id } = Object(body.data);
		const text = JSON.stringify(body).replaceAll(robot_id, robotId).replaceAll(run_id, runId);
		expect((await host.post(JSON.parse(text), String(webhook?.url))).status).toBe(response);
	}
	const isSample = event === 'webhook_test';
	expect(runIdsOf(host.emitted)).toEqual(isSample ? [] : [runId]);
	for (const { json } of host.emitted) expect(json).toMatchObject({ event });
	// The data comes from the API.
	expect(JSON.stringify(host.emitted)).not.toContain('On small sites');
});

it('these tests send all recorded deliveries', () => {
	expect(CASES.reduce((sum, [, count]) => sum + count, 0)).toBe(deliveries.length);
});

import { describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { deliveries } from '../helpers/recordings.mts';
import { runIdsOf, useTriggers } from './support/triggers.mts';

const { sandbox, triggers } = useTriggers({ settings: { selfHostedForm: 'observed' } });

const recorded = (event: string) =>
	deliveries.filter(({ body }) => body.event_type === event).map(({ body }) => body);

/** An active trigger, and a run that has ended since, as in a recording. */
async function endedRun(status: string) {
	const robotId = await newRobot(sandbox);
	const events = ['run_completed', 'run_failed'];
	const host = await triggers.activeHost(
		[robotId],
		{ server: 'selfHosted', registration: 'automatic', events },
		{ credentials: sandbox.serverCredentials() },
	);
	const [webhook] = await sandbox.server.webhooks(robotId);
	const [runId = ''] = await triggers.endedRuns(robotId, 1, { status });
	/** Sends a recorded delivery with this robot's and this run's ID. @returns the response's status */
	const send = async (body: Record<string, unknown>) => {
		const { robot_id, run_id } = Object(body.data);
		const text = JSON.stringify(body).replaceAll(robot_id, robotId).replaceAll(run_id, runId);
		return (await host.post(JSON.parse(text), String(webhook?.url))).status;
	};
	return { host, runId, send };
}

describe('deliveries of a real server', () => {
	it('a completed run starts the workflow, with data from the API', async () => {
		const { host, runId, send } = await endedRun('success');
		const [body = {}, ...others] = recorded('run_completed');
		expect(others).toEqual([]);
		expect(await send(body)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
		expect(host.emitted[0]?.json).toMatchObject({ event: 'run_completed' });
		expect(JSON.stringify(host.emitted)).not.toContain('On small sites');
	});

	it('a failed run whose event arrives in two forms starts the workflow once', async () => {
		const { host, runId, send } = await endedRun('failed');
		const bodies = recorded('run_failed');
		expect(bodies).toHaveLength(2);
		for (const body of bodies) expect(await send(body)).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([runId]);
		expect(host.emitted[0]?.json).toMatchObject({ event: 'run_failed' });
	});

	it('a sample event with made-up data does not start the workflow', async () => {
		const { host, send } = await endedRun('running');
		const [body = {}, ...others] = recorded('webhook_test');
		expect(others).toEqual([]);
		expect(await send(body)).toBe(202);
		expect(host.emitted).toEqual([]);
	});

	it('these tests send all recorded deliveries', () => {
		const sent = ['run_completed', 'run_failed', 'webhook_test'].flatMap(recorded);
		expect(sent).toHaveLength(deliveries.length);
	});
});

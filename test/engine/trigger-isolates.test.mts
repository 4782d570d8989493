import { Expression } from 'n8n-workflow';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { Triggers } from './support/triggers.mts';

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);

// Since version 2, n8n evaluates expressions in isolates. A call of a webhook has one until its response.
describe('expressions in isolates', () => {
	beforeEach(async () => {
		await sandbox.control.settings({
			runSeconds: 0.1,
			allowPrivateWebhooks: true,
			selfHostedForm: 'observed',
			deliveryCopies: 1,
		});
	});
	afterEach(async () => {
		await Expression.disposeExpressionEngine();
		Expression.setExpressionEngine('legacy');
	});

	it.each(['cloud', 'selfHosted'])(
		'an event is checked after an earlier one had its response (%s)',
		async (server) => {
			const robotId = await newRobot(sandbox);
			const credentials = { ...sandbox.credentials(), ...sandbox.serverCredentials() };
			const host = await triggers.activeHost([robotId], { server }, { credentials });
			const [webhook] = await triggers.webhooks(robotId);
			const runIds = await triggers.endedRuns(robotId, 2);
			await Expression.initExpressionEngine({
				engine: 'quickjs',
				bridgeTimeout: 5000,
				bridgeMemoryLimit: 128,
				poolSize: 1,
				maxCodeCacheSize: 64,
			});
			for (const run_id of runIds) {
				const data = { run_id, robot_id: robotId };
				const { status } = await host.post({ event_type: 'run_completed', data }, webhook?.url);
				expect(status).toBe(200);
			}
		},
	);
});

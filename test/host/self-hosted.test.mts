import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { startedByItself } from './example-runs.mts';
import { byId, TRIGGER, watching } from './nodes.mts';
import { ACTION, doing, execute, NEW_SECOND } from './own-server.mts';
import { jsonOf } from './rest.mts';
import { FULL } from './size.mts';
import { webhooksOn } from './traffic.mts';
import { useStage } from './useStage.mts';

/** Whether the long run has its documented length, or a shorter one for builds. */
const LONG_RUN = FULL ? { seconds: 600, cutAfter: 60 } : { seconds: 20, cutAfter: 3 };

const stage = useStage();

it('on a self-hosted server with webhook routes, a published workflow creates its webhook, and runs start it', async () => {
	await stage.sandbox.control.settings({ selfHostedForm: 'observed' });
	const robotId = await newRobot(stage.sandbox, { name: 'With a workflow' });
	const { id } = await stage.rest.createWorkflow(watching('selfHosted', [robotId]));
	await stage.rest.publish(id);
	const webhooks = await stage.sandbox.server.webhooks(robotId);
	expect(webhooks).toMatchObject([{ url: expect.stringContaining('?robot=') }]);
	await sleep(NEW_SECOND);
	const { runId } = await stage.sandbox.server.run(robotId);
	const execution = await startedByItself(stage, id);
	expect(jsonOf(execution, TRIGGER)).toMatchObject([{ run: { id: runId } }]);
	await stage.rest.deactivate(id);
	await webhooksOn(stage, [robotId], 0);
});

it('a run whose connection is cut starts once and completes', async () => {
	const { seconds, cutAfter } = LONG_RUN;
	await stage.sandbox.control.settings({
		selfHostedForm: 'observed',
		runSeconds: seconds,
		selfHostedCutAfterSeconds: cutAfter,
	});
	const robotId = await newRobot(stage.sandbox, { name: 'Slow' });
	const began = Date.now();
	const workflow = doing('run', 'runAndWait', { output: 'simplified', robotId: byId(robotId) });
	const execution = await execute(stage, workflow, (seconds + 60) * 1000);
	await stage.sandbox.control.settings({ runSeconds: 0.3, selfHostedCutAfterSeconds: null });
	console.log(
		`A run of ${seconds} s, whose connection was cut after ${cutAfter} s, was over in n8n after ${Math.round((Date.now() - began) / 1000)} s`,
	);
	expect(execution.error).toBeUndefined();
	const runs = jsonOf(execution, ACTION);
	expect(runs).toMatchObject([
		{ robotId, status: 'success', data: { markdown: expect.any(String) } },
	]);
	expect(Number(runs[0]?.durationMs)).toBeGreaterThan((seconds - 1) * 1000);
	expect(await stage.sandbox.count(/^POST .*\/runs$/)).toBe(1);
	expect(await stage.sandbox.server.runs(robotId)).toHaveLength(1);
}, 700_000);

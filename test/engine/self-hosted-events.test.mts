import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { expect, it } from 'vitest';
import type { TriggerOptions } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { describeForm } from './support/self-hosted.mts';
import { polled, runIdsOf, useTriggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

const { sandbox, triggers } = useTriggers({ settings: { runSeconds: 0.1 } });

const onServer = async (
	robotIds: string[],
	parameters: INodeParameters = {},
	options: Partial<TriggerOptions> = {},
) =>
	await triggers.host(
		robotIds,
		{ server: 'selfHosted', ...parameters },
		{ credentials: sandbox.serverCredentials(), ...options },
	);

const finishedRun = async (robotId: string) => String((await sandbox.server.run(robotId)).runId);

it('the trigger registers itself, emits what the API confirms, and turns its webhook off', async () => {
	await sandbox.control.settings({ selfHostedForm: 'observed' });
	const robotId = await newRobot(sandbox);
	const host = await onServer([robotId]);
	await host.activate();
	const [webhook, ...others] = await sandbox.server.webhooks(robotId);
	expect(others).toEqual([]);
	expect(webhook).toMatchObject({ active: true, events: ['run_completed'], retryAttempts: 10 });
	expect(webhook?.url).toBe(`${host.url}?robot=${robotId}`);
	const runId = await finishedRun(robotId);
	const [item] = await host.waitForItems(1);
	expect(item?.json).toMatchObject({
		event: 'run_completed',
		robot: { id: robotId },
		run: { id: runId, status: 'success' },
	});
	await host.deactivate();
	expect(await sandbox.server.webhooks(robotId)).toMatchObject([{ active: false }]);
});

it('a server without webhook routes is polled, and the log says how to add a webhook manually', async () => {
	const robotId = await newRobot(sandbox);
	const told = warnings();
	const host = await onServer([robotId]);
	await host.activate();
	expect(told.join()).toMatch(/does not support registering webhooks.*dashboard.*\?robot=/s);
	await sleep(1100);
	const runId = await finishedRun(robotId);
	expect(await polled(host)).toEqual([runId]);
	const next = await finishedRun(robotId);
	await host.post({ data: { run_id: next } }, `${host.url}?robot=${robotId}`);
	expect(runIdsOf(host.emitted)).toEqual([runId, next]);
});

describeForm(sandbox, 'observed', () => {
	const parameters = { events: ['run_completed', 'run_canceled'], options: { pollOnly: true } };
	const credentialsIn = (timezone: string) => ({
		credentials: sandbox.serverCredentials({ timezone }),
		workflowId: 'zones',
	});

	it('the trigger emits each run once, whatever the time zone in the credential is', async () => {
		const robotId = await newRobot(sandbox);
		await finishedRun(robotId);
		const first = await onServer([robotId], parameters, credentialsIn(''));
		await first.activate();
		expect(first.emitted).toEqual([]);
		// The server's clock has whole seconds. Runs that end in the same second as the first poll come before it.
		await sleep(1100);
		const runs = [await finishedRun(robotId)];
		await sandbox.control.settings({ runSeconds: 10, selfHostedAnswersAtOnce: true });
		const aborted = await finishedRun(robotId);
		await sandbox.control.abortRun(aborted);
		await sandbox.control.settings({ runSeconds: 0.1, selfHostedAnswersAtOnce: false });
		runs.push(aborted);
		expect((await polled(first)).sort()).toEqual(runs.sort());
		const { staticData, port } = first;
		await first.close();
		await sleep(1100);
		const last = await finishedRun(robotId);
		for (const timezone of ['UTC', 'Asia/Tokyo', '']) {
			const setup = { ...credentialsIn(timezone), staticData, port };
			const next = await onServer([robotId], parameters, setup);
			await next.activate('init');
			expect(runIdsOf(next.emitted)).toEqual(timezone === 'UTC' ? [last] : []);
			await next.close();
		}
	});

	it('with all robots, a robot whose runs cannot be listed does not lose runs, and is watched from the first list that succeeds', async () => {
		const robotId = await newRobot(sandbox);
		const [away, late] = [await newRobot(sandbox), await newRobot(sandbox)];
		await finishedRun(robotId);
		const fail = async (id: string) =>
			await sandbox.respond(403, `GET /robots/${id}/runs$`, { times: 99 });
		await finishedRun(late);
		await fail(late);
		const host = await onServer([], { watch: 'all' });
		await host.activate();
		await fail(away);
		await sleep(1100);
		const runs = [await finishedRun(robotId), await finishedRun(away)];
		expect(await polled(host)).toEqual([runs[0]]);
		await sandbox.control.clear();
		expect(await polled(host)).toEqual([runs[1]]);
		await sleep(1100);
		const next = await finishedRun(late);
		expect(await polled(host)).toEqual([next]);
	});
});

import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { PACKAGE_NAME } from '../helpers/engine/package.mts';
import { poll, StaticData, type TriggerOptions } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { describeForm } from './support/self-hosted.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);
beforeEach(
	async () => await sandbox.control.settings({ runSeconds: 0.1, allowPrivateWebhooks: true }),
);

const onServer = async (
	robotIds: string[],
	parameters: INodeParameters = {},
	options: Partial<TriggerOptions> = {},
) =>
	await triggers.host(
		robotIds,
		{ server: 'selfHosted', registration: 'automatic', ...parameters },
		{ credentials: sandbox.serverCredentials(), ...options },
	);

/** Runs a robot on the server. Returns the run ID. */
const finishedRun = async (robotId: string) => String((await sandbox.server.run(robotId)).runId);

describe('the trigger on a server with webhook routes', () => {
	beforeEach(async () => await sandbox.control.settings({ selfHostedForm: 'observed' }));

	it('the trigger registers itself, emits what the API confirms, and deletes its webhook', async () => {
		const robotId = await newRobot(sandbox);
		const host = await onServer([robotId]);
		await host.activate();
		const [webhook, ...others] = await sandbox.server.webhooks(robotId);
		expect(others).toEqual([]);
		expect(webhook).toMatchObject({ active: true, events: ['run_completed'], retryAttempts: 10 });
		expect(String(webhook?.url)).toMatch(/\?robot=.+&since=\d+&selection=run_completed$/);
		const runId = await finishedRun(robotId);
		const [item] = await host.waitForItems(1);
		expect(item?.json).toMatchObject({
			event: 'run_completed',
			robot: { id: robotId },
			run: { id: runId, status: 'success' },
		});
		await host.deactivate();
		expect(await sandbox.server.webhooks(robotId)).toEqual([]);
	});

	it.each(['automatic', 'manual'])(
		'the trigger shows the latest run in a test (%s)',
		async (registration) => {
			const robotId = await newRobot(sandbox);
			const runId = await finishedRun(robotId);
			const host = await onServer([robotId], { registration });
			await host.listen();
			expect(runIdsOf(await host.waitForItems(1))).toEqual([runId]);
			await host.stopListening();
		},
	);

	it('the trigger registers and deletes its webhook again if the server reverts the change', async () => {
		const robotId = await newRobot(sandbox);
		const theirs = { id: 'theirs', url: 'http://127.0.0.1:9/theirs', events: ['run_completed'] };
		const webhooks = [{ ...theirs, active: true, retryAttempts: 1 }];
		await sandbox.server.put(`/sdk/robots/${robotId}`, { webhooks });
		await sandbox.control.settings({ selfHostedWriteBackSeconds: 0.95 });
		const host = await onServer([robotId]);
		await finishedRun(robotId);
		await sandbox.control.clear();
		await host.activate();
		expect(await sandbox.count(/^PUT /)).toBe(2);
		expect(await sandbox.server.webhooks(robotId)).toHaveLength(2);
		await finishedRun(robotId);
		await sandbox.control.clear();
		await host.deactivate();
		await sandbox.control.settings({ selfHostedWriteBackSeconds: 0 });
		expect(await sandbox.count(/^PUT /)).toBe(2);
		expect(await sandbox.server.webhooks(robotId)).toEqual([expect.objectContaining(theirs)]);
	});

	it('the trigger emits a failure once, even if it is delivered twice, and no forged one', async () => {
		const host = await onServer([sandbox.demo.failing], { events: ['run_failed'] });
		await host.activate();
		const before = host.deliveries.length;
		await sandbox.server.post(`/robots/${sandbox.demo.failing}/runs`);
		await host.waitForDeliveries(before + 2);
		const [webhook] = await sandbox.server.webhooks(sandbox.demo.failing);
		const forged = { event_type: 'run_failed', data: { run_id: 'made-up', status: 'failed' } };
		expect((await host.post(forged, String(webhook?.url))).status).toBe(503);
		expect((await host.post(forged)).status).toBe(503);
		expect(host.emitted).toHaveLength(1);
		await host.deactivate();
	});
});

describe('the trigger that is added in the dashboard', () => {
	beforeEach(async () => await sandbox.control.settings({ selfHostedForm: 'observed' }));

	it('a manually added webhook needs no request to register, and each delivery is checked', async () => {
		const robotId = await newRobot(sandbox);
		const host = await onServer([robotId], { registration: 'manual' });
		await sandbox.control.clear();
		await host.activate();
		expect((await sandbox.lines()).filter((line) => line.includes('/sdk/'))).toEqual([]);
		const own = { id: 'pasted', url: host.url, events: ['run_completed'], active: true };
		await sandbox.server.put(`/sdk/robots/${robotId}`, { webhooks: [own] });
		const runId = await finishedRun(robotId);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([runId]);
		const forged = { data: { run_id: 'made-up', robot_id: robotId, status: 'success' } };
		await host.post(forged);
		expect(host.emitted).toHaveLength(1);
		await host.deactivate();
		expect(await sandbox.server.webhooks(robotId)).toHaveLength(1);
	});

	it('a robot whose runs cannot be listed during the publication starts the workflow later', async () => {
		const robotIds = [await newRobot(sandbox), await newRobot(sandbox)];
		const [, unlisted = ''] = robotIds;
		await finishedRun(robotIds[0] ?? '');
		const host = await onServer(robotIds, { registration: 'manual' });
		const path = `/robots/${unlisted}/runs$`;
		await sandbox.control.fault({ kind: 'status', status: 403, path, times: 99 });
		await host.activate();
		await sandbox.control.clear();
		const own = { id: 'pasted', url: host.url, events: ['run_completed'], active: true };
		await sandbox.server.put(`/sdk/robots/${unlisted}`, { webhooks: [own] });
		await sleep(1100); // the server's times are in whole seconds
		const runId = await finishedRun(unlisted);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([runId]);
	});

	const asked = {
		message: expect.stringMatching(
			/does not support registering webhooks.*In the Dashboard.*http:\/\/.*webhook/s,
		),
	};

	it('a server that has the robot but no such route makes the user add one in the dashboard', async () => {
		await sandbox.control.settings({ selfHostedForm: 'documented' });
		const host = await onServer([await newRobot(sandbox)]);
		expect(await host.activate().catch((error: unknown) => error)).toMatchObject(asked);
	});

	it('a robot that the server does not have is reported', async () => {
		const missing = '00000000-0000-4000-8000-000000000000';
		const host = await onServer([missing]);
		expect(await host.activate().catch((error: unknown) => error)).toMatchObject({
			message: expect.stringContaining(`could not find robot '${missing}'`),
		});
	});
});

describeForm(sandbox, 'observed', () => {
	it('the polling trigger emits each run once from its first poll on', async () => {
		const robotId = await newRobot(sandbox);
		await finishedRun(robotId);
		let staticData = new StaticData();
		const look = async (timezone = '') => {
			const items = await poll({
				type: `${PACKAGE_NAME}.maxunPollingTrigger`,
				parameters: {
					server: 'selfHosted',
					events: ['run_completed', 'run_aborted'],
					robotIds: [robotId],
				},
				credentials: sandbox.serverCredentials({ timezone }),
				staticData,
			});
			staticData = staticData.reloaded();
			return runIdsOf(items?.[0] ?? []);
		};
		expect(await look()).toEqual([]);
		// The server's clock has whole seconds. Runs that end in the first poll's second come before it.
		await sleep(1100);
		const runs = [await finishedRun(robotId)];
		await sandbox.control.settings({ runSeconds: 10, selfHostedAnswersAtOnce: true });
		const aborted = await finishedRun(robotId);
		await sandbox.control.abortRun(aborted);
		await sandbox.control.settings({ runSeconds: 0.1, selfHostedAnswersAtOnce: false });
		runs.push(aborted);
		expect((await look()).sort()).toEqual(runs.sort());
		expect(await look()).toEqual([]);
		await sleep(1100);
		const last = await finishedRun(robotId);
		expect(await look('UTC')).toEqual([last]);
		expect(await look()).toEqual([]);
	});
});

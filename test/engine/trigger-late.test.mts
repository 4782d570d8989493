import { beforeEach, expect, it } from 'vitest';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { useClock } from './support/clock.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);
const later = useClock();
beforeEach(async () => {
	await sandbox.control.settings({ runSeconds: 0.1, allowPrivateWebhooks: true });
});

/** A run that ends in so many minutes, after the second in which the watch begins. */
async function endedRun(
	{ control }: typeof sandbox,
	robotId: string,
	minutes: number,
	run: IDataObject = {},
): Promise<string> {
	const finishedAt = new Date(Date.now() + minutes * 60_000 + 1000).toISOString();
	const [id = ''] = await control.runs({
		robotId,
		run: { startedAt: finishedAt, finishedAt, ...run },
	});
	return id;
}

/** An active trigger, and a function that delivers a body. */
async function active(options: INodeParameters = {}) {
	const robotId = await newRobot(sandbox);
	const host = await triggers.activeHost([robotId], { options });
	const url = (await triggers.webhooks(robotId))[0]?.url ?? '';
	const post = async (data: object) =>
		(await host.post({ event_type: 'run_completed', data }, url)).status;
	return { robotId, host, post };
}

const neverReadable = async (runId: string) =>
	await sandbox.control.fault({ kind: 'status', status: 500, path: `/runs/${runId}$`, times: 99 });

const withoutData = (id: string) =>
	expect.objectContaining({
		json: expect.objectContaining({
			run: expect.objectContaining({ id }),
			dataError: expect.stringContaining('Maxun returned status'),
		}),
	});

it('a run whose first event gets a 503 response is emitted later, even if other runs have been processed since', async () => {
	const { robotId, host, post } = await active();
	const run = await endedRun(sandbox, robotId, 0, { status: 'running' });
	expect(await post({ run_id: run })).toBe(503);
	later(10);
	await sandbox.control.patchRun(run, { hasChanges: true });
	const other = await endedRun(sandbox, robotId, 0);
	expect(await post({ run_id: other })).toBe(200);
	await sandbox.control.patchRun(run, { status: 'success' });
	expect(await post({ run_id: run })).toBe(200);
	expect(runIdsOf(host.emitted)).toEqual([other, run]);
	expect(await post({ run_id: run })).toBe(200);
	expect(host.emitted).toHaveLength(2);
});

it('a run that at first cannot be found is emitted on a retry, and one that never exists starts nothing', async () => {
	const { robotId, host, post } = await active();
	const run = await endedRun(sandbox, robotId, 0);
	await sandbox.control.fault({ kind: 'status', status: 404, path: `/runs/${run}$`, times: 1 });
	expect(await post({ run_id: run })).toBe(503);
	expect(await post({ run_id: run })).toBe(200);
	expect(runIdsOf(host.emitted)).toEqual([run]);
	expect(await post({ run_id: 'made-up' })).toBe(503);
	expect(host.emitted).toHaveLength(1);
});

it('without catch-up, a repeated delivery without a run ID starts no older run', async () => {
	const { robotId, host, post } = await active({ catchUp: false });
	await endedRun(sandbox, robotId, -1);
	const run = await endedRun(sandbox, robotId, 0);
	for (let count = 0; count < 2; count++) expect(await post({ robot_id: robotId })).toBe(200);
	expect(runIdsOf(host.emitted)).toEqual([run]);
});

it.each([true, false])(
	'a run that can never be read is finally emitted without its data (catch-up: %s)',
	async (catchUp) => {
		const { robotId, host, post } = await active({ catchUp });
		const run = await endedRun(sandbox, robotId, 0);
		await neverReadable(run);
		expect(await post({ run_id: run })).toBe(503);
		later(31);
		expect(await post({ run_id: run })).toBe(200);
		expect(host.emitted).toEqual([withoutData(run)]);
	},
);

it('a delivery without a run ID is retried while the list still shows its run as active', async () => {
	const { robotId, host, post } = await active();
	const run = await endedRun(sandbox, robotId, 0, { status: 'running' });
	expect(await post({ robot_id: robotId })).toBe(503);
	await sandbox.control.patchRun(run, { status: 'success' });
	expect(await post({ robot_id: robotId })).toBe(200);
	expect(runIdsOf(host.emitted)).toEqual([run]);
});

it('a delivery without a run ID finds its run behind more active ones than a list shows', async () => {
	const { robotId, host, post } = await active({ catchUp: false });
	const run = await endedRun(sandbox, robotId, 0);
	const startedAt = new Date(Date.now() + 60_000).toISOString();
	await sandbox.control.runs({ robotId, count: 120, run: { status: 'running', startedAt } });
	expect(await post({ robot_id: robotId })).toBe(200);
	expect(runIdsOf(host.emitted)).toEqual([run]);
});

it('one delivery works off a backlog of 120 missed runs, at most 51 in one execution', async () => {
	const { robotId, host, post } = await active();
	const missed = await triggers.endedRuns(robotId, 120);
	later(6);
	const named = await endedRun(sandbox, robotId, 0);
	expect(await post({ run_id: named })).toBe(200);
	const emitted = runIdsOf(await host.waitForItems(121));
	expect([...emitted].sort()).toEqual([...missed, named].sort());
	const sizes = host.deliveries.map((delivery) => delivery.emitted?.[0]?.length ?? 0);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(51);
});

it('two activations at once register one webhook', async () => {
	const robotId = await newRobot(sandbox);
	const host = await triggers.host([robotId]);
	host.reopen();
	await Promise.all([host.hook('create'), host.hook('create')]);
	const webhooks = await triggers.webhooks(robotId);
	expect(webhooks).toHaveLength(1);
	const run = await endedRun(sandbox, robotId, 0);
	const body = { event_type: 'run_completed', data: { run_id: run } };
	expect((await host.post(body, webhooks[0]?.url)).status).toBe(200);
	expect(runIdsOf(host.emitted)).toContain(run);
});

it('forged deliveries to a URL without secret cost few requests, and real ones start the workflow', async () => {
	const robotIds = [await newRobot(sandbox), await newRobot(sandbox)];
	const [robotId = ''] = robotIds;
	const host = await triggers.host(
		robotIds,
		{ server: 'selfHosted', registration: 'manual' },
		{ credentials: sandbox.serverCredentials({ timezone: 'UTC' }) },
	);
	await host.activate();
	await host.waitForDeliveries(1);
	later(2);
	await sandbox.control.clear();
	const forge = async (data: object) =>
		(await host.post({ event_type: 'run_completed', data })).status;
	for (let count = 0; count < 10; count++)
		await forge({ run_id: `foreign-${count}`, robot_id: 'foreign' });
	expect((await sandbox.control.lines()).filter((line) => line.includes('foreign'))).toEqual([]);
	for (let count = 0; count < 60; count++)
		await forge({ run_id: `forged-${count}`, robot_id: robotId });
	const lines = await sandbox.control.lines();
	expect(lines.filter((line) => line.includes('/forged-')).length).toBeLessThanOrEqual(30);
	expect(lines.length).toBeLessThanOrEqual(30 + 12 * robotIds.length);
	later(1);
	const run = await endedRun(sandbox, robotId, 0);
	for (let count = 0; count < 5; count++)
		await forge({ run_id: `again-${count}`, robot_id: robotId });
	expect(await forge({ run_id: run, robot_id: robotId })).toBe(200);
	expect(runIdsOf(host.emitted)).toEqual([run]);
}, 60_000);

it('a start of n8n while Maxun is down continues the watch', async () => {
	const robotId = await newRobot(sandbox);
	const host = await triggers.activeHost([robotId]);
	later(5);
	const [run] = await triggers.endedRuns(robotId);
	later(10);
	await sandbox.control.fault({ kind: 'status', status: 503, path: '.', times: 200 });
	await host.activate('init');
	await sandbox.control.clearFaults();
	later(5);
	await host.activate('init');
	expect(runIdsOf(await host.waitForItems(1, 5000))).toEqual([run]);
}, 60_000);

it('the log gives the reason why an event cannot be checked', async () => {
	const { robotId, post } = await active();
	const run = await endedRun(sandbox, robotId, 0);
	await sandbox.control.fault({ kind: 'reset', times: 99 });
	const log = warnings();
	expect(await post({ run_id: run })).toBe(503);
	expect(log).toEqual([
		expect.stringMatching(
			/a delivery could not be checked: n8n could not connect to Maxun\. .+ECONNRESET/,
		),
	]);
});

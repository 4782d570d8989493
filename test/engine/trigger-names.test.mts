import { beforeEach, describe, expect, it } from 'vitest';
import { newRobot, unique } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { endedRun, Poller } from './support/polling.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';

const sandbox = useSandbox({ settings: { runSeconds: 0.05 } });
const triggers = new Triggers(sandbox);
beforeEach(async () => await sandbox.control.settings({ allowPrivateWebhooks: true }));

const LOOKUP = /^GET \/robots\?/;

let name = '';
let robotId = '';
beforeEach(async () => {
	name = unique('Prices');
	robotId = await newRobot(sandbox, { name });
});

const rename = async () =>
	await sandbox.owner.patch(`/robots/${robotId}`, { name: unique('Renamed') });

describe('the webhook trigger with the name of a robot', () => {
	it('registers on the robot, next to robots with an ID', async () => {
		const other = await newRobot(sandbox);
		await triggers.activeHost([name, other]);
		for (const id of [robotId, other]) expect(await triggers.webhooks(id)).toHaveLength(1);
		// The sample event arrives before n8n saves which robots were found.
		expect(await sandbox.count(LOOKUP)).toBe(2);
	});

	it('emits a run without another lookup, even if the robot has another name by now', async () => {
		const host = await triggers.activeHost([name]);
		await rename();
		await sandbox.control.clear();
		const runId = await triggers.finishedRun(robotId);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([runId]);
		expect(await sandbox.count(LOOKUP)).toBe(0);
	});

	it('can be unpublished if the robot has another name by now', async () => {
		const host = await triggers.activeHost([name]);
		await rename();
		await host.deactivate();
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});

	it('stays registered when n8n starts, even if the robot has another name by now', async () => {
		const host = await triggers.activeHost([name]);
		await rename();
		await host.activate('init');
		expect(await triggers.webhooks(robotId)).toHaveLength(1);
	});

	it('is no longer registered after publishing fails', async () => {
		const host = await triggers.host([name], {}, { origin: 'http://127.0.0.1:1' });
		await expect(host.activate()).rejects.toThrow();
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});

	it('is not published if no robot has the name', async () => {
		const unknown = await triggers.host(['No such robot']);
		await expect(unknown.activate()).rejects.toThrow(
			/^There is no robot with the name 'No such robot'\. .*These robots exist: '/,
		);
	});

	it('is not published if several robots have the name', async () => {
		const twin = await newRobot(sandbox, { name });
		const host = await triggers.host([name]);
		await expect(host.activate()).rejects.toThrow(new RegExp(`2 robots have the name.*${twin}`));
	});
});

describe('the polling trigger with the name of a robot', () => {
	it('emits the runs of the robot, with one lookup for each poll', async () => {
		const poller = new Poller(sandbox, { robotIds: [name] });
		expect(await poller.emitted()).toEqual([]);
		const runId = await endedRun(sandbox, robotId, 1);
		expect(await poller.emitted()).toEqual([runId]);
		expect(await poller.emitted()).toEqual([]);
		expect(await sandbox.count(LOOKUP)).toBe(3);
	});

	it('fails if no robot has the name', async () => {
		const poller = new Poller(sandbox, { robotIds: 'No such robot' });
		await expect(poller.emitted()).rejects.toThrow(
			"There is no robot with the name 'No such robot'",
		);
	});
});

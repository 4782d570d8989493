import { beforeEach, expect, it } from 'vitest';
import type { INodeParameters } from 'n8n-workflow';
import type { TriggerHost } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { useClock } from './support/clock.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';

/** n8n looks for the static data of a node under its name, so a new name hides this data. */

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);
const passMinutes = useClock();
beforeEach(async () => {
	await sandbox.control.settings({ runSeconds: 0.1, allowPrivateWebhooks: true });
});

/** A trigger that has started the workflow for one run. */
async function watching(options: INodeParameters = {}) {
	const robotId = await newRobot(sandbox);
	const host = await triggers.activeHost([robotId], { options });
	const run = await triggers.finishedRun(robotId);
	await host.waitForItems(1);
	return { robotId, host, run };
}

/** Publishes the trigger with another name. @returns a run that ended in the meantime */
async function rename(host: TriggerHost, robotId: string, name = 'Renamed'): Promise<string> {
	await host.deactivate();
	const [run = ''] = await triggers.endedRuns(robotId);
	passMinutes(1); // so that a watch from now on would not contain the run
	host.edit({ name });
	await host.activate();
	return run;
}

it('a renamed trigger starts the workflow for runs that ended while it was published again', async () => {
	const { robotId, host, run } = await watching();
	const missed = [await rename(host, robotId)];
	await host.waitForItems(2);
	missed.push(await rename(host, robotId, 'Maxun'));
	await host.waitForItems(3);
	expect(runIdsOf(host.emitted)).toEqual([run, ...missed]);
});

it('a renamed trigger without catch-up starts the workflow only for later runs', async () => {
	const { robotId, host, run } = await watching({ catchUp: false });
	await rename(host, robotId);
	const later = await triggers.finishedRun(robotId);
	await host.waitForItems(2);
	expect(runIdsOf(host.emitted)).toEqual([run, later]);
});

it.each(['Maxun', 'Renamed'])(
	'runs of a reselected robot only count from then on (with the name %s in between)',
	async (name) => {
		const { robotId, host, run } = await watching();
		const robot = await newRobot(sandbox);
		const publish = async (parameters: INodeParameters, as = 'Maxun') => {
			await host.deactivate();
			host.edit({ name: as, parameters });
			await host.activate();
		};
		await publish({ robotIds: [robotId, robot] });
		await publish({ robotIds: [robotId] }, name);
		await triggers.endedRuns(robot, 1, {
			finishedAt: new Date(Date.now() - 1000).toISOString(),
		});
		await publish({ robotIds: [robotId, robot] });
		const later = await triggers.finishedRun(robot);
		await host.waitForItems(2);
		expect(runIdsOf(host.emitted)).toEqual([run, later]);
	},
);

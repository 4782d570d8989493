import { beforeEach, describe, expect, it } from 'vitest';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { StaticData, type TriggerHost } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { useClock } from './support/clock.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

/** What starts a search for missed runs, and what it finds and says. */

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);
const later = useClock();
beforeEach(async () => await sandbox.control.settings({ allowPrivateWebhooks: true }));

const urlOf = async (robotId: string) => (await triggers.webhooks(robotId))[0]?.url ?? '';

/** Sends the event of a run. */
async function announce(host: TriggerHost, robotId: string, run_id: unknown): Promise<void> {
	await host.post({ event_type: 'run_completed', data: { run_id } }, await urlOf(robotId));
}

const price = (Price: string): IDataObject => ({ data: { listData: [{ Price }] } });
const EMPTY: IDataObject = { data: { listData: [] } };

describe.each<[string, INodeParameters, IDataObject]>([
	['run without changes', { events: ['run_changed'] }, price('2')],
	['run without data', { options: { ifNoData: 'nothing' } }, EMPTY],
])('a missed run before a %s', (_, parameters, unwanted) => {
	/** A trigger with a missed run, and a later run that doesn't start the workflow. */
	async function missing() {
		const robotId = await newRobot(sandbox);
		const former = await triggers.activeHost([robotId], parameters);
		const [first] = await triggers.endedRuns(robotId, 1, price('1'));
		await announce(former, robotId, first);
		const { port, staticData } = former;
		await former.close();
		later(60);
		const [missed] = await triggers.endedRuns(robotId, 1, price('2'));
		later(60);
		const [last] = await triggers.endedRuns(robotId, 1, unwanted);
		const saved = { port, staticData: staticData.reloaded() };
		const host = await triggers.host([robotId], parameters, saved);
		return { robotId, host, missed, last };
	}

	it('starts the workflow with the next event', async () => {
		const { robotId, host, missed, last } = await missing();
		host.reopen();
		await announce(host, robotId, last);
		expect(runIdsOf(host.emitted)).toContain(missed);
	});

	it('starts the workflow when n8n starts', async () => {
		const { host, missed } = await missing();
		await host.activate('init');
		expect(runIdsOf(await host.waitForItems(1, 3_000))).toContain(missed);
	});
});

it('a run that is skipped because of its age is logged once', async () => {
	const robotId = await newRobot(sandbox);
	const host = await triggers.activeHost([robotId], { options: { maxAge: 1 } });
	await triggers.endedRuns(robotId);
	later(90);
	const log = warnings();
	for (let count = 0; count < 3; count++) {
		const [run] = await triggers.endedRuns(robotId);
		await announce(host, robotId, run);
		later(6);
	}
	expect(log.filter((line) => line.includes('skipped'))).toHaveLength(1);
});

/** The log of a search that finds so many missed runs. */
async function logOfMissing(count: number): Promise<string[]> {
	const robotId = await newRobot(sandbox);
	const host = await triggers.activeHost([robotId]);
	const finishedAt = new Date(Date.now() + 1000).toISOString();
	await sandbox.control.runs({ robotId, count, run: { startedAt: finishedAt, finishedAt } });
	later(6);
	const log = warnings();
	await announce(host, robotId, (await triggers.endedRuns(robotId))[0]);
	await host.waitForItems(51);
	return log;
}

it('all missed runs of a list start the workflow, and the log says that none is skipped', async () => {
	expect(await logOfMissing(1_060)).toEqual([]);
});

it('the log says that runs are skipped if a full list contains only missed ones', async () => {
	expect(await logOfMissing(2_010)).toEqual([
		expect.stringMatching(/more than 2000 runs have been missed\. Earlier ones are skipped$/),
	]);
});

it('a run that cannot be read does not prevent the workflow from being published again', async () => {
	const robotId = await newRobot(sandbox);
	const host = await triggers.activeHost([robotId]);
	const [run] = await triggers.endedRuns(robotId);
	later(1);
	await sandbox.control.fault({ kind: 'status', status: 500, path: `/runs/${run}$`, times: 99 });
	await host.deactivate();
	await host.activate();
	await sandbox.control.clearFaults();
	await announce(host, robotId, run);
	expect(runIdsOf(await host.waitForItems(1))).toEqual([run]);
});

it('a rate limit that publishing reaches does not prevent it', async () => {
	const robotId = await newRobot(sandbox);
	const headers = { 'retry-after': '4' };
	const path = `/robots/${robotId}/runs`;
	await sandbox.control.fault({ kind: 'status', status: 429, headers, path, times: 1 });
	const host = await triggers.activeHost([robotId]);
	expect(await triggers.webhooks(robotId)).toHaveLength(1);
	const [sample] = await host.waitForDeliveries(1);
	expect(sample).toMatchObject({ status: 202, emitted: [[]] });
});

it('the search for one robot does not count for the others', async () => {
	const robots = [await newRobot(sandbox), await newRobot(sandbox)];
	const [one = '', other = ''] = robots;
	await triggers.activeHost(robots);
	const [missed] = await triggers.endedRuns(other);
	later(10 * 60);
	const host = await triggers.host(robots, {}, { staticData: new StaticData() });
	host.reopen();
	const post = async (robotId: string) => {
		const [run_id] = await triggers.endedRuns(robotId);
		const { search } = new URL(await urlOf(robotId));
		await host.post({ event_type: 'run_completed', data: { run_id } }, host.url + search);
	};
	await post(one);
	later(6);
	await post(other);
	expect(runIdsOf(host.emitted)).toContain(missed);
});

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { INodeParameters } from 'n8n-workflow';
import { KEYS, TEAM_ID } from '../sandbox/index.mts';
import { StaticData, type TriggerHost } from '../helpers/engine/index.mts';
import { newRobot } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { useClock } from './support/clock.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';
import { warnings } from './support/warnings.mts';

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);
const later = useClock();
beforeEach(async () => await sandbox.control.settings({ runSeconds: 0.1, slots: 5 }));

const SAMPLE = { event_type: 'webhook_test' };

/** A run that ended before the test, so many minutes ago. */
async function oldRun(robotId: string, minutes = 10, fields: object = {}): Promise<string> {
	const finishedAt = new Date(Date.now() - minutes * 60_000).toISOString();
	const [id = ''] = await sandbox.control.runs({
		robotId,
		run: { startedAt: finishedAt, finishedAt, ...fields },
	});
	return id;
}

/** Publishes the workflow with other parameters. */
async function publish(host: TriggerHost, parameters: INodeParameters): Promise<void> {
	await host.deactivate();
	host.edit({ parameters });
	await host.activate();
}

const urlOf = async (robotId: string, teamId?: string) =>
	(await triggers.webhooks(robotId, teamId))[0]?.url ?? '';

/** Sends the event of a run. @returns the status of the response */
const announce = async (host: TriggerHost, run_id: unknown, url: string) =>
	(await host.post({ event_type: 'run_completed', data: { run_id } }, url)).status;

describe('a run from before the watch does not start the workflow', () => {
	it('in a processor that receives the sample event before n8n has saved the publication', async () => {
		const [robotId, added] = [await newRobot(sandbox), await newRobot(sandbox)];
		const old = [await oldRun(robotId), await oldRun(added)];
		const host = await triggers.activeHost([robotId]);
		const url = await urlOf(robotId);
		later(5);
		old.push(await oldRun(added, 1));
		const processor = await triggers.host([robotId, added], {}, { staticData: new StaticData() });
		processor.reopen();
		const { search } = new URL(url);
		expect((await processor.post(SAMPLE, processor.url + search)).status).toBe(202);
		for (const run of old) {
			const status = await announce(processor, run, processor.url + search);
			expect([200, 503]).toContain(status);
		}
		await processor.waitForDeliveries(1 + old.length);
		expect([...host.emitted, ...processor.emitted]).toEqual([]);
	});

	it('at the first publication with 100 queued runs', async () => {
		const robotId = await newRobot(sandbox);
		for (let minutes = 1; minutes <= 20; minutes++) await oldRun(robotId, minutes);
		await sandbox.control.settings({ slots: 0 });
		const run = { startedAt: null, finishedAt: null };
		await sandbox.control.runs({ robotId, count: 100, status: 'queued', run });
		const host = await triggers.activeHost([robotId]);
		expect((await host.post(SAMPLE, await urlOf(robotId))).status).toBe(202);
		expect(host.emitted).toEqual([]);
		const [later] = await triggers.endedRuns(robotId);
		expect(await announce(host, later, await urlOf(robotId))).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([later]);
	});

	it('after another event is selected', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		later(60);
		const failed = await oldRun(robotId, 10, { status: 'failed' });
		await publish(host, { events: ['run_completed', 'run_failed'] });
		const url = await urlOf(robotId);
		expect((await host.post(SAMPLE, url)).status).toBe(202);
		expect(await announce(host, failed, url)).toBe(200);
		await host.waitForDeliveries(4);
		expect(host.emitted).toEqual([]);
	});

	it('after the credential changes to another server', async () => {
		const robotId = await newRobot(sandbox);
		const former = await triggers.activeHost([robotId]);
		const { port, staticData } = former;
		await former.close();
		later(60);
		const old = await oldRun(robotId);
		const credentials = sandbox.credentials({
			baseUrl: sandbox.baseUrl.replace('127.0.0.1', 'localhost'),
		});
		const saved = { port, staticData: staticData.reloaded(), credentials };
		const host = await triggers.activeHost([robotId], {}, saved);
		expect(await announce(host, old, await urlOf(robotId))).toBe(200);
		const [run] = await triggers.endedRuns(robotId);
		expect(await announce(host, run, await urlOf(robotId))).toBe(200);
		expect(runIdsOf(host.emitted)).toEqual([run]);
	});

	it('after a publication that failed a month ago', async () => {
		const robotId = await newRobot(sandbox);
		const unreachable = await triggers.host([robotId], {}, { origin: 'http://127.0.0.1:9' });
		await expect(unreachable.activate()).rejects.toThrow('Maxun cannot reach this n8n');
		later(30 * 24 * 60);
		const old = await oldRun(robotId);
		const saved = { staticData: unreachable.staticData.reloaded() };
		const host = await triggers.activeHost([robotId], {}, saved);
		expect(await announce(host, old, await urlOf(robotId))).toBe(200);
		expect(host.emitted).toEqual([]);
	});
});

describe('events at the same time', () => {
	it('ten runs that end within a second each start the workflow once, with at most one empty execution', async () => {
		const robotId = await newRobot(sandbox);
		const registrar = await triggers.activeHost([robotId]);
		const url = await urlOf(robotId);
		const { search } = new URL(url);
		const shared = { staticData: registrar.staticData };
		const processors = [
			await triggers.host([robotId], {}, shared),
			await triggers.host([robotId], {}, shared),
		];
		for (const processor of processors) processor.reopen();
		const runs = await triggers.endedRuns(robotId, 10);
		await Promise.all(
			runs.map(async (run, index) => {
				const processor = processors[index % processors.length] ?? registrar;
				expect(await announce(processor, run, processor.url + search)).toBe(200);
			}),
		);
		const outputs = processors.flatMap(({ deliveries }) => deliveries.map((one) => one.emitted));
		expect(outputs).toHaveLength(10);
		expect(outputs.filter((output) => output?.[0]?.length === 0).length).toBeLessThanOrEqual(1);
		const emitted = processors.flatMap((processor) => runIdsOf(processor.emitted));
		expect([...emitted].sort()).toEqual([...runs].sort());
	});

	it.each([
		['no run has ended since the publication', {}],
		['missed runs are not wanted', { options: { catchUp: false } }],
	])('a sample event starts no execution if %s', async (_, parameters) => {
		const robotId = await newRobot(sandbox);
		await oldRun(robotId);
		const host = await triggers.activeHost([robotId], parameters);
		await host.waitForDeliveries(1);
		if ('options' in parameters) await triggers.endedRuns(robotId);
		expect((await host.post(SAMPLE, await urlOf(robotId))).status).toBe(202);
		expect(host.deliveries.map(({ emitted }) => emitted)).toEqual([undefined, undefined]);
	});
});

describe('a member, who may not delete webhooks', () => {
	it('publishes and changes the selection, and a robot that is added again starts no old run', async () => {
		const robots = [
			await newRobot(sandbox, { teamId: TEAM_ID }),
			await newRobot(sandbox, { teamId: TEAM_ID }),
		];
		const [kept = '', changed = ''] = robots;
		const credentials = sandbox.credentials({ apiKey: KEYS.member });
		const parameters = { options: { teamId: locator(TEAM_ID) } };
		const host = await triggers.activeHost(robots, parameters, { credentials });
		const told = warnings();
		const isActive = async (robotId: string) =>
			(await triggers.webhooks(robotId, TEAM_ID)).map(({ active }) => active);
		await publish(host, { robotIds: [kept] });
		expect([await isActive(kept), await isActive(changed)]).toEqual([[true], [false]]);
		expect(told).toContainEqual(expect.stringContaining(`on robot '${changed}' was turned off`));
		later(60);
		const old = await oldRun(changed);
		await publish(host, { robotIds: robots });
		expect([await isActive(kept), await isActive(changed)]).toEqual([[true], [true]]);
		expect(await announce(host, old, await urlOf(changed, TEAM_ID))).toBe(200);
		expect(host.emitted).toEqual([]);
		const run = await triggers.finishedRun(changed, TEAM_ID);
		expect(runIdsOf(await host.waitForItems(1))).toEqual([run]);
	});
});

describe('catching up', () => {
	it('continues after a rate limit', async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		const missed = await triggers.endedRuns(robotId, 60);
		later(6);
		const [named] = await triggers.endedRuns(robotId);
		const url = await urlOf(robotId);
		const limit = { kind: 'status', status: 429, headers: { 'retry-after': '1' } } as const;
		await sandbox.control.fault({ ...limit, path: `/runs/${missed[55]}$`, times: 2 });
		const ticking = setInterval(() => later(1 / 60), 500);
		onTestFinished(() => clearInterval(ticking));
		expect(await announce(host, named, url)).toBe(200);
		const emitted = runIdsOf(await host.waitForItems(61, 30_000));
		expect([...emitted].sort()).toEqual([...missed, named].sort());
	}, 60_000);

	it("continues even if n8n's clock is set back", async () => {
		const robotId = await newRobot(sandbox);
		const host = await triggers.activeHost([robotId]);
		const url = await urlOf(robotId);
		later(60);
		const [first] = await triggers.endedRuns(robotId);
		expect(await announce(host, first, url)).toBe(200);
		const [missed] = await triggers.endedRuns(robotId);
		later(6);
		const [second] = await triggers.endedRuns(robotId);
		later(-30);
		expect(await announce(host, second, url)).toBe(200);
		later(36);
		const [third] = await triggers.endedRuns(robotId);
		expect(await announce(host, third, url)).toBe(200);
		expect([...runIdsOf(host.emitted)].sort()).toEqual([first, missed, second, third].sort());
	});
});

it('a start of n8n keeps the webhooks of all robots if one was deleted', async () => {
	const [gone, robotId] = [await newRobot(sandbox), await newRobot(sandbox)];
	const host = await triggers.activeHost([gone, robotId]);
	const webhooks = await triggers.webhooks(robotId);
	await sandbox.owner.delete(`/robots/${gone}`);
	await host.activate('init');
	expect(await triggers.webhooks(robotId)).toEqual(webhooks);
});

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { endedRun, Poller } from './support/polling.mts';
import { runIdsOf, Triggers } from './support/triggers.mts';

const sandbox = useSandbox();
const triggers = new Triggers(sandbox);
beforeEach(async () => await sandbox.control.settings({ allowPrivateWebhooks: true }));

const CHANGED: INodeParameters = { events: ['run_changed'] };
const page = (path: string, markdown: string) => ({
	markdown,
	metadata: { url: `https://a.example.com/${path}`, title: path },
});
const crawl = (...pages: object[]): IDataObject => ({
	data: JSON.parse(JSON.stringify({ crawlData: pages })),
});
const BEFORE = crawl(page('same', 'Same'), page('old', 'Old'), page('both', 'One'));
const AFTER = crawl(page('same', 'Same'), page('both', 'Two'), page('new', 'New'));

let robotId = '';
beforeEach(async () => {
	robotId = await newRobot(sandbox);
});

const poller = (parameters: INodeParameters = {}) =>
	new Poller(sandbox, { robotIds: [robotId], ...CHANGED, ...parameters });

describe('the polling trigger on Run Found Changes', () => {
	it('starts only for runs that differ from the previous one, with the changes', async () => {
		const polling = poller();
		await polling.items();
		const first = await endedRun(sandbox, robotId, 1, BEFORE);
		await endedRun(sandbox, robotId, 2, BEFORE);
		const last = await endedRun(sandbox, robotId, 3, AFTER);
		const items = await polling.items();
		expect(runIdsOf(items.map((json) => ({ json })))).toEqual([last]);
		expect(items[0]).toMatchObject({ event: 'run_changed', robot: { id: robotId } });
		const changes = items[0]?.changes;
		expect(changes).toEqual([
			expect.objectContaining({
				change: 'changed',
				url: 'https://a.example.com/both',
				diff: expect.stringMatching(/^- One\n\+ Two$/),
				runId: last,
			}),
			expect.objectContaining({ change: 'added', url: 'https://a.example.com/new' }),
			expect.objectContaining({ change: 'removed', url: 'https://a.example.com/old' }),
		]);
		expect(first).not.toBe(last);
		expect(await polling.items()).toEqual([]);
	});

	it('skips failed runs when it looks for the previous one', async () => {
		const polling = poller();
		await polling.items();
		await endedRun(sandbox, robotId, 1, BEFORE);
		await endedRun(sandbox, robotId, 2, { status: 'failed' });
		const last = await endedRun(sandbox, robotId, 3, AFTER);
		expect(await polling.emitted()).toEqual([last]);
	});

	it('a run whose predecessor was deleted is no change', async () => {
		const before = await endedRun(sandbox, robotId, 1, BEFORE);
		const polling = poller();
		await polling.items();
		await sandbox.owner.delete(`/runs/${before}`);
		await endedRun(sandbox, robotId, 2, AFTER);
		expect(await polling.items()).toEqual([]);
	});

	it("Maxun's word counts if it compares the robot's runs", async () => {
		await sandbox.owner.put(`/robots/${robotId}/monitoring`, { compareRuns: true });
		const polling = poller();
		await polling.items();
		const text = (markdown: string, hasChanges: boolean) => ({ data: { markdown }, hasChanges });
		await endedRun(sandbox, robotId, 1, text('One', false));
		await endedRun(sandbox, robotId, 2, text('Two', false));
		const changed = await endedRun(sandbox, robotId, 3, text('Two', true));
		expect(await polling.emitted()).toEqual([changed]);
	});

	it('other robots are compared by content', async () => {
		const polling = poller({ output: 'rows', options: { addRobotAndRun: false } });
		await polling.items();
		await endedRun(sandbox, robotId, 1, { data: { listData: [{ Price: '1' }] } });
		await endedRun(sandbox, robotId, 2, { data: { listData: [{ Price: '2' }] } });
		expect(await polling.items()).toEqual([{ Price: '2' }]);
	});

	it('with Run Completed, every run starts the workflow, and none is compared', async () => {
		const polling = poller({ events: ['run_changed', 'run_completed'] });
		await polling.items();
		const ids = [
			await endedRun(sandbox, robotId, 1, BEFORE),
			await endedRun(sandbox, robotId, 2, BEFORE),
		];
		expect(await polling.emitted()).toEqual(ids);
	});

	it('a comparison that fails for a moment is tried again', async () => {
		const polling = poller();
		await polling.items();
		await endedRun(sandbox, robotId, 1, BEFORE);
		await polling.items();
		const last = await endedRun(sandbox, robotId, 2, AFTER);
		await sandbox.control.fault({ kind: 'status', status: 500, path: `/robots/${robotId}/runs` });
		await polling.emitted().catch(() => []);
		expect(await polling.emitted()).toEqual([last]);
	});
});

describe('the webhook trigger on Run Found Changes', () => {
	it('is registered for completed runs, and starts for those with changes', async () => {
		const host = await triggers.activeHost([robotId], CHANGED);
		const [webhook] = await triggers.webhooks(robotId);
		expect(webhook?.events).toEqual(['run_completed']);
		const ids = [
			...(await triggers.endedRuns(robotId, 1, BEFORE)),
			...(await triggers.endedRuns(robotId, 1, AFTER)),
		];
		for (const runId of ids) {
			await host.post({ event_type: 'run_completed', data: { run_id: runId } }, webhook?.url);
		}
		expect(runIdsOf(host.emitted)).toEqual([ids[1]]);
		expect(host.emitted[0]?.json).toMatchObject({ event: 'run_changed' });
	});

	it('is not published for a robot that only takes screenshots', async () => {
		robotId = await newRobot(sandbox, { name: 'Pictures', formats: ['screenshot-visible'] });
		const host = await triggers.host([robotId], CHANGED);
		await expect(host.activate()).rejects.toThrow(
			/^These robots only capture screenshots, which cannot be compared: 'Pictures'/,
		);
		expect(await triggers.webhooks(robotId)).toEqual([]);
	});
});

describe('a test in the editor', () => {
	/** A run that found changes, before a later one without. @returns the ID of the first */
	async function runWithChanges(): Promise<unknown> {
		const minutes = (count: number) => {
			const finishedAt = new Date(Date.now() + count * 60_000).toISOString();
			return { startedAt: finishedAt, finishedAt };
		};
		await triggers.endedRuns(robotId, 1, { ...BEFORE, ...minutes(-3) });
		const [changed] = await triggers.endedRuns(robotId, 1, { ...AFTER, ...minutes(-2) });
		await triggers.endedRuns(robotId, 1, { ...AFTER, ...minutes(-1) });
		return changed;
	}

	it('of the polling trigger returns the latest run that found changes', async () => {
		const changed = await runWithChanges();
		expect(await poller().emitted({}, { manual: true })).toEqual([changed]);
	});

	it('of the webhook trigger returns the latest run that found changes', async () => {
		const changed = await runWithChanges();
		const host = await triggers.host([robotId], CHANGED);
		await host.listen();
		expect(runIdsOf(await host.waitForItems(1, 5_000))).toEqual([changed]);
	});

	it('of the polling trigger reports that no run found changes', async () => {
		await triggers.endedRuns(robotId, 2, BEFORE);
		await expect(poller().items({}, { manual: true })).rejects.toThrow(
			"No run that has ended matches this trigger's settings",
		);
	});
});

describe('on a self-hosted server', () => {
	it('Only Runs With Changes compares runs, because lists of runs do not show changes', async () => {
		const polling = new Poller(
			sandbox,
			{ server: 'selfHosted', robotIds: [robotId], options: { onlyChanges: true } },
			{ credentials: sandbox.serverCredentials() },
		);
		await polling.items();
		await endedRun(sandbox, robotId, 1, BEFORE);
		await endedRun(sandbox, robotId, 2, BEFORE);
		const last = await endedRun(sandbox, robotId, 3, AFTER);
		const [item, ...others] = await polling.items();
		expect(item).toMatchObject({ event: 'run_completed', run: { id: last } });
		expect(others).toEqual([]);
	});
});

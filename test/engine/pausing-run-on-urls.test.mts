import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { newProductRobot, productUrl } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { PATIENCE } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { pairedIndex } from './support/operations.mts';
import { usePausing } from './support/pausing.mts';

const sandbox = useSandbox();
const paused = usePausing(sandbox);
beforeEach(async () => await sandbox.control.settings({ slots: 2 }));
afterEach(() => void vi.restoreAllMocks());

const page = (id: number) => productUrl(sandbox, id);
const active = async () => await sandbox.owner.activeRuns();
const duplicates = async () => await sandbox.count(/\/duplicate$/);

/** IDs of the copies in Maxun. */
async function copies(): Promise<string[]> {
	const { list } = await sandbox.owner.get('/robots?q=n8n&limit=100');
	return list.map(({ id }) => String(id));
}

async function startHost(options: INodeParameters = {}): Promise<void> {
	await paused.startHost(
		maxun('run', 'runOnUrls', {
			robotId: locator(await newProductRobot(sandbox)),
			urls: '={{ $json.urls }}',
			options: { pauseAfter: 1, ...options },
		}),
	);
}

const isWaiting = async (execution: string, lives: number) =>
	await expect
		.poll(() => paused.host.of(execution), { timeout: PATIENCE })
		.toMatchObject({ status: 'waiting', lives });

async function ended(execution: string) {
	const { run } = await paused.host.reaches(execution, ['success', 'error']);
	expect(run?.data.resultData.error?.message).toBeUndefined();
	return paused.host.output(execution)[0] ?? [];
}

it('an execution pauses, and each end of a run starts the next pages', async () => {
	await startHost();
	const urls = [[5, 1, 4], [2], [6, 3]].map((ids) => ids.map(page));
	const execution = paused.host.start(urls.map((list) => ({ urls: list })));
	await isWaiting(execution, 1);
	expect(paused.host.customData(execution)).toEqual({ maxun_items_done: '0 of 6' });
	// Two runs have a browser slot, and one waits for a slot.
	expect(await active()).toHaveLength(3);
	const running = (await active()).at(-1) ?? ''; // the newest one is queued
	await sandbox.control.finishRun(running);
	await isWaiting(execution, 2);
	expect(await active()).toHaveLength(3);
	while (paused.host.of(execution).status !== 'success') {
		await paused.finishRuns();
		await sleep(300);
	}
	const items = await ended(execution);
	expect(items.map(({ json }) => json.pageUrl)).toEqual(urls.flat());
	expect(items.map(pairedIndex)).toEqual([0, 0, 0, 1, 2, 2]);
	expect(new Set(items.map(({ json }) => json.Name)).size).toBe(6);
	expect(await copies()).toEqual([]);
	expect(await sandbox.count(/^POST \/robots\/[^/]+\/runs$/)).toBe(6);
	expect(await duplicates()).toBeLessThanOrEqual(4);
});

it('a page that was skipped before a pause is named', async () => {
	await startHost({ onFailure: 'skip', maxRuns: 1 });
	const execution = paused.host.start([{ urls: [page(1), 'example', page(2)] }]);
	await isWaiting(execution, 1);
	const [first = ''] = await active();
	await sandbox.control.patchRun(first, { status: 'failed', error: 'The page is gone' });
	await paused.passTime(execution);
	await isWaiting(execution, 2);
	await paused.finishRuns();
	const items = await ended(execution);
	expect(items.map(({ json }) => json.pageUrl)).toEqual([page(2)]);
	expect(await duplicates()).toBe(1);
	const hint = `2 pages were skipped: example (not a valid URL), ${page(1)} (The page is gone)`;
	expect(paused.host.hints(execution)).toContain(hint);
});

it('a page that returned no data before a pause is named', async () => {
	await startHost({ maxRuns: 1 });
	const execution = paused.host.start([{ urls: [page(1), page(2)] }]);
	await isWaiting(execution, 1);
	const [first = ''] = await active();
	await sandbox.control.patchRun(first, { status: 'success', data: {} });
	await paused.passTime(execution);
	await isWaiting(execution, 2);
	await paused.finishRuns();
	const items = await ended(execution);
	expect(items.map(({ json }) => json.pageUrl)).toEqual([page(1), page(2)]);
	expect(paused.host.hints(execution)).toEqual([
		`1 page returned no data: ${page(1)}. Maxun may not be able to open it`,
	]);
});

it('an expression that returns fewer URLs after a pause fails, and no copy remains', async () => {
	const limit = Date.now() + 6000;
	const urls = [1, 2, 3].map(page);
	await paused.startHost(
		maxun('run', 'runOnUrls', {
			robotId: locator(await newProductRobot(sandbox)),
			urls: `={{ ${JSON.stringify(urls)}.slice(Date.now() < ${limit} ? 0 : 1) }}`,
			options: { pauseAfter: 1 },
		}),
	);
	const execution = paused.host.start([{}]);
	await isWaiting(execution, 1);
	await sleep(limit - Date.now());
	await paused.passTime(execution);
	const { run } = await paused.host.reaches(execution, ['success', 'error']);
	expect(run?.data.resultData.error?.message).toMatch(/changed while it waited/);
	expect(await copies()).toEqual([]);
});

it('a later execution deletes the copies of one that was cancelled while paused', async () => {
	await startHost();
	const cancelled = paused.host.start([{ urls: [1, 2, 3].map(page) }]);
	await isWaiting(cancelled, 1);
	const old = await copies();
	expect(old).toHaveLength(3);
	paused.host.cancel(cancelled);
	const now = Date.now.bind(Date);
	vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
	const later = paused.host.start([{ urls: [4].map(page) }]);
	await isWaiting(later, 1);
	const left = await copies();
	expect(left.filter((id) => old.includes(id))).toEqual([]);
	expect(left).toHaveLength(1);
});

import type { INodeParameters } from 'n8n-workflow';
import { beforeEach, expect, it } from 'vitest';
import { newProductRobot, productUrl } from '../helpers/fixtures.mts';
import { locator, maxun } from '../helpers/parameters.mts';
import { PATIENCE } from '../helpers/until.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { pairedIndex } from './support/operations.mts';
import { usePausing } from './support/pausing.mts';

const sandbox = useSandbox();
const paused = usePausing(sandbox);
beforeEach(async () => await sandbox.control.settings({ slots: 2 }));

const page = (id: number) => productUrl(sandbox, id);
const active = async () => await sandbox.owner.activeRuns();
const duplicates = async () => await sandbox.count(/\/duplicate$/);

/** The IDs of the copies in Maxun. */
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

it('an execution pauses, and starts the next page whenever a run ends', async () => {
	await startHost({ maxRuns: 3 });
	const urls = [[5, 1, 4], [2], [6, 3]].map((ids) => ids.map(page));
	const execution = paused.host.start(urls.map((list) => ({ urls: list })));
	await isWaiting(execution, 1);
	expect(await active()).toHaveLength(3);
	await sandbox.control.finishRun((await active())[0] ?? '');
	await paused.passTime(execution);
	await isWaiting(execution, 2);
	expect(await active()).toHaveLength(3);
	for (let lives = 3; paused.host.of(execution).status === 'waiting'; lives++) {
		await paused.finishAndResume(execution);
		await expect
			.poll(() => paused.host.of(execution).status, { timeout: PATIENCE })
			.not.toBe('running');
	}
	const items = await ended(execution);
	expect(items.map(({ json }) => json.pageUrl)).toEqual(urls.flat());
	expect(items.map(pairedIndex)).toEqual([0, 0, 0, 1, 2, 2]);
	expect(new Set(items.map(({ json }) => json.Name)).size).toBe(6);
	expect(await copies()).toEqual([]);
	expect(await sandbox.count(/^POST \/robots\/[^/]+\/runs$/)).toBe(6);
	expect(await duplicates()).toBe(6);
});

it('an error mentions the page that failed before a pause', async () => {
	await startHost({ maxRuns: 1 });
	const execution = paused.host.start([{ urls: [page(1), 'example', page(2)] }]);
	await isWaiting(execution, 1);
	const [first = ''] = await active();
	await sandbox.control.patchRun(first, { status: 'failed', error: 'The page is gone' });
	await paused.passTime(execution);
	await isWaiting(execution, 2);
	await paused.finishAndResume(execution);
	const items = await ended(execution);
	expect(items.map(({ json }) => json.pageUrl)).toEqual([page(2)]);
	expect(await duplicates()).toBe(2);
	const hint = `2 of 3 pages failed: ${page(1)} (The page is gone), example (not a valid URL)`;
	expect(paused.host.hints(execution)).toContain(hint);
});

import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { useSandbox } from '../helpers/useSandbox.mts';
import { operationsOn } from './support/details.mts';
import { describeForm } from './support/self-hosted.mts';

const sandbox = useSandbox();
const { run } = operationsOn(sandbox);

const page = (path: string, markdown: string) => ({
	markdown,
	metadata: { url: `https://example.com/${path}`, title: path },
	scrapedAt: new Date().toISOString(),
});

/** A robot with runs that captured these data, the oldest first. */
async function robotWith(...captured: object[]) {
	const robotId = await newRobot(sandbox);
	const runIds: string[] = [];
	for (const data of captured) {
		const [id = ''] = await sandbox.control.runs({ robotId });
		await sandbox.control.patchRun(id, { data: { ...data } });
		runIds.push(id);
	}
	await sandbox.control.clear();
	return { robotId: locator(robotId), runIds };
}

const compare = async (parameters: INodeParameters) => await run('run', 'compare', parameters);

describe('two runs of a crawl robot', () => {
	const before = [page('a', '# A\n\nPrice: 249\n\nIn stock'), page('b', '# B'), page('c', '# C')];
	const after = [page('d', '# D'), page('a', '# A\n\nPrice: 199\n\nIn stock'), page('b', '# B')];

	it('added, removed and changed pages are items with a text diff', async () => {
		const { robotId, runIds } = await robotWith({ crawlData: before }, { crawlData: after });
		const { json, error } = await compare({ robotId });
		expect(error).toBeUndefined();
		const [previousRunId, runId] = runIds;
		const ids = { runId, previousRunId };
		expect(json).toEqual([
			{ change: 'added', url: 'https://example.com/d', title: 'd', diff: '+ # D', ...ids },
			{
				change: 'changed',
				url: 'https://example.com/a',
				title: 'a',
				diff: '- Price: 249\n+ Price: 199',
				...ids,
			},
			{ change: 'removed', url: 'https://example.com/c', title: 'c', diff: '- # C', ...ids },
		]);
		expect(await sandbox.lines()).toEqual([
			`GET /robots/${robotId.value}/runs?status=success&limit=2&offset=0`,
			`GET /runs/${previousRunId}`,
			`GET /runs/${runId}`,
		]);
	});

	it('a run is compared with the one before it, or with any other', async () => {
		const [first, second, third] = [before, after, []].map((crawlData) => ({ crawlData }));
		const { robotId, runIds } = await robotWith(first ?? {}, second ?? {}, third ?? {});
		const [one = '', two = '', three = ''] = runIds;
		const middle = await compare({ robotId, runId: locator(two) });
		expect(middle.json[0]).toMatchObject({ previousRunId: one, runId: two });
		const both = await compare({ robotId, runId: locator(three), previousRunId: locator(one) });
		expect(both.json.map(({ change }) => change)).toEqual(['removed', 'removed', 'removed']);
		const last = await compare({ robotId, previousRunId: locator(one) });
		expect(last.json[0]).toMatchObject({ previousRunId: one, runId: three });
	});

	it('runs that do not differ return no items', async () => {
		const { robotId } = await robotWith(
			{ crawlData: before },
			{ crawlData: [...before].reverse() },
		);
		expect((await compare({ robotId })).json).toEqual([]);
	});

	it('the later run is never the older one, whatever is selected', async () => {
		const { robotId, runIds } = await robotWith({ crawlData: before }, { crawlData: after });
		const [one = '', two = ''] = runIds;
		for (const [runId, previousRunId] of [
			[two, one],
			[one, two],
		]) {
			const { json } = await compare({
				robotId,
				runId: locator(runId),
				previousRunId: locator(previousRunId),
			});
			expect(json[0]).toMatchObject({ previousRunId: one, runId: two, change: 'added' });
		}
		const newest = await compare({ robotId, previousRunId: locator(two) });
		expect(newest.json).toEqual([]);
		expect(newest.error?.message).toBe(`There is no later run to compare run ${two} with`);
		const same = await compare({ robotId, runId: locator(one), previousRunId: locator(one) });
		expect(same.error?.message).toBe(`There is no later run to compare run ${one} with`);
	});

	it('a run that did not succeed causes an error that says so', async () => {
		const { robotId } = await robotWith({ crawlData: before }, { crawlData: after });
		const [failed = ''] = await sandbox.control.runs({
			robotId: String(robotId.value),
			status: 'failed',
		});
		for (const field of ['runId', 'previousRunId']) {
			const { error } = await compare({ robotId, [field]: locator(failed) });
			expect(error?.message).toBe(`Run ${failed} has the status failed`);
			expect(error?.description).toMatch(/^Only successful runs can be compared/);
		}
	});

	it('a run of any age is compared with the one before it', async () => {
		const { robotId, runIds } = await robotWith({ crawlData: before }, { crawlData: after });
		await sandbox.control.runs({ robotId: String(robotId.value), count: 120 });
		const [one = '', two = ''] = runIds;
		const { json } = await compare({ robotId, runId: locator(two) });
		expect(json[0]).toMatchObject({ previousRunId: one, runId: two });
	});

	it('the first run of a robot cannot be compared with an earlier one', async () => {
		const { robotId, runIds } = await robotWith({ crawlData: before }, { crawlData: after });
		const [one = ''] = runIds;
		const { error } = await compare({ robotId, runId: locator(one) });
		expect(error?.message).toBe(`The robot has no successful run before run ${one}`);
	});

	it('a robot with only one successful run causes an error that says what to do', async () => {
		const { robotId } = await robotWith({ crawlData: before });
		const { error } = await compare({ robotId });
		expect(error?.message).toBe('This robot does not have two successful runs to compare');
		expect(error?.description).toMatch(/Run the robot again/);
	});
});

describe('two runs of other robots', () => {
	const rows = (...prices: number[]) => ({
		listData: prices.map((Price, index) => ({ Product: `Desk ${index + 1}`, Price })),
	});

	it('single fields next to a list count', async () => {
		const shop = (Updated: string) => ({ ...rows(249), textData: { Updated, Name: 'Shop' } });
		const { robotId } = await robotWith(shop('Monday'), shop('Tuesday'));
		const { json } = await compare({ robotId });
		expect(json).toMatchObject([
			{ change: 'changed', key: 'fields', diff: '- Updated: Monday\n+ Updated: Tuesday' },
		]);
	});

	it('all columns of a row count, even with the names of parts of a page', async () => {
		const listed = (Price: number) => ({
			listData: [{ url: 'https://example.com/a', description: 'A desk', wordCount: 5, Price }],
		});
		const { robotId } = await robotWith(listed(249), listed(199));
		const { json } = await compare({ robotId });
		expect(json).toMatchObject([{ change: 'changed', diff: '- Price: 249\n+ Price: 199' }]);
	});

	it('captured rows are compared by content', async () => {
		const { robotId } = await robotWith(rows(249, 39), rows(199, 39));
		const { json } = await compare({ robotId });
		expect(json.map(({ change, diff }) => [change, diff])).toEqual([
			['added', '+ Product: Desk 1\n+ Price: 199'],
			['removed', '- Product: Desk 1\n- Price: 249'],
		]);
	});

	it('captured rows are compared by their key', async () => {
		const { robotId } = await robotWith(rows(249, 39), rows(199, 39, 5));
		const { json } = await compare({ robotId, options: { keyField: 'Product' } });
		expect(json).toMatchObject([
			{ change: 'changed', key: 'Desk 1', diff: '- Price: 249\n+ Price: 199' },
			{ change: 'added', key: 'Desk 3', diff: '+ Product: Desk 3\n+ Price: 5' },
		]);
	});
});

describeForm(sandbox, 'observed', (own) => {
	it('a self-hosted server, which has no diff, returns the changes of a robot, too', async () => {
		const price = (Price: string) => ({ listData: [{ Product: 'Desk', Price }] });
		const { robotId, runIds } = await robotWith(price('249'), price('199'));
		// The server lists its runs in any order, and its times have no milliseconds.
		await sandbox.control.patchRun(runIds[0] ?? '', { startedAt: '2026-01-01T00:00:00.000Z' });
		const { items, error } = await own.run('run', 'compare', { robotId });
		expect(error).toBeUndefined();
		expect(items[0]?.map(({ json: { change, diff } }) => [change, diff])).toEqual([
			['added', '+ Product: Desk\n+ Price: 199'],
			['removed', '- Product: Desk\n- Price: 249'],
		]);
	});
});

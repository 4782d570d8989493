import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { newRobot } from '../helpers/fixtures.mts';
import { locator } from '../helpers/parameters.mts';
import { succeeded, useOperations } from './support/details.mts';
import { describeForm } from './support/self-hosted.mts';

const { sandbox, run } = useOperations();

const page = (path: string, markdown: string) => ({
	markdown,
	metadata: { url: `https://example.com/${path}`, title: path },
	scrapedAt: new Date().toISOString(),
});

/** A robot whose runs captured this data, oldest first. */
async function robotWith(...captured: object[]) {
	const robotId = await newRobot(sandbox);
	const runIds: string[] = [];
	for (const data of captured)
		runIds.push(...(await sandbox.control.runs({ robotId, run: { data } })));
	await sandbox.control.clear();
	return { robotId: locator(robotId), runIds };
}

const compare = async (parameters: INodeParameters) => await run('run', 'compare', parameters);
const textDiff = async (parameters: INodeParameters) =>
	await compare({ output: 'textDiff', ...parameters });
/** Compares the two runs of a robot that captured this data. */
const between = async (before: object, after: object, parameters: INodeParameters = {}) => {
	const { robotId } = await robotWith(before, after);
	return await compare({ robotId, ...parameters });
};

describe('two runs of a crawl robot', () => {
	const before = [page('a', '# A\n\nPrice: 249\n\nIn stock'), page('b', '# B'), page('c', '# C')];
	/** Different line ends don't count as a change. */
	const cheaper = page('a', '# A\r\n\r\nPrice: 199\r\n\r\nIn stock');
	const after = [page('d', '# D'), cheaper, page('b', '# B')];

	it('added, changed and removed pages are items with their columns', async () => {
		const { robotId, runIds } = await robotWith({ crawlData: before }, { crawlData: after });
		const { json } = succeeded(await compare({ robotId }));
		expect(json).toEqual([
			expect.objectContaining({ change: 'added', url: 'https://example.com/d', markdown: '# D' }),
			expect.objectContaining({
				change: 'changed',
				title: 'a',
				markdown: after[1]?.markdown,
				before: { markdown: before[0]?.markdown },
				diff: '- Price: 249\n+ Price: 199',
			}),
			expect.objectContaining({ change: 'removed', url: 'https://example.com/c' }),
		]);
		const [previousRunId, runId] = runIds;
		const diffOf = (change: string, title: string, diff: string) => {
			return { change, url: `https://example.com/${title}`, title, diff, runId, previousRunId };
		};
		expect((await textDiff({ robotId })).json).toEqual([
			diffOf('added', 'd', '+ # D'),
			diffOf('changed', 'a', '- Price: 249\n+ Price: 199'),
			diffOf('removed', 'c', '- # C'),
		]);
		const changes = [{ change: 'added' }, {}, {}];
		expect((await compare({ robotId, output: 'summary' })).json).toMatchObject([
			{ added: 1, changed: 1, removed: 1, runId, previousRunId, changes },
		]);
	});

	it('a run of any age is compared with the previous run or any other run', async () => {
		const third = [page('x', '# X')];
		const data = [before, after, third].map((crawlData) => ({ crawlData }));
		const { robotId, runIds } = await robotWith(...data);
		const [one = '', two = '', three = ''] = runIds;
		const both = await textDiff({ robotId, runId: locator(three), previousRunId: locator(one) });
		expect(both.json.map(({ change }) => change)).toEqual(['added', ...Array(3).fill('removed')]);
		const last = await textDiff({ robotId, previousRunId: locator(one) });
		expect(last.json[0]).toMatchObject({ previousRunId: one, runId: three });
		await sandbox.control.runs({ robotId: String(robotId.value), count: 120 });
		const old = await textDiff({ robotId, runId: locator(two) });
		expect(old.json[0]).toMatchObject({ previousRunId: one, runId: two });
	});

	it('a run without data is skipped as the earlier run, but causes an error as the later run', async () => {
		const { robotId, runIds } = await robotWith({ crawlData: before }, {}, { crawlData: before });
		const [one = '', empty = ''] = runIds;
		expect((await compare({ robotId, output: 'summary' })).json).toMatchObject([
			{ added: 0, changed: 0, removed: 0, changes: [], previousRunId: one },
		]);
		for (const field of ['runId', 'previousRunId']) {
			const { error } = await compare({ robotId, [field]: locator(empty) });
			expect(error?.message).toMatch(new RegExp(`^Run ${empty} .* captured no data$`));
		}
		const options = { ifNoData: 'nothing' };
		const { json, hints } = await compare({ robotId, runId: locator(empty), options });
		expect([json, hints[0]]).toEqual([[], `Run ${empty} captured no data`]);
	});

	it('pages that a partial run did not reach do not count as removed', async () => {
		const { robotId, runIds } = await robotWith({ crawlData: before }, { crawlData: after });
		await sandbox.control.patchRun(runIds[1] ?? '', { isPartial: true });
		const { json, hints } = await compare({ robotId });
		expect(json.map(({ change }) => change)).toEqual(['added', 'changed']);
		expect(hints[0]).toMatch(/stopped early/);
	});

	it('the later run never started before the earlier run, whatever the user selects', async () => {
		const { robotId, runIds } = await robotWith({ crawlData: before }, { crawlData: after });
		const [one = '', two = ''] = runIds;
		for (const [runId, previousRunId] of [
			[two, one],
			[one, two],
		]) {
			const ids = { runId: locator(runId), previousRunId: locator(previousRunId) };
			const { json } = await textDiff({ robotId, ...ids });
			expect(json[0]).toMatchObject({ previousRunId: one, runId: two, change: 'added' });
		}
		const newest = await compare({ robotId, previousRunId: locator(two) });
		expect(newest.json).toEqual([]);
		expect(newest.error?.message).toBe(`There is no later run to compare run ${two} with`);
		const same = await compare({ robotId, runId: locator(one), previousRunId: locator(one) });
		expect(same.error?.message).toBe(`There is no later run to compare run ${one} with`);
	});

	it('a run that cannot be compared causes an error that says why', async () => {
		const {
			robotId,
			runIds: [one = ''],
		} = await robotWith({ crawlData: before });
		const {
			runIds: [foreign = ''],
		} = await robotWith({ crawlData: after });
		const failing = { robotId: String(robotId.value), status: 'failed' } as const;
		const [failed = ''] = await sandbox.control.runs(failing);
		const notCompleted = [`Run ${failed} has the status failed`, 'Only completed runs'];
		const [first, next] = ['The robot has no completed run with data', 'Run the robot again'];
		const single = 'This robot does not have two completed runs with data to compare';
		for (const [runs, message = '', description = ''] of [
			[{ runId: locator(foreign) }, 'belongs to another robot'],
			[{ runId: locator(failed) }, ...notCompleted],
			[{ previousRunId: locator(failed) }, ...notCompleted],
			[{ runId: locator(one) }, `${first} before run ${one}`],
			[{}, single, next],
		] as const) {
			const { error } = await compare({ robotId, ...runs });
			expect(error?.message).toContain(message);
			expect(error?.description).toContain(description);
		}
	});
});

describe('two runs of other robots', () => {
	const rows = (...prices: number[]) => ({
		listData: prices.map((Price, index) => ({ Product: `Desk ${index + 1}`, Price })),
	});

	it('single fields next to a list are also compared', async () => {
		const shop = (Updated: string) => ({ ...rows(249), textData: { Updated, Name: 'Shop' } });
		const { robotId } = await robotWith(shop('Monday'), shop('Tuesday'));
		expect((await compare({ robotId })).json).toEqual([
			{ Updated: 'Tuesday', Name: 'Shop', change: 'changed', before: { Updated: 'Monday' } },
		]);
		expect((await textDiff({ robotId })).json).toMatchObject([
			{ change: 'changed', diff: '- Updated: Monday\n+ Updated: Tuesday' },
		]);
	});

	it('rows without a key are compared by content, and a hint recommends a key', async () => {
		const { json, hints } = await between(rows(249, 39), rows(199, 39));
		expect(json).toEqual([
			{ Product: 'Desk 1', Price: 199, change: 'added' },
			{ Product: 'Desk 1', Price: 249, change: 'removed' },
		]);
		expect(hints[0]).toMatch(/^Without 'Key Column Names or IDs'/);
	});

	it('rows are compared by their key, and changes in ignored columns are left out', async () => {
		const { robotId } = await robotWith(rows(249, 39), rows(199, 39, 5));
		const { json } = await compare({ robotId, options: { keyFields: ['Product'] } });
		expect(json).toEqual([
			{
				Product: 'Desk 1',
				Price: 199,
				change: 'changed',
				before: { Price: 249 },
				difference: { Price: -50 },
				differencePercent: { Price: -20.08 },
			},
			{ Product: 'Desk 3', Price: 5, change: 'added' },
		]);
		const options = { keyFields: ['Product'], ignoreFields: ['Price', 'Prise'] };
		const ignored = await compare({ robotId, options });
		expect(ignored.json).toEqual([{ Product: 'Desk 3', Price: 5, change: 'added' }]);
		expect(ignored.hints[0]).toMatch(/^No row has the ignored column 'Prise'/);
	});

	const falls = (value: string, column = 'Price') => ({
		keyFields: ['Product'],
		onlyIf: { values: [{ condition: 'fallsBelow', column, value }] },
	});

	it('only changes that meet the conditions are returned', async () => {
		const { robotId } = await robotWith(rows(249, 49, 9), rows(239, 59, 4));
		expect((await compare({ robotId, options: falls('5') })).json).toMatchObject([
			{ Product: 'Desk 3', difference: { Price: -5 } },
		]);
		const { json, hints } = await compare({ robotId, options: falls('1') });
		expect(json).toEqual([]);
		expect(hints).toEqual([expect.stringMatching(/^There are no differences .*'Only If'/)]);
		const { error } = await compare({ robotId, options: falls('5', 'Prise') });
		expect(error?.description).toMatch("The columns are 'Product', 'Price'");
	});

	it('query parameters, and a value that is missing once, are ignored', async () => {
		const row = (link: string, more = {}) => ({
			listData: [{ Link: `https://a.example.com/1?visit=${link}`, ...more }],
		});
		const { robotId } = await robotWith(row('1', { Price: 5 }), row('2', { Price: 5 }), row('3'));
		const options = { keyFields: ['Link'], ignoreQuery: true };
		expect((await compare({ robotId, options })).json).toMatchObject([{ before: { Price: 5 } }]);
		const patient = await compare({ robotId, options: { ...options, missingOnce: true } });
		expect(patient.json).toEqual([]);
	});

	it('text that always changes is ignored, and a hint mentions it', async () => {
		const text = (quote: string, price = '$5') => ({
			markdown: `Quote\n\n${quote}\n\nPrice\n\n${price}`,
		});
		const texts = ['Ant', 'Bee', 'Cow', 'Dog', 'Elk'].map((quote) => text(quote));
		const { robotId } = await robotWith(...texts, text('Fox', '$4'));
		const options = { ignoreInTexts: { always: true } };
		const { json, hints } = await compare({ robotId, output: 'textDiff', options });
		expect(json).toMatchObject([{ diff: '- $5\n+ $4' }]);
		expect(hints).toEqual([expect.stringMatching(/always changes.*'Fox'/i)]);
	});

	it('long texts are cut, and a hint counts them', async () => {
		const long = { listData: [{ Product: 'Desk 1', Price: 'a'.repeat(9) }] };
		const options = { keyFields: ['Product'], maxCellLength: 7 };
		const { json, hints } = await between(rows(1), long, { options });
		expect(json).toMatchObject([{ Product: 'Desk 1', Price: 'aaaaaaa' }]);
		expect(hints).toEqual([expect.stringMatching(/'Max Text Length'.*'Price'/)]);
	});

	it('columns named change and before keep their values', async () => {
		const listed = (before: string) => ({ listData: [{ change: 'CHF', before, id: 1 }] });
		const options = { keyFields: 'id' };
		expect((await between(listed('1'), listed('2'), { options })).json).toEqual([
			{ change: 'CHF', before: '2', id: 1, maxunChange: 'changed', maxunBefore: { before: '1' } },
		]);
	});

	it('a misspelled key and renamed columns cause an error that lists the columns', async () => {
		const { robotId, runIds } = await robotWith(rows(249), { listData: [{ Name: 'Desk 1' }] });
		const wrong = await compare({ robotId, options: { keyFields: ['product'] } });
		expect(wrong.error?.message).toBe("No row has the key column 'product'");
		expect(wrong.error?.description).toMatch("The columns are 'Product', 'Price', 'Name'");
		const renamed = await compare({ robotId, options: { keyFields: ['Product'] } });
		expect(renamed.error?.message).toBe(`Run ${runIds[1]} has no key column 'Product'`);
		expect(renamed.error?.description).toMatch(/renamed/);
	});

	it('all changes are returned', async () => {
		const many = rows(...Array.from({ length: 150 }, (_, index) => index + 1));
		expect((await between(rows(1), many)).json).toHaveLength(149);
	});
});

describeForm(sandbox, 'observed', (own) => {
	it("a self-hosted server without diffs also returns a robot's changes", async () => {
		const price = (Price: string) => ({ listData: [{ Product: 'Desk', Price }] });
		const { robotId, runIds } = await robotWith(price('249'), price('199'));
		// The server lists runs in any order, and its times have no milliseconds.
		await sandbox.control.patchRun(runIds[0] ?? '', { startedAt: '2026-01-01T00:00:00.000Z' });
		expect(await own.succeed('run', 'compare', { robotId })).toEqual([
			{ Product: 'Desk', Price: '199', change: 'added' },
			{ Product: 'Desk', Price: '249', change: 'removed' },
		]);
	});
});

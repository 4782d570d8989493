import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { changesOf, missingIn, type ChangeSettings } from '../../nodes/Maxun/results/changes';
import { capturedOf, type Part } from '../../nodes/Maxun/results/captured';

const rest = async () => await Promise.resolve();
const listed = (...rows: IDataObject[]): Part[] => [{ kind: 'rows', list: '', rows }];
const parts = (data: IDataObject): Part[] => capturedOf({ id: 'r', status: 'success', data }).parts;

/** The changes in short: `+`, `-` or `~`, and the row. */
const between = async (before: Part[], after: Part[], settings: ChangeSettings = {}) =>
	(await changesOf(before, after, settings, rest)).map(({ change, row, columns }) => [
		{ added: '+', removed: '-', changed: '~' }[change],
		...Object.values(row),
		...(columns ? [columns] : []),
	]);

const desk = (Price: unknown, more: IDataObject = {}) =>
	({ Name: 'Desk', Price, ...more }) as IDataObject;

describe('rows', () => {
	it('with a key, rows are changed, added and removed', async () => {
		const before = listed(desk(5), { Name: 'Lamp', Price: 1 });
		const after = listed({ Name: 'Sofa', Price: 9 }, desk(6));
		expect(await between(before, after, { key: ['Name'] })).toEqual([
			['+', 'Sofa', 9],
			['~', 'Desk', 6, ['Price']],
			['-', 'Lamp', 1],
		]);
	});

	it('a key can consist of several columns, including paths', async () => {
		const row = (sku: string, size: string, Price: number) => ({ m: { sku }, size, Price });
		const key = ['m.sku', 'size'];
		const changes = await changesOf(
			listed(row('a', 'S', 1), row('a', 'M', 1)),
			listed(row('a', 'M', 1), row('a', 'S', 2)),
			{ key },
			rest,
		);
		expect(changes.map(({ change, row: { size } }) => [change, size])).toEqual([['changed', 'S']]);
	});

	it('rows with the same key are paired: equal rows first, then the others in their order', async () => {
		const before = listed(desk(1), desk(2), desk(3));
		const after = listed(desk(3), desk(4), desk(5), desk(6));
		expect(await between(before, after, { key: ['Name'] })).toEqual([
			['~', 'Desk', 4, ['Price']],
			['~', 'Desk', 5, ['Price']],
			['+', 'Desk', 6],
		]);
	});

	it('a row without a key is the same as an equal row', async () => {
		const before = listed({ Price: 5 }, { Price: 6 });
		expect(await between(before, listed({ Price: 6 }, { Price: 7 }), { key: ['sku'] })).toEqual([
			['+', 7],
			['-', 5],
		]);
	});

	it.each<[string, IDataObject, IDataObject]>([
		['the order of columns', { A: 1, B: 2 }, { B: 2, A: 1 }],
		['white space', { A: ' one\n two' }, { A: 'one two' }],
		['an empty value instead of a missing column', { A: 1, B: '' }, { A: 1, C: null }],
		['a number as text', { A: 5 }, { A: '5' }],
		['the order of fields in an object', { A: { x: 1, y: [] } }, { A: { y: null, x: '1' } }],
	])('%s does not count', async (_, one, other) => {
		expect(await between(listed(one), listed(other))).toEqual([]);
	});

	it('the order of rows does not count, and neither do ignored columns', async () => {
		const before = listed(desk(1, { Seen: '1 hour ago' }), desk(2, { m: { views: 1, id: 7 } }));
		const after = listed(desk(2, { m: { views: 9, id: 7 } }), desk(1, { Seen: '2 hours ago' }));
		expect(await between(before, after, { ignore: ['Seen', 'm.views'] })).toEqual([]);
	});

	it('rows of different lists are never the same', async () => {
		const lists = (one: IDataObject[], two: IDataObject[]) => parts({ listData: { one, two } });
		expect(
			await between(lists([desk(1)], []), lists([], [desk(1)]), { key: ['Name'] }),
		).toHaveLength(2);
	});
});

describe('pages', () => {
	const crawl = (...pages: Array<[url: string, markdown: string, more?: IDataObject]>) =>
		parts({ crawlData: pages.map(([url, markdown, more]) => ({ url, markdown, ...more })) });

	it('are compared by URL and text', async () => {
		const before = crawl(['a', '# A', { scrapedAt: 1 }], ['b', '# B'], ['c', '# C']);
		const after = crawl(['b', '# B 2'], ['a', '# A\n', { scrapedAt: 2 }], ['d', '# D']);
		expect((await between(before, after)).map(([sign, url]) => [sign, url])).toEqual([
			['~', 'b'],
			['+', 'd'],
			['-', 'c'],
		]);
	});

	it('are compared by a text format that both have', async () => {
		const both = parts({ markdown: '# A', html: '<h1>A</h1>' });
		expect(await between(both, parts({ html: '<h1>A</h1>' }))).toEqual([]);
		expect(await between(both, parts({ html: '<h1>B</h1>' }))).toHaveLength(1);
	});
});

it('columns that no row has are found', () => {
	const rows = listed({ Name: 'Desk', m: { sku: 1 } });
	expect(missingIn(rows, ['Name', 'm.sku', 'name', 'm.SKU'])).toEqual(['name', 'm.SKU']);
});

describe('all kinds of rows', () => {
	const value = fc.constantFrom<IDataObject[string]>('a', 'b', 'a ', '', null, 1, '1', 2);
	const row = fc.dictionary(fc.constantFrom('K', 'L', 'A', 'B'), value, { noNullPrototype: true });
	const rows = fc.array(row, { maxLength: 8 });
	const columns = fc.subarray(['K', 'L']);
	const settings = fc.record({ key: columns, ignore: fc.subarray(['A', 'B', 'L']) });

	/** Rows as sorted texts, without what doesn't count. */
	const multiset = (list: IDataObject[], ignore: string[]) =>
		list
			.map((entry) =>
				Object.entries(entry)
					.filter(([name, cell]) => !ignore.includes(name) && cell !== null && cell !== '')
					.map(([name, cell]) => `${name}=${String(cell).trim()}`)
					.sort()
					.join(),
			)
			.sort();

	/** To test more pairs, set `CHANGES_RUNS=100000`. */
	const numRuns = Number(process.env.CHANGES_RUNS ?? 500);

	it('the earlier rows with their changes are the later rows', async () => {
		await fc.assert(
			fc.asyncProperty(rows, rows, settings, async (before, after, given) => {
				const changes = await changesOf(listed(...before), listed(...after), given, rest);
				const result = [...before];
				for (const { change, row: changed, old } of changes) {
					const gone = change === 'removed' ? changed : old;
					if (gone) result.splice(result.indexOf(gone), 1);
					if (change !== 'removed') result.push(changed);
				}
				expect(multiset(result, given.ignore)).toEqual(multiset(after, given.ignore));
				const names = changes.filter(({ columns: list }) =>
					list?.some((name) => given.ignore.includes(name)),
				);
				expect(names).toEqual([]);
			}),
			{ numRuns },
		);
	}, 600_000);

	it('rows in another order have no changes', async () => {
		const shuffled = rows.chain((list) =>
			fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
		);
		await fc.assert(
			fc.asyncProperty(shuffled, settings, async ([list, other], given) => {
				expect(await changesOf(listed(...list), listed(...other), given, rest)).toEqual([]);
			}),
			{ numRuns },
		);
	}, 600_000);
});

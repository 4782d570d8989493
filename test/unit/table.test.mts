import type { Hint } from '../../nodes/Maxun/results/hint';
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { resting } from '../../nodes/Maxun/http/concurrency';
import { needsPage, tableOf, type Column } from '../../nodes/Maxun/results/table';
import { capturedOf } from '../../nodes/Maxun/results/captured';

const run = (data: IDataObject) => capturedOf({ id: 'r', status: 'success', data });
const column = (name: string, changes: Partial<Column> = {}): Column => ({
	column: name,
	name,
	type: 'text',
	numberFormat: 'automatic',
	dateFormat: '',
	trueWords: [],
	falseWords: [],
	...changes,
});
const hints: Array<Parameters<Hint>> = [];
const table = async (
	data: IDataObject,
	columns: Column[],
	more = {},
	base?: string,
	extra = {},
) => {
	hints.length = 0;
	const settings = { columns, ...more, base, extra };
	return await tableOf(run(data), settings, (...hint) => void hints.push(hint), resting());
};

describe("a table's rows", () => {
	const listData = [
		{ Price: '$1,249.00', Product: 'Desk', Link: '/p/1' },
		{ Product: 'Lamp', Price: 'Sold out', Link: '/p/2' },
	];
	const columns = [
		column('Product', { name: 'product' }),
		column('Price', { name: 'price', type: 'number' }),
		column('Link', { name: 'link', type: 'link' }),
		column('Rating', { name: 'rating', type: 'number' }),
	];

	it('rows have the selected columns in their order, with names, types and null', async () => {
		const rows = await table({ listData }, columns, {}, 'https://shop.example/products');
		expect(JSON.stringify(rows)).toBe(
			JSON.stringify([
				{ product: 'Desk', price: 1249, link: 'https://shop.example/p/1', rating: null },
				{ product: 'Lamp', price: null, link: 'https://shop.example/p/2', rating: null },
			]),
		);
		expect(hints).toEqual([
			["No row has the column 'Rating'. The columns are 'Price', 'Product', 'Link'"],
			[
				"Some values are not numbers, so they are empty. Select a 'Number Format', or use the type Text. Columns",
				1,
				"'price'",
				{ all: 2, example: 'Sold out' },
			],
		]);
	});

	it('the other columns are kept if this is set', async () => {
		const chosen = [column('Price', { name: 'price', type: 'number' })];
		const rows = await table({ listData: [{ ...listData[0], price: 'own' }] }, chosen, {
			keepOtherColumns: true,
		});
		expect(rows).toEqual([
			{ price: 1249, Product: 'Desk', Link: '/p/1', 'price (captured)': 'own' },
		]);
	});

	it('a list without a table begins with the columns that tell most', async () => {
		const given = [{ Link: '/p/1', Date: '1 May', Title: 'Desk' }];
		const rows = await table({ listData: given }, [], { first: ['Title', 'Link', 'Price'] });
		expect(rows.map(Object.keys)).toEqual([['Title', 'Link', 'Date']]);
		expect(rows).toEqual(given);
	});

	it('each text and list is cut, also in other fields', async () => {
		const long = { texts: ['abcd', 'efgh'], inner: { text: 'abcdef', more: null }, count: 123456 };
		const rows = await tableOf(
			run({ listData: [{ ...long, short: { a: ['b'] } }] }),
			{ maxCellLength: 5 },
			(...hint) => void hints.push(hint),
			resting(),
		);
		expect(rows).toEqual([
			{ texts: ['abcd', 'e'], inner: { text: 'abcde' }, count: 123456, short: { a: ['b'] } },
		]);
	});

	it('rows of other parts and lists are left out if they have none of the columns', async () => {
		const data = { listData: { Shop: [{ Price: '5' }], Blog: [{ Title: 'A' }] }, markdown: '# A' };
		expect(await table(data, [column('Price')])).toEqual([{ Price: '5' }]);
		expect(await table(data, [column('markdown')])).toEqual([{ markdown: '# A' }]);
	});

	it('a field of the operation can be a column', async () => {
		const rows = await table({ listData }, [column('Product'), column('pageUrl')], {}, undefined, {
			pageUrl: 'https://shop.example/',
		});
		expect(rows[1]).toEqual({ Product: 'Lamp', pageUrl: 'https://shop.example/' });
	});

	it('a placeholder is a missing value, except as text, or as a word for true or false', async () => {
		const rows = await table({ listData: [{ A: 'N/A' }, { A: '—' }, { A: '5' }] }, [
			column('A', { type: 'number' }),
			column('A', { name: 'text' }),
			column('A', { name: 'flag', type: 'boolean', falseWords: ['N/A', '-'], trueWords: ['5'] }),
		]);
		expect(rows).toEqual([
			{ A: null, text: 'N/A', flag: false },
			{ A: null, text: '—', flag: null },
			{ A: 5, text: '5', flag: true },
		]);
		expect(hints).toEqual([]);
	});

	it('a hint mentions a guessed number format', async () => {
		const rows = await table({ listData: [{ A: '1.249' }] }, [column('A', { type: 'number' })]);
		expect([rows, hints[0]?.[0]]).toEqual([
			[{ A: 1249 }],
			expect.stringContaining('Number Format'),
		]);
	});

	it('the robot is read only for relative links', async () => {
		const needs = (Link: string, more = {}) =>
			needsPage(run({ listData: [{ Link, ...more }] }), {
				columns: [column('Link', { type: 'link' })],
			});
		expect(needs('/p/1')).toBe(true);
		expect(needs('https://shop.example/p/1')).toBe(false);
		expect(needs('Sold out')).toBe(false);
		expect(needs('/p/1', { url: 'https://shop.example/' })).toBe(true);
	});

	it('a value that cannot be converted is kept if errors are ignored', async () => {
		const rows = await table({ listData }, columns, { ignoreConversionErrors: true });
		expect(rows[1]).toEqual({ product: 'Lamp', price: 'Sold out', link: '/p/2', rating: null });
		expect(hints.at(-1)?.[0]).toContain('so they are unchanged');
	});

	it("relative links belong to the page that the row was read from, not to a captured 'url'", async () => {
		const read = async (data: IDataObject) =>
			await table(data, [column('Link', { type: 'link' })], {}, 'https://shop.example/list/');
		const row = { Link: './a', url: 'https://one.example/x/' };
		expect(await read({ listData: [row] })).toEqual([{ Link: 'https://shop.example/list/a' }]);
		expect(await read({ crawlData: [row] })).toEqual([{ Link: 'https://one.example/x/a' }]);
	});

	it('a column can be a nested field or a field of the run', async () => {
		const crawlData = [{ metadata: { title: 'Desk' }, 'a.b': 1 }];
		const columns = ['metadata.title', 'run.status', 'a.b', 'run.error'].map((name) =>
			column(name),
		);
		expect(await table({ crawlData }, columns)).toEqual([
			{ 'metadata.title': 'Desk', 'run.status': 'success', 'a.b': '1', 'run.error': null },
		]);
	});

	it('all rows have the same columns, whatever was captured', async () => {
		const row = fc.dictionary(
			fc.constantFrom('A', 'B', 'C'),
			fc.oneof(fc.string(), fc.constant(null), fc.integer(), fc.constant({ inner: 1 })),
		);
		const types = fc.constantFrom('text', 'number', 'date', 'link', 'boolean', 'any');
		await fc.assert(
			fc.asyncProperty(fc.array(row), types, async (rows, type) => {
				const given = rows.map((entry): IDataObject => ({ ...entry, Z: 1 }));
				for (const made of await table({ listData: given }, [column('B', { type }), column('A')])) {
					expect(Object.keys(made)).toEqual(['B', 'A']);
				}
			}),
		);
	});
});

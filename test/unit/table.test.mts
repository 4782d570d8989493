import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { tableOf, type Column } from '../../nodes/Maxun/results/table';
import type { Run } from '../../nodes/Maxun/servers/entities';

const run = (data: IDataObject): Run => ({ id: 'r', status: 'success', data });
const column = (name: string, changes: Partial<Column> = {}): Column => ({
	column: name,
	name,
	type: 'text',
	numberFormat: 'automatic',
	dateFormat: '',
	...changes,
});
const hints: string[] = [];
const table = (data: IDataObject, columns: Column[], more = {}, address?: string) => {
	hints.length = 0;
	return tableOf(run(data), { columns, ...more }, address, (hint) => hints.push(hint));
};

describe('rows of a table', () => {
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

	it('rows have the selected columns in their order, with names, types and null', () => {
		const rows = table({ listData }, columns, {}, 'https://shop.example/products');
		expect(JSON.stringify(rows)).toBe(
			JSON.stringify([
				{ product: 'Desk', price: 1249, link: 'https://shop.example/p/1', rating: null },
				{ product: 'Lamp', price: null, link: 'https://shop.example/p/2', rating: null },
			]),
		);
		expect(hints).toEqual([
			"Some values could not be converted: 'price' (1). They are empty. Check the type and the format of these columns",
		]);
	});

	it('a value that cannot be converted stays if the errors are ignored', () => {
		const rows = table({ listData }, columns, { ignoreConversionErrors: true });
		expect(rows[1]).toEqual({ product: 'Lamp', price: 'Sold out', link: '/p/2', rating: null });
		expect(hints[0]).toContain('They are unchanged');
	});

	it("relative links get the row's own page as base", () => {
		const rows = table({ listData: [{ Link: 'a', url: 'https://one.example/x/' }] }, [
			column('Link', { type: 'link' }),
		]);
		expect(rows).toEqual([{ Link: 'https://one.example/x/a' }]);
	});

	it('a captured URL is the base if it is one, relative to the page of the run', () => {
		const link = (url: string, address?: string) =>
			table({ listData: [{ Link: 'a', url }] }, [column('Link', { type: 'link' })], {}, address);
		const page = 'https://shop.example/list/';
		expect(link('x/', page)).toEqual([{ Link: 'https://shop.example/list/x/a' }]);
		expect(link('mailto:me@shop.example', page)).toEqual([{ Link: 'https://shop.example/list/a' }]);
		expect(link('x/')).toEqual([{ Link: null }]);
	});

	it('a column can be an inner field, or a field of the run', () => {
		const crawlData = [{ metadata: { title: 'Desk' }, 'a.b': 1 }];
		const columns = ['metadata.title', 'run.status', 'a.b', 'run.error'].map((name) =>
			column(name),
		);
		expect(table({ crawlData }, columns)).toEqual([
			{ 'metadata.title': 'Desk', 'run.status': 'success', 'a.b': '1', 'run.error': null },
		]);
	});

	it('single fields join every row of a list, or form a row', () => {
		const data = {
			textData: { Heading: 'Products' },
			listData: [{ Name: 'Desk' }, { Name: 'Lamp' }],
		};
		expect(table(data, [])).toEqual([
			{ Heading: 'Products', Name: 'Desk' },
			{ Heading: 'Products', Name: 'Lamp' },
		]);
		expect(table({ textData: data.textData }, [])).toEqual([{ Heading: 'Products' }]);
	});

	it('all rows have the same columns, whatever was captured', () => {
		const row = fc.dictionary(
			fc.constantFrom('A', 'B', 'C'),
			fc.oneof(fc.string(), fc.constant(null), fc.integer(), fc.constant({ inner: 1 })),
		);
		const types = fc.constantFrom('text', 'number', 'date', 'link', 'boolean', 'any');
		fc.assert(
			fc.property(fc.array(row), types, (rows, type) => {
				const given = rows.map((entry): IDataObject => ({ ...entry, Z: 1 }));
				for (const made of table({ listData: given }, [column('B', { type }), column('A')])) {
					expect(Object.keys(made)).toEqual(['B', 'A']);
				}
			}),
		);
	});
});

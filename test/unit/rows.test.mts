import { describe, expect, it } from 'vitest';
import { resting } from '../../nodes/Maxun/http/concurrency';
import type { IDataObject } from 'n8n-workflow';
import { capturedOf, isBlank, type Part } from '../../nodes/Maxun/results/captured';
import { documentsOf } from '../../nodes/Maxun/results/ragDocuments';
import { rowsOf, selectableFields, selectedOf } from '../../nodes/Maxun/results/rows';

const run = (fields: object = {}) =>
	capturedOf({ id: 'r', status: 'success', robotName: 'Robot', ...fields });

describe("a run's rows", () => {
	/** A row of a list with a name. */
	const named = (list: string, column: string, value: number) => ({ [column]: value, list });
	const ORDERS = [{ Order: 1, items: [{ a: 1 }] }, { items: [] }, { data: [{ b: 1 }], rows: 2 }];

	it.each<[string, unknown, object[]]>([
		['a list', [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 2 }]],
		['lists in a list', [[{ a: 1 }], [{ b: 2 }]], [{ a: 1 }, { b: 2 }]],
		['a name', { one: [{ a: 1 }], two: [{ b: 2 }] }, [named('one', 'a', 1), named('two', 'b', 2)]],
		['a name that is a column', { one: [{ list: 'own' }], two: [] }, [{ list: 'own' }]],
		['one name', { one: [{ a: 1 }] }, [{ a: 1 }]],
		['names, one of an empty list', { one: [], two: [{ b: 2 }] }, [named('two', 'b', 2)]],
		['names, one without a list', { one: null, two: [{ b: 2 }] }, [named('two', 'b', 2)]],
		['rows that contain lists under any name', ORDERS, ORDERS],
		['another field', { Shop: [{ a: 1 }], Total: 5 }, [{ Shop: [{ a: 1 }], Total: 5 }]],
		['empty entries', [null, { a: 1 }, undefined], [{ a: 1 }]],
		['texts', ['a', 'b'], [{ value: 'a' }, { value: 'b' }]],
	])('are read from lists: %s', (_, listData, rows) => {
		expect(rowsOf(run({ data: { listData } }))).toEqual(rows);
	});

	it.each<[string, unknown, object[]]>([
		['several values', { Info: [{ A: '1' }, { A: '2' }] }, [{ A: '1' }, { A: '2' }]],
		['names', { Head: [{ A: '1' }], Foot: [{ B: '2' }] }, [{ A: '1', B: '2' }]],
		['no other rows', { A: '1', B: '2' }, [{ A: '1', B: '2' }]],
		['empty values', { A: '', B: null }, [{ A: '', B: null }]],
		[
			'the names of lists',
			{ items: [{ a: 1 }], Heading: 'x' },
			[{ items: [{ a: 1 }], Heading: 'x' }],
		],
		[
			'a special name in JavaScript',
			JSON.parse('[{"__proto__": "1"}, {"constructor": "2"}]'),
			[JSON.parse('{"__proto__": "1", "constructor": "2"}')],
		],
	])('are read from single fields: %s', (_, textData, rows) => {
		expect(rowsOf(run({ data: { textData } }))).toEqual(rows);
	});

	const A = { markdown: '# A', metadata: { url: 'u', title: 'A', depth: 0 } };
	const B = { markdown: '# B', metadata: { sourceURL: 'v' } };
	const own = { url: 'own', metadata: { url: 'other' } };
	const opened = { metadata: { url: 'u', title: 'T' }, searchResult: { position: 1 } };

	it.each<[string, unknown, object[]]>([
		[
			'an object that contains a list',
			{ searchData: { query: 'q', results: [{ t: 1 }, { t: 2 }] } },
			[{ t: 1 }, { t: 2 }],
		],
		[
			'rows that contain lists of texts',
			{ crawlData: [{ url: 'u', links: ['a', 'b'] }] },
			[{ url: 'u', links: ['a', 'b'] }],
		],
		[
			'crawled pages, with URL and title',
			{ crawlData: { 'Crawl Results': [A, B, own] } },
			[{ url: 'u', title: 'A', ...A }, { url: 'v', ...B }, own],
		],
		[
			'search results that were opened, with URL and title',
			{ searchData: { query: 'q', results: [opened] } },
			[{ url: 'u', title: 'T', ...opened }],
		],
		['a record', { documentData: { total: 5, lines: 2 } }, [{ total: 5, lines: 2 }]],
		[
			'single fields and formats next to lists',
			{ listData: [{ a: 1 }], textData: { A: '1' }, markdown: '# T', promptResult: { b: 2 } },
			[
				{ a: 1, A: '1' },
				{ markdown: '# T', promptResult: { b: 2 } },
			],
		],
		[
			'single fields with the name of a column',
			{ listData: [{ a: 1 }, { A: 2 }], textData: { A: '1' } },
			[{ a: 1 }, { A: 2 }, { A: '1' }],
		],
		['a format next to a list', { listData: [{ a: 1 }], text: 'T' }, [{ a: 1 }, { text: 'T' }]],
		['parts that are not known', { listData: [{ a: 1 }], other: 5 }, [{ a: 1 }, { other: 5 }]],
		['a page', { markdown: '# T', links: ['x'], html: '' }, [{ markdown: '# T', links: ['x'] }]],
		['empty parts', { listData: [], searchData: null, markdown: null }, []],
		['data that is a list itself', [{ 'Label 1': 'x' }], [{ 'Label 1': 'x' }]],
		['no data', undefined, []],
		['data that is text', 'text', []],
	])('are read from %s', (_, data, rows) => {
		expect(rowsOf(run({ data }))).toEqual(rows);
	});
});

describe('a blank', () => {
	it.each<[string, Part['kind'], IDataObject, boolean]>([
		['row of only empty cells', 'rows', { a: '', b: null, c: '\u200b', d: 'N/A' }, true],
		['row with a value', 'rows', { a: '', b: 0 }, false],
		['row with a title', 'rows', { title: 'T', text: '' }, false],
		['page without text', 'pages', { url: 'u', title: 'T', markdown: ' ' }, true],
		['page with a screenshot', 'formats', { markdown: '', screenshot: 'x' }, false],
		['page with text', 'pages', { url: 'u', markdown: 'x' }, false],
		['search result without a description', 'pages', { url: 'u', title: 'T' }, false],
	])('%s as %s: %j is blank: %s', (_, kind, row, expected) => {
		expect(isBlank(row, kind)).toBe(expected);
	});

	it('row or page is not a document', async () => {
		const pages = [{ url: 'https://a.example/1', title: 'T', markdown: '' }];
		const data = {
			listData: [
				{ N: '', P: '' },
				{ N: 'Desk', P: '' },
			],
			crawlData: pages,
		};
		const documents = await documentsOf(run({ data }), undefined, resting());
		expect(documents.map(({ text }) => text)).toEqual(['N: Desk\nP: ']);
	});
});

describe('selected fields', () => {
	const data = { textData: { Heading: 'Desks' }, listData: [{ a: 1, b: 2 }, { b: 3 }] };

	it("may have the prefix of a run's fields", async () => {
		const running = { listData: [{ run: { km: 5 } }] };
		expect(await selectedOf(run({ data: running }), ['run.km'], resting())).toEqual([
			{ run: { km: 5 } },
		]);
		const ofRun = await selectedOf(run({ data }), ['run.id', 'run.error'], resting());
		expect(ofRun).toEqual([{ run: { id: 'r' } }]);
	});

	it('may have names that begin or end with spaces, in the data or in the form', async () => {
		const blank = { crawlData: [{ ' A ': 1, B: { 'C ': 2 }, D: 3 }] };
		const fields = [' A ', 'B.C ', ' D', ' run.id'];
		expect(await selectedOf(run({ data: blank }), fields, resting())).toEqual([
			{ ' A ': 1, B: { 'C ': 2 }, D: 3, run: { id: 'r' } },
		]);
	});

	it('can come from any row', () => {
		const listData = Array.from({ length: 60 }, (_, index) => (index === 55 ? { b: 2 } : { a: 1 }));
		expect(selectableFields(run({ data: { listData } })).slice(0, 2)).toEqual([
			{ path: 'a', value: 1 },
			{ path: 'b', value: 2 },
		]);
	});

	it('can come from all parts of the data', () => {
		const many = {
			listData: Array.from({ length: 50 }, () => ({ a: 1 })),
			documentData: [{ c: 4 }],
		};
		const paths = selectableFields(run({ data: { ...data, ...many } })).map(({ path }) => path);
		expect(paths.slice(0, 3)).toEqual(['a', 'c', 'Heading']);
	});
});

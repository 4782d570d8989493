import { describe, expect, it } from 'vitest';
import { resting } from '../../nodes/Maxun/http/concurrency';
import type { IDataObject } from 'n8n-workflow';
import { capturedOf, isBlank, type Part } from '../../nodes/Maxun/results/captured';
import { documentsOf } from '../../nodes/Maxun/results/ragDocuments';
import { rowsOf, selectableFields, selectedOf } from '../../nodes/Maxun/results/rows';

const run = (fields: object = {}) =>
	capturedOf({ id: 'r', status: 'success', robotName: 'Robot', ...fields });

describe("a run's rows", () => {
	it.each<[string, unknown, object[]]>([
		['a list', { listData: [{ a: 1 }, { a: 2 }] }, [{ a: 1 }, { a: 2 }]],
		['lists in a list', { listData: [[{ a: 1 }], [{ b: 2 }]] }, [{ a: 1 }, { b: 2 }]],
		[
			'lists by name',
			{ listData: { one: [{ a: 1 }], two: [{ b: 2 }] } },
			[
				{ a: 1, list: 'one' },
				{ b: 2, list: 'two' },
			],
		],
		[
			'lists by name whose rows have such a field',
			{ listData: { one: [{ list: 'own' }], two: [] } },
			[{ list: 'own' }],
		],
		['one list by name', { listData: { one: [{ a: 1 }] } }, [{ a: 1 }]],
		[
			'lists by name, one of them empty',
			{ listData: { one: [], two: [{ b: 2 }] } },
			[{ b: 2, list: 'two' }],
		],
		[
			'an object that contains a list',
			{ searchData: { query: 'q', results: [{ t: 1 }, { t: 2 }] } },
			[{ t: 1 }, { t: 2 }],
		],
		[
			'rows that contain lists under any name',
			{ listData: [{ Order: 1, items: [{ a: 1 }] }, { items: [] }, { data: [{ b: 1 }], rows: 2 }] },
			[{ Order: 1, items: [{ a: 1 }] }, { items: [] }, { data: [{ b: 1 }], rows: 2 }],
		],
		[
			'an object of a list and another field',
			{ listData: { Shop: [{ a: 1 }], Total: 5 } },
			[{ Shop: [{ a: 1 }], Total: 5 }],
		],
		[
			'single fields with the names of lists',
			{ textData: { items: [{ a: 1 }], Heading: 'x' } },
			[{ items: [{ a: 1 }], Heading: 'x' }],
		],
		['single fields that are empty', { textData: { A: '', B: null } }, [{ A: '', B: null }]],
		['a list with empty entries', { listData: [null, { a: 1 }, undefined] }, [{ a: 1 }]],
		[
			'lists by name, one of them null',
			{ listData: { one: null, two: [{ b: 2 }] } },
			[{ b: 2, list: 'two' }],
		],
		[
			'rows that contain lists of texts',
			{ crawlData: [{ url: 'u', links: ['a', 'b'] }] },
			[{ url: 'u', links: ['a', 'b'] }],
		],
		[
			'crawled pages, with URL and title',
			{
				crawlData: {
					'Crawl Results': [
						{ markdown: '# A', metadata: { url: 'u', title: 'A', depth: 0 } },
						{ markdown: '# B', metadata: { sourceURL: 'v' } },
						{ url: 'own', metadata: { url: 'other' } },
					],
				},
			},
			[
				{ url: 'u', title: 'A', markdown: '# A', metadata: { url: 'u', title: 'A', depth: 0 } },
				{ url: 'v', markdown: '# B', metadata: { sourceURL: 'v' } },
				{ url: 'own', metadata: { url: 'other' } },
			],
		],
		[
			'search results that were opened, with URL and title',
			{
				searchData: {
					query: 'q',
					results: [{ metadata: { url: 'u', title: 'T' }, searchResult: { position: 1 } }],
				},
			},
			[
				{
					url: 'u',
					title: 'T',
					metadata: { url: 'u', title: 'T' },
					searchResult: { position: 1 },
				},
			],
		],
		['a list of texts', { listData: ['a', 'b'] }, [{ value: 'a' }, { value: 'b' }]],
		['a record', { documentData: { total: 5, lines: 2 } }, [{ total: 5, lines: 2 }]],
		[
			'single fields, if there are no other rows',
			{ textData: { A: '1', B: '2' } },
			[{ A: '1', B: '2' }],
		],
		[
			'single fields by name',
			{ textData: { Head: [{ A: '1' }], Foot: [{ B: '2' }] } },
			[{ A: '1', B: '2' }],
		],
		[
			'single fields that were captured several times',
			{ textData: { Info: [{ A: '1' }, { A: '2' }] } },
			[{ A: '1' }, { A: '2' }],
		],
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
		[
			'a list next to a format of its page',
			{ listData: [{ a: 1 }, { a: 2 }], text: 'T' },
			[{ a: 1 }, { a: 2 }, { text: 'T' }],
		],
		['parts that are not known', { listData: [{ a: 1 }], other: 5 }, [{ a: 1 }, { other: 5 }]],
		[
			'a field that has a special name in JavaScript',
			{ textData: JSON.parse('[{"__proto__": "1"}, {"constructor": "2"}]') },
			[JSON.parse('{"__proto__": "1", "constructor": "2"}')],
		],
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

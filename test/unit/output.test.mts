import { describe, expect, test } from 'vitest';
import { outputOf, rowsOf, simplified } from '../../nodes/Maxun/runs/output';
import { screenshotsOf } from '../../nodes/Maxun/runs/screenshots';

const run = (fields: object = {}) => ({
	id: 'r',
	status: 'success',
	robotName: 'Robot',
	...fields,
});

describe('rows', () => {
	test.each<[string, unknown, object[]]>([
		['of a list', { listData: [{ a: 1 }, { a: 2 }] }, [{ a: 1 }, { a: 2 }]],
		['of lists in a list', { listData: [[{ a: 1 }], [{ b: 2 }]] }, [{ a: 1 }, { b: 2 }]],
		['of lists by name', { listData: { one: [{ a: 1 }], two: [{ b: 2 }] } }, [{ a: 1 }, { b: 2 }]],
		['of an empty list by name', { listData: { one: [], two: [{ b: 2 }] } }, [{ b: 2 }]],
		[
			'of a holder',
			{ searchData: { query: 'q', results: [{ t: 1 }, { t: 2 }] } },
			[{ t: 1 }, { t: 2 }],
		],
		['of holders in a list', { listData: [{ name: 'x', rows: [{ a: 1 }] }] }, [{ a: 1 }]],
		[
			'that hold lists of texts',
			{ crawlData: [{ url: 'u', links: ['a', 'b'] }] },
			[{ url: 'u', links: ['a', 'b'] }],
		],
		['of texts', { listData: ['a', 'b'] }, [{ value: 'a' }, { value: 'b' }]],
		['of a record', { documentData: { total: 5, lines: 2 } }, [{ total: 5, lines: 2 }]],
		[
			'of single fields, where there are no others',
			{ textData: { A: '1', B: '2' } },
			[{ A: '1', B: '2' }],
		],
		[
			'of single fields by name',
			{ textData: { Head: [{ A: '1' }], Foot: [{ B: '2' }] } },
			[{ A: '1', B: '2' }],
		],
		[
			'of single fields that were captured several times',
			{ textData: { Info: [{ A: '1' }, { A: '2' }] } },
			[{ A: '1' }, { A: '2' }],
		],
		['before single fields', { textData: { A: '1' }, listData: [{ a: 1 }] }, [{ a: 1 }]],
		['of a page', { markdown: '# T', links: ['x'], html: '' }, [{ markdown: '# T', links: ['x'] }]],
		['of nothing', { listData: [], searchData: null, markdown: null }, []],
		['of data that is a list itself', [{ 'Label 1': 'x' }], [{ 'Label 1': 'x' }]],
		['of no data', undefined, []],
		['of data that is a text', 'text', []],
	])('%s', (_, data, rows) => expect(rowsOf(run({ data }))).toEqual(rows));

	test('of many thousands come quickly', () => {
		const listData = Array.from({ length: 200_000 }, (_, index) => ({ index }));
		const began = performance.now();
		expect(rowsOf(run({ data: { listData } }))).toHaveLength(200_000);
		expect(performance.now() - began).toBeLessThan(10_000);
	});
});

describe('simplified', () => {
	test('leaves out empty data and everything that is no essential', () => {
		const data = { textData: {}, listData: [{ a: 1 }], crawlData: [], markdown: '', html: null };
		expect(simplified(run({ data, interpreterSettings: { x: 1 }, durationMs: 5 }))).toEqual({
			id: 'r',
			status: 'success',
			robotName: 'Robot',
			durationMs: 5,
			hasData: true,
			data: { listData: [{ a: 1 }] },
		});
	});

	test('says where there is no data', () => {
		expect(simplified(run({ data: { listData: [] } }))).toMatchObject({ hasData: false, data: {} });
	});
});

test('full is the very run', () => {
	const whole = run({ data: { listData: [] }, extra: 1 });
	expect(outputOf(whole, 'full')).toEqual([whole]);
});

describe('screenshots', () => {
	test.each<[string, object, unknown[]]>([
		['addresses', { screenshots: ['https://a/1.png'] }, ['https://a/1.png']],
		[
			'objects',
			{ screenshots: [{ name: 'visible', url: 'https://a/1.png' }] },
			['https://a/1.png'],
		],
		['by name', { screenshots: { visible: 'https://a/1.png' } }, ['https://a/1.png']],
		[
			'the single one',
			{ screenshot: 'data:image/png;base64,AA==' },
			['data:image/png;base64,AA=='],
		],
		['none', { screenshots: [] }, []],
		['null', { screenshots: null, screenshot: null }, []],
		['unknown forms', { screenshots: [5, null, '', { other: 1 }] }, []],
	])('as %s', (_, fields, sources) => {
		expect(screenshotsOf(run(fields)).map(({ source }) => source)).toEqual(sources);
	});
});

import type { INodeParameters } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { DEMO } from '../sandbox/index.mts';
import { PNG } from '../helpers/files.mts';
import { locator } from '../helpers/parameters.mts';
import { useOperations } from './support/details.mts';

const { sandbox, succeed } = useOperations();

async function read(run: object, parameters: INodeParameters = { output: 'rows' }) {
	const [runId = ''] = await sandbox.control.runs({ robotId: DEMO.article, run });
	const { rows, json } = await succeed('run', 'get', { runId: locator(runId), ...parameters });
	return { runId, rows: json, items: rows };
}

const DESK = { Product: 'Desk', Price: '249' };

it('50,000 rows become items, each once and in order', async () => {
	const listData = Array.from({ length: 50_000 }, (_, index) => ({ Product: `Desk ${index}` }));
	const { rows, items } = await read({ data: { listData } });
	expect(rows).toHaveLength(50_000);
	expect(rows.findIndex(({ Product }, index) => Product !== `Desk ${index}`)).toBe(-1);
	expect(items.every(({ pairedItem }) => typeof pairedItem === 'object')).toBe(true);
});

it('simplified output contains the essential fields and existing data', async () => {
	const data = { listData: [DESK], markdown: null };
	const { rows, runId } = await read({ data }, { output: 'simplified' });
	expect(rows).toMatchObject([{ id: runId, status: 'success', hasData: true }]);
	expect(rows[0]?.data).toEqual({ listData: [DESK] });
});

it('raw output is the run as the service sent it, including fields from other versions', async () => {
	const { rows, runId } = await read({ data: { odd: [1] }, extra: { a: 1 } }, { output: 'raw' });
	const { body } = await sandbox.owner.get(`/runs/${runId}`);
	expect(rows).toEqual([body.data]);
});

describe('screenshots', () => {
	it.each<[string, unknown]>([
		['as a data URI', [`data:image/png;base64,${PNG}`]],
		['as base64', [PNG]],
		['as objects with a data URI', [{ name: 'visible', data: `data:image/png;base64,${PNG}` }]],
		['as objects with base64', [{ format: 'screenshot-visible', base64: PNG }]],
	])('%s become files with a name and a type', async (_, screenshots) => {
		const { items } = await read({ screenshots }, { options: { downloadScreenshots: true } });
		const file = items[0]?.binary?.screenshot;
		expect(file).toMatchObject({ mimeType: 'image/png', fileExtension: 'png', data: PNG });
		expect(file?.fileName).toMatch(/^[\w-]+\.png$/);
	});

	it.each<[string, object, string[], string[]]>([
		[
			'its URL',
			{ crawlData: [{ url: 'https://www.example.com/products/?page=2', markdown: '#' }] },
			['a'],
			['example-com-products-page-2.png'],
		],
		[
			'the robot if there are several pages, because nothing shows which one it belongs to',
			{ crawlData: [{ url: 'https://a.example' }, { url: 'https://b.example' }] },
			['screenshot-visible', 'screenshot-fullpage', 'screenshot-visible'],
			['Shop-article-visible.png', 'Shop-article-fullpage.png', 'Shop-article-visible-2.png'],
		],
	])("a screenshot's name contains %s", async (_, data, names, expected) => {
		const screenshots = names.map((name) => ({ name, data: PNG }));
		const options = { downloadScreenshots: true };
		const { items } = await read({ data, screenshots, robotName: 'Shop article' }, { options });
		const files = Object.values(items[0]?.binary ?? {});
		expect(files.map(({ fileName }) => fileName)).toEqual(expected);
	});
});

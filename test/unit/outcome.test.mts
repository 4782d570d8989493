import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import type { DataChecks, OutcomeSettings } from '../../nodes/Maxun/results/types';
import { capturedOf } from '../../nodes/Maxun/results/captured';
import { outcome } from '../../nodes/Maxun/results/outcome';
import { capturedNothing } from '../../nodes/Maxun/results/verdict';

const run = (data: IDataObject | null, more: IDataObject = {}) =>
	capturedOf({ id: 'x', status: 'success', data, ...more });
const unread = { url: 'https://a.example.com/', error: 'net::ERR_CONNECTION_REFUSED' };
const read = { url: 'https://a.example.com/b', markdown: '# B' };

it.each<[string, IDataObject | null]>([
	['without data', null],
	['with empty lists', { listData: [], crawlData: [], markdown: '' }],
	['with a search without results', { searchData: { query: 'desk', results: [] } }],
	['if no page of a crawl could be read', { crawlData: [unread, unread] }],
	['if the only page could not be read', { error: 'net::ERR_CONNECTION_REFUSED' }],
	['if the page is blocked', { markdown: '# 403 Forbidden' }],
	['if single fields are empty', { textData: { Price: ' ', Name: null } }],
])('a run captured nothing %s', (_, data) => {
	expect(capturedNothing(run(data))).toBe(true);
});

it.each<[string, IDataObject | null, IDataObject?]>([
	['if one page of a crawl could be read', { crawlData: [unread, read] }],
	['if a list has a column named error', { listData: [{ error: 'E42' }] }],
	['if single fields contain an error', { textData: { error: 'E42' } }],
	['if there is only a screenshot', null, { screenshots: ['https://a.example.com/1.png'] }],
])('a run captured something %s', (_, data, more) => {
	expect(capturedNothing(run(data, more))).toBe(false);
});

describe('the hints of a crawl', () => {
	const failed = (index: number) => ({
		metadata: { url: `https://a.example.com/${index}` },
		error: `page.goto: Timeout ${index}\n    at process (node:internal/task_queues:95:5)`,
	});
	const notesOf = async (captured: ReturnType<typeof run>) =>
		(await outcome(captured, { output: 'rows' })).notes.map(([message]) => message);

	it('count the pages that could not be read, and mention up to three with their reasons', async () => {
		const crawlData = [read, ...[1, 2, 3, 4].map(failed)];
		expect((await outcome(run({ crawlData }), { output: 'rows' })).items).toHaveLength(1);
		expect(await notesOf(run({ crawlData }))).toEqual([
			'4 of 5 pages could not be read: https://a.example.com/1 (page.goto: Timeout 1), https://a.example.com/2 (page.goto: Timeout 2), https://a.example.com/3 (page.goto: Timeout 3), and 1 more',
		]);
		expect((await outcome(run({ crawlData }), { output: 'documents' })).items).toHaveLength(1);
	});

	it('explain why the only page could not be read', async () => {
		const { fault } = await outcome(run({ markdown: 'Access Denied' }), { output: 'rows' });
		expect(fault?.description).toMatch(
			/^The page could not be read: The page says: Access Denied\. The website does not let Maxun in\. .*\. Check the run in Maxun/,
		);
	});
});

describe('a failed run with rows', () => {
	const rows = [{ A: 1 }, { A: 2 }];
	const partial = run({ listData: rows }, { status: 'failed', error: 'The page is gone' });
	const jsonOf = ({ items }: { items: Array<{ json: IDataObject }> }) =>
		items.map(({ json }) => json);

	it('returns its rows if its robot is temporary', async () => {
		const settings = { output: 'rows', onFailure: 'skip', returnsPartial: true } as const;
		const { items, notes } = await outcome(partial, settings);
		expect(jsonOf({ items })).toEqual(rows);
		expect(notes[0]?.[0]).toBe(
			'The run ended with status failed, so its data is incomplete: The page is gone',
		);
	});

	it('fails with its rows, and says how to get them', async () => {
		const { items, fault } = await outcome(partial, { output: 'rows', onFailure: 'error' });
		expect(items).toEqual([]);
		expect(fault?.description).toMatch(
			/^The page is gone\. The run has captured 2 rows\. To get them/,
		);
		expect(fault?.data?.rows).toEqual(rows);
	});

	it('is an item that contains its rows otherwise', async () => {
		const { items, notes } = await outcome(partial, { output: 'rows' });
		expect(items).toMatchObject([{ json: { status: 'failed', data: { listData: rows } } }]);
		expect(notes[0]?.[0]).toBe(
			"The run ended with status failed, so the output describes the run, with 2 rows in 'data'",
		);
	});

	it.each(['odd', 'running'])(
		'with the status %s does not cause an error without On Failure',
		async (status) => {
			expect((await outcome(run(null, { status }), { output: 'rows' })).items).toMatchObject([
				{ json: { status } },
			]);
		},
	);
});

describe('data checks', () => {
	const listData = { Shop: [{ Name: 'Desk', Price: 5 }], Blog: [{ Title: 'A' }, { Title: 'B' }] };
	const problemsIn = async (checks: object, more = {}) => {
		const dataChecks: DataChecks = { columnChecks: [], ifCheckFails: 'error', ...checks };
		return (await outcome(run({ listData }, more), { output: 'rows', dataChecks })).fault?.problems;
	};

	it('count the rows of the list that has the column', async () => {
		const columnChecks = [{ column: 'Price', check: 'filled', share: 100 }];
		expect(await problemsIn({ columnChecks })).toBeUndefined();
	});

	it('find values that are not numbers, even if the table makes them empty', async () => {
		const columns = [{ column: 'Price', name: 'Cost', type: 'number' }];
		const columnChecks = [{ column: 'Cost', check: 'number', share: 100 }];
		const given = run({ listData: [{ Price: '$5' }, { Price: 'Oak' }] });
		const dataChecks = { columnChecks, ifCheckFails: 'error' };
		const settings: OutcomeSettings = Object({ output: 'rows', columns, dataChecks });
		expect((await outcome(given, settings)).fault?.problems).toEqual([
			"'Cost' is a number in 1 of 2 rows, expected 100%",
		]);
	});

	it('do not count a screenshot as a row', async () => {
		const screenshots = ['https://a.example.com/1.png'];
		const blocked = run({ markdown: 'Access Denied' }, { screenshots });
		const dataChecks: DataChecks = { minRows: 1, columnChecks: [], ifCheckFails: 'error' };
		const { fault, verdict } = await outcome(blocked, {
			...{ output: 'rows', downloadScreenshots: true, dataChecks },
		});
		expect(verdict).toBe('refused');
		expect(fault?.message).toMatch(/could not read the page$/);
	});
});

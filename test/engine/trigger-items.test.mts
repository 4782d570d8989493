import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { beforeEach, describe, expect, it } from 'vitest';
import { newRecorded, newRobot } from '../helpers/fixtures.mts';
import { useClock } from './support/clock.mts';
import { announce, runIdsOf, useTriggers } from './support/triggers.mts';

const { sandbox, triggers } = useTriggers();
const later = useClock();
let robotId: string;
beforeEach(async () => {
	robotId = await newRobot(sandbox);
});

/** Publishes the workflow, and polls after runs that end a minute apart. @returns the poll's items, and the runs */
async function started(
	parameters: INodeParameters & { options?: INodeParameters },
	runs: IDataObject[],
	robotIds = [robotId],
) {
	const host = await triggers.poller(robotIds, parameters);
	const ids: string[] = [];
	for (const run of runs) {
		later(2);
		ids.push(await triggers.endedRun(robotIds[0] ?? '', 0, run));
	}
	later(2);
	const items = (await host.poll())?.emitted[0] ?? [];
	return { host, ids, items, json: items.map((item) => item.json) };
}

it.each([
	['run_completed', { status: 'success' }],
	['run_failed', { status: 'failed' }],
	['run_canceled', { status: 'aborted' }],
])('the event %s selects runs', async (event, run) => {
	const others = ['success', 'failed', 'aborted'].map((status) => ({ status }));
	const { json, ids } = await started({ events: [event] }, others);
	expect(json).toMatchObject([
		{ event, run: { id: ids[others.findIndex(({ status }) => status === run.status)] } },
	]);
});

it('Started By selects runs', async () => {
	const sources = ['api', 'schedule', 'sdk'];
	const { items, ids } = await started(
		{ options: { sources: ['schedule', 'sdk'] } },
		sources.map((source) => ({ source })),
	);
	expect(runIdsOf(items)).toEqual(ids.slice(1));
});

it('Raw returns the run as Maxun does', async () => {
	const { json, ids } = await started({ output: 'raw' }, [{}]);
	expect(json[0]?.run).toEqual((await sandbox.owner.get(`/runs/${ids[0]}`)).body.data);
});

describe('a row', () => {
	const ROW = { Product: 'Lamp', Price: 12 };
	const rowOf = async (robotIds: string[], options = {}) =>
		(await started({ output: 'rows', options }, [{ data: { listData: [ROW] } }], robotIds)).json[0];

	it.each([
		['several robots are watched', 2, {}],
		['the option is on', 1, { addRobotAndRun: true }],
	])('contains its robot and run if %s', async (_, count, options) => {
		const robots = count === 1 ? [robotId] : [robotId, await newRobot(sandbox)];
		expect(await rowOf(robots, options)).toEqual({
			...ROW,
			event: 'run_completed',
			robot: { id: robotId, name: expect.any(String) },
			run: {
				id: expect.any(String),
				status: 'success',
				startedAt: expect.any(String),
				finishedAt: expect.any(String),
				isPartial: false,
			},
		});
	});

	it('contains only its columns otherwise', async () => {
		expect(await rowOf([robotId])).toEqual(ROW);
		const robots = [robotId, await newRobot(sandbox)];
		expect(await rowOf(robots, { addRobotAndRun: false })).toEqual(ROW);
	});

	it('has the selected columns, with names and types', async () => {
		await sandbox.control.settings({ runSeconds: 0.1 });
		const recorded = await newRecorded(sandbox, {});
		const values = [
			{ column: 'Price', name: 'price', type: 'number' },
			{ column: 'Absent', type: 'text' },
			{ column: 'Product', name: 'name', type: 'text' },
		];
		const host = await triggers.activeHost([recorded], {
			output: 'rows',
			options: { columns: { values } },
		});
		await triggers.finishedRun(recorded);
		const [first] = await host.waitForItems(8);
		expect(JSON.stringify(first?.json)).toBe(
			JSON.stringify({ price: 249, Absent: null, name: 'Walnut desk' }),
		);
	});
});

describe('If No Data', () => {
	const EMPTY = { data: { listData: [] } };
	const REFUSED = {
		data: { crawlData: [{ url: 'http://127.0.0.1:1/closed', error: 'net::ERR' }] },
	};
	const FULL = { data: { markdown: '# A' } };
	const choosing = (ifNoData: string) => ({ options: { ifNoData } });

	it.each([
		['item', [0, 1]],
		['nothing', [1]],
		['error', [0, 1]],
	])('%s applies to a run without data, next to a run with data', async (ifNoData, expected) => {
		const { items, ids, host } = await started(choosing(ifNoData), [EMPTY, FULL]);
		expect(runIdsOf(items)).toEqual(expected.map((index) => ids[index]));
		expect(items[0]?.json.error !== undefined).toBe(ifNoData === 'error');
		expect(await host.poll()).toBeNull();
	});

	it('a run whose page could not be read fails one execution, whatever the option says', async () => {
		const { items, ids } = await started(choosing('nothing'), [REFUSED, FULL]);
		expect(runIdsOf(items)).toEqual(ids);
		expect(items[0]?.json.error).toMatch(/could not read the page$/);
	});

	it('can fail one execution', async () => {
		const host = await triggers.activeHost([robotId], choosing('error'));
		later(1);
		const run = await triggers.endedRun(robotId, 0, EMPTY);
		for (let event = 0; event < 2; event++) await announce(host, robotId, run);
		expect(host.emitted).toEqual([]);
		const errors = host.deliveries.flatMap(({ error }) => (error ? [Object(error).message] : []));
		expect(errors).toEqual([expect.stringMatching(`^Run ${run} .* captured no data`)]);
	});
});

describe('Data Checks', () => {
	const rows = (count: number) => ({
		data: { listData: Array.from({ length: count }, (_, index) => ({ Product: `${index}` })) },
	});
	const choosing = (ifCheckFails: string) => ({
		output: 'rows',
		options: { dataChecks: { minRows: 2, ifCheckFails } },
	});

	it.each([
		['items', 4],
		['nothing', 3],
		['error', 4],
	])('%s applies to the rows of a run that fails a check', async (ifCheckFails, count) => {
		const { items } = await started(choosing(ifCheckFails), [rows(1), rows(3)]);
		expect(items).toHaveLength(count);
		const bad = items.filter(({ json }) => json.problems !== undefined);
		expect(bad.map(({ json }) => json.problems)).toEqual(
			ifCheckFails === 'nothing' ? [] : [['1 row, expected at least 2']],
		);
	});
});

describe('Run Found Changes', () => {
	const page = (path: string, markdown: string) => ({
		markdown,
		metadata: { url: `https://a.example.com/${path}`, title: path },
	});
	const crawl = (...crawlData: object[]): IDataObject =>
		JSON.parse(JSON.stringify({ data: { crawlData } }));
	const BEFORE = crawl(page('same', 'Same'), page('old', 'Old'), page('both', 'One'));
	const AFTER = crawl(page('same', 'Same'), page('both', 'Two'), page('new', 'New'));
	const CHANGED = { events: ['run_changed'], options: { addRobotAndRun: true } };
	const rows = (...prices: number[]): IDataObject => ({
		data: { listData: prices.map((Price, id) => ({ id, Price: `$${Price}`, event: 'A sale' })) },
	});
	const itemsOf = async (
		parameters: INodeParameters & { options?: INodeParameters },
		runs: IDataObject[],
	) => (await started(parameters, runs, [await newRobot(sandbox)])).json;
	const keyed = (options: INodeParameters = {}) => ({
		events: ['run_changed'],
		options: { keyFields: ['id'], ...options },
	});

	it('starts only for runs that differ from the last completed run, with the changed pages', async () => {
		const runs = [BEFORE, BEFORE, { status: 'failed' }, AFTER];
		const { json, ids } = await started(CHANGED, runs);
		const origin = { event: 'run_changed', robot: { id: robotId }, run: { id: ids[3] } };
		expect(json).toMatchObject([
			{ change: 'changed', markdown: 'Two', before: { markdown: 'One' }, ...origin },
			{ change: 'added', url: 'https://a.example.com/new', ...origin },
			{ change: 'removed', url: 'https://a.example.com/old', ...origin },
		]);
		expect(json[0]?.diff).toBe('- One\n+ Two');
	});

	it('returns the changed rows by their key, with the selected columns', async () => {
		const columns = {
			values: [{ column: 'Price', name: 'price', type: 'number' }, { column: 'id' }],
		};
		const { json } = await started(keyed({ columns }), [rows(1, 2), rows(1, 3, 4)]);
		expect(json).toEqual([
			{
				price: 3,
				id: '1',
				change: 'changed',
				before: { price: 2 },
				difference: { price: 1 },
				differencePercent: { price: 50 },
			},
			{ price: 4, id: '2', change: 'added' },
		]);
	});

	it('starts once when a value crosses a limit', async () => {
		const values = [{ condition: 'fallsBelow', column: 'Price', value: 3 }];
		const prices = [4, 3, 2, 1, 3, 2, 2].map((price) => rows(price));
		const json = await itemsOf(keyed({ onlyIf: { values } }), prices);
		expect(json.map(({ before }) => before)).toEqual([{ Price: '$3' }, { Price: '$3' }]);
	});

	it('ignores changes in ignored columns, and a row keeps its own columns', async () => {
		expect((await started(keyed({ ignoreFields: ['Price'] }), [rows(1), rows(2)])).json).toEqual(
			[],
		);
		const json = await itemsOf(keyed({ addRobotAndRun: true }), [rows(1), rows(2)]);
		expect(json).toMatchObject([
			{ id: 0, Price: '$2', event: 'A sale', run: { status: 'success' } },
		]);
	});

	it('ignores a run without data and the next run with the same data', async () => {
		for (const ifNoData of ['item', 'nothing']) {
			const runs = [rows(1), { data: {} }, rows(1), { data: {} }, rows(2)];
			const json = await itemsOf(keyed({ ifNoData }), runs);
			expect(json).toMatchObject([{ Price: '$2', change: 'changed', before: { Price: '$1' } }]);
		}
	});

	it('causes an error that lists the columns if no row has the key', async () => {
		const wrong = { ...keyed({ keyFields: ['ID'] }) };
		// Waiting would not help, so the first poll reports it.
		const { items } = await started(wrong, [rows(1), rows(2)]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ error: "No row has the key column 'ID'", details: expect.stringContaining("'Price'") },
		]);
	});

	it.each([
		['a page', (markdown: string) => ({ markdown })],
		['a crawl', (markdown: string) => ({ crawlData: [{ url: 'https://example.com/', markdown }] })],
	])("uses Maxun's result for %s if Maxun compares the robot's runs", async (_, dataOf) => {
		const monitoring = { compareRuns: true, monitoringPrompt: 'A price has changed' };
		await sandbox.owner.put(`/robots/${robotId}/monitoring`, monitoring);
		const text = (markdown: string, hasChanges: boolean) => ({
			data: dataOf(markdown),
			hasChanges,
		});
		const runs = [text('One', false), text('Two', false), text('Two', true)];
		const { items, ids } = await started(CHANGED, runs);
		expect(runIdsOf(items)).toEqual([ids[2]]);
	});

	it('ignores what is missing once, even if Maxun compares the runs', async () => {
		await sandbox.owner.put(`/robots/${robotId}/monitoring`, { compareRuns: true });
		const missing = { data: { listData: [{ id: 0, event: 'A sale' }] } };
		const runs = [
			{ ...rows(1), hasChanges: false },
			{ ...missing, hasChanges: true },
			{ ...missing, hasChanges: false },
		];
		const { json } = await started(keyed({ missingOnce: true }), runs);
		expect(json).toMatchObject([{ change: 'changed', before: { Price: '$1' } }]);
	});

	it('does not compare any runs if every completed run starts the workflow', async () => {
		const events = ['run_changed', 'run_completed'];
		const { items, ids } = await started({ events }, [BEFORE, BEFORE]);
		expect(runIdsOf(items)).toEqual(ids);
	});

	it('sends few requests for the first change after 120 runs without changes', async () => {
		const host = await triggers.activeHost([robotId], CHANGED);
		const ended = async (run: IDataObject) => {
			later(1);
			const id = await triggers.endedRun(robotId, 0, run);
			await announce(host, robotId, id);
			return id;
		};
		for (let run = 0; run < 120; run++) {
			await ended(BEFORE);
			if (run % 24 === 0) await host.poll();
		}
		later(61);
		await host.poll();
		await sandbox.control.clear();
		const changed = await ended(AFTER);
		later(61);
		await host.poll();
		expect([...new Set(runIdsOf(host.emitted))]).toEqual([changed]);
		expect((await sandbox.sent()).length).toBeLessThanOrEqual(10);
	});
});

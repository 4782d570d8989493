import { describe, expect, it } from 'vitest';
import { MaxunFault } from '../../nodes/Maxun/http/fault';
import { capturedOf, type Captured } from '../../nodes/Maxun/results/captured';
import { knownRun, runBefore } from '../../nodes/Maxun/results/baseline';
import { changesBetween } from '../../nodes/Maxun/results/comparison';
import type { ChangeSettings } from '../../nodes/Maxun/results/changes';
import type { Run } from '../../nodes/Maxun/servers/entities';

const ROWS = { listData: [{ A: 1 }] };

/** A server on which a robot has these runs, newest first. */
const serverWith = (list: Run[]) => ({
	list: async () => await Promise.resolve(list),
	get: async (id: string) => {
		const run = list.find((entry) => entry.id === id);
		if (!run) throw new Error(id);
		return await Promise.resolve(run);
	},
});

type Runs = ReturnType<typeof serverWith>;

const runOn = (day: number, more: object = {}): Run => ({
	id: `run${day}`,
	status: 'success',
	startedAt: `2026-11-${day}T10:00:00.000Z`,
	data: ROWS,
	...more,
});

describe('the previous run', () => {
	it.each([
		['in a German form', (day: number) => `${day}.11.2026, 10:00:00`],
		['in the form of Maxun Cloud', (day: number) => `2026-11-${day}T10:00:00.000Z`],
	])('is found if the dates are %s', async (_, date) => {
		const list = [23, 22, 21].map((day) => runOn(day, { startedAt: date(day) }));
		const middle = list[1] ?? runOn(22);
		expect((await runBefore(serverWith(list), 'robot', capturedOf(middle), {}))?.run.id).toBe(
			'run21',
		);
	});

	it('has data', async () => {
		const list = [
			runOn(24),
			runOn(23, { data: {} }),
			runOn(21, { data: { crawlData: [{ error: 'blocked' }] } }),
			runOn(20),
		];
		const before = async (runs: Run[]) =>
			await runBefore(serverWith(runs), 'robot', capturedOf(runOn(24)), {});
		expect((await before(list))?.run.id).toBe('run20');
		expect(await before(list.slice(0, 3))).toBeUndefined();
	});
});

const page = (path: string, markdown: string) => ({
	url: `https://a.example.com/${path}`,
	markdown,
});
const failed = (path: string) => ({ url: `https://a.example.com/${path}`, error: 'Timeout' });
const crawlOn = (day: number, ...crawlData: object[]) => runOn(day, { data: { crawlData } });
const listsOn = (day: number, listData: object, more = {}) =>
	runOn(day, { data: { listData }, ...more });

/** The changes that the first run found since the others, in short. */
async function changesIn(list: Run[], settings = {}) {
	const later = capturedOf(list[0] ?? runOn(1));
	const before = await runBefore(serverWith(list), 'robot', later, settings);
	const rest = async () => await Promise.resolve();
	const changes = before ? await changesBetween(before, later, settings, rest, () => {}) : [];
	return changes.map(({ change, row }) => [change, ...Object.values(row)]);
}

describe('no change', () => {
	const [a, b] = [page('a', 'A'), page('b', 'B')];
	const blocked = page('b', '# 403 Forbidden');
	const shop = [{ Name: 'Desk' }];
	const blog = [{ Title: 'News' }];
	const dated = [{ type: 'date', column: 'Date', name: 'Date' }];

	/** Runs with these pages or lists, newest first. */
	const crawls = (...pages: object[][]) => pages.map((all, at) => crawlOn(24 - at, ...all));
	const lists = (...data: object[]) => data.map((all, at) => listsOn(24 - at, all));
	const again = (more: object) => ({ ...b, url: `${b.url}/`, ...more });

	it.each<[string, Run[], object?]>([
		['is a page that could not be read', crawls([a, failed('b')], [a, b])],
		['is a page that can be read again', crawls([a, b], [a, failed('b')], [a, b])],
		['is a page that can be read for the first time', crawls([a, b], [a, failed('b')])],
		['is a page that the earlier crawl has read twice', crawls([a, b], [a, b, again({})])],
		[
			'is a page that the later crawl has read twice',
			crawls([a, b, again({ markdown: 'B, at another time' })], [a, b]),
		],
		[
			'is a blocked page, however long',
			crawls([a, b], [a, blocked], [a, blocked], [a, blocked], [a, b]),
		],
		['is a list that is empty one day', lists({ shop, blog: [] }, { shop, blog })],
		[
			'is a list that is no longer empty',
			lists({ shop, blog }, { shop, blog: [] }, { shop, blog }),
		],
		["is the only list's name", lists({ New: shop }, { Old: shop })],
		[
			'is a decomposed accent, or a character that nobody sees',
			lists([{ A: 'Cafe\u0301\u200b' }], [{ A: 'Café' }]),
		],
		[
			"is a page's fragment, final slash or letter case of the host",
			crawls([{ url: 'https://A.example.com/a/#top', markdown: 'A' }], [a]),
		],
		[
			'is the same day in relative words',
			[listsOn(24, [{ Date: '9 days ago' }]), listsOn(17, [{ Date: '2 days ago' }])],
			{ columns: dated },
		],
	])('%s', async (_, list, settings) => {
		expect(await changesIn(list, settings)).toEqual([]);
	});

	it('hides a change of another page, even if query parameters are ignored', async () => {
		const [one, two] = [page('list?p=1', 'A'), page('list?p=2', 'B')];
		const list = [crawlOn(24, one, { ...two, markdown: 'C' }), crawlOn(23, one, two)];
		expect(await changesIn(list, { ignoreQuery: true })).toEqual([['changed', two.url, 'C']]);
	});

	it('is found in a list because of the rows of another list', async () => {
		const before = listsOn(23, { shop });
		expect(await changesIn([listsOn(24, { shop, blog }), before])).toEqual([['added', 'News']]);
	});

	it('is a change in a list without any of the columns', async () => {
		const runs = [24, 23].map((day) => listsOn(day, { shop, blog: [{ Title: `${day}` }] }));
		const columns = [{ column: 'Name', name: 'Name', type: 'text' }];
		expect(await changesIn(runs, { columns })).toEqual([]);
	});
});

it('a run is compared with a given good run if none of the latest runs has data', async () => {
	const list = [
		crawlOn(29, page('a', 'A')),
		...Array.from({ length: 25 }, (_, day) => crawlOn(28 - day, failed('a'))),
	];
	const good = crawlOn(2, page('a', 'B')).id;
	const server = serverWith(
		[...list, crawlOn(2, page('a', 'B'))].map((run) => ({
			...run,
			startedAt: run.startedAt?.toString().replace(/-(\d)T/, '-0$1T'),
		})),
	);
	const later = capturedOf(list[0] ?? runOn(1));
	expect(await runBefore(server, 'robot', later, {})).toBeUndefined();
	expect((await runBefore(server, 'robot', later, {}, { known: () => good }))?.run.id).toBe(good);
});

describe.each([
	[
		'the robot',
		async (runs: Runs, later: Captured, settings: ChangeSettings) =>
			await runBefore(runs, 'robot', later, settings),
	],
	[
		'the run that the node last returned',
		async (runs: Runs, later: Captured, settings: ChangeSettings) =>
			await knownRun(runs, 'robot', 'run23', later, { ...settings, mayBeEmpty: false }),
	],
] as const)('after a run that stopped early, for %s', (name, find) => {
	const row = (K: number, A: number) => ({ K, A });
	const [old, partial, young] = [
		listsOn(22, [row(1, 60), row(2, 9), row(3, 5)]),
		listsOn(23, [row(1, 40), row(2, 9)], { isPartial: true }),
		listsOn(24, [row(1, 40), row(2, 9), row(3, 5), row(4, 7)]),
	];
	const changes = async (list: Run[], settings: ChangeSettings = {}) => {
		const later = capturedOf(list[0] ?? runOn(1));
		const before = await find(serverWith(list), later, settings);
		const rest = async () => await Promise.resolve();
		const found = before ? await changesBetween(before, later, settings, rest, () => {}) : [];
		return found.map(({ change, row: { K } }) => [change, K]);
	};

	it('a change is found once', async () => {
		const key = { key: ['K'] };
		expect(await changes([partial, old], key)).toEqual(
			name === 'the robot' ? [['changed', 1]] : [],
		);
		expect(await changes([young, partial, old], key)).toEqual([['added', 4]]);
		expect(await changes([listsOn(24, [row(1, 40)]), partial, old], key)).toEqual([
			['removed', 2],
			['removed', 3],
		]);
	});

	it('without a key, only the row of the earlier run counts as removed', async () => {
		expect(await changes([young, partial, old])).toEqual([
			['added', 4],
			['removed', 1],
		]);
	});

	it('rows that no earlier run has reached do not count as added', async () => {
		const key = { key: ['K'] };
		expect(await changes([young, partial], key)).toEqual([]);
		expect(await changes([listsOn(24, [row(1, 30), row(3, 5)]), partial], key)).toEqual([
			['changed', 1],
			['removed', 2],
		]);
	});

	it('a list that it lacks comes from the previous run', async () => {
		const [shop, blog] = [[row(1, 1)], [row(2, 2)]];
		const list = [
			listsOn(24, { shop, blog: [row(2, 2), row(3, 3)] }),
			listsOn(23, { shop, blog: [] }),
			listsOn(22, { shop, blog }),
		];
		expect(await changes(list, { key: ['K'] })).toEqual([['added', 3]]);
	});
});

it('if the last returned run no longer exists, the last good run before it counts', async () => {
	const later = capturedOf(runOn(24));
	const server = serverWith([runOn(24), runOn(22)]);
	const gone = new MaxunFault('Run run23 was not found', '', { status: 404, isMaxuns: true });
	const get = async (id: string) =>
		id === 'run23' ? await Promise.reject(gone) : await server.get(id);
	const known = await knownRun({ ...server, get }, 'robot', 'run23', later, {
		mayBeEmpty: false,
	});
	expect(known?.run.id).toBe('run22');
});

import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { resting } from '../../nodes/Maxun/http/concurrency';
import { capturedOf } from '../../nodes/Maxun/results/captured';
import { problemsOf } from '../../nodes/Maxun/results/dataChecks';
import { outcomeOf } from '../../nodes/Maxun/results/outcome';
import type { ColumnCheck } from '../../nodes/Maxun/results/types';
import type { Run } from '../../nodes/Maxun/servers/entities';
import { randomFrom } from '../simulation/random.mts';

const row = (index: number): IDataObject => ({ Product: `Desk ${index}`, Price: `$${index + 1}` });
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));
const filled = (...columns: string[]) => ({
	columnChecks: columns.map((column) => ({ column, check: 'filled' as const, share: 90 })),
});

const atLeast = (minRows: number) => ({ minRows, columnChecks: [] });
const HALF = { mostFewer: 50, columnChecks: [] };

type Checks = Parameters<typeof problemsOf>[1];
const partsOf = (listData: IDataObject[]) =>
	capturedOf({ id: 'r', status: 'success', data: { listData } }).parts;

const found = (column: string, count: number, all: number) => [
	`'${column}' has a value in ${count} of ${all} rows, expected 90%`,
];
const OTHERS = [{ Product: 'x', Price: null }, { Product: 'y' }];
const MISSPELLED = "no column 'price'. The columns are 'Product', 'Price'";
const prices = (...all: Array<string | null>) => all.map((Price) => ({ Price }));

it.each<[string, IDataObject[], Checks, problems: string[], usual?: number]>([
	['enough rows', rows(3), atLeast(3), []],
	['too few rows', rows(1), atLeast(3), ['1 row, expected at least 3']],
	['filled columns', rows(3), filled('Product', 'Price'), []],
	['an empty column', [...prices(' '), { Product: 'a' }], filled('Price'), found('Price', 0, 2)],
	['a column in too few rows', [...rows(8), ...OTHERS], filled('Price'), found('Price', 8, 10)],
	['zero as a value', [{ Price: 0 }], filled('Price'), []],
	[
		'placeholders and what nobody sees',
		prices('N/A', '—', '\u200b', ' ', '5'),
		filled('Price'),
		found('Price', 1, 5),
	],
	['rows of only empty cells', prices('5', '', null), atLeast(2), ['1 row, expected at least 2']],
	['a misspelled column', rows(2), filled('price'), [MISSPELLED]],
	['no rows', [], filled('Price'), ["no rows, expected values in 'Price'"]],
	['a usual number', rows(5), HALF, [], 10],
	['fewer than half', rows(4), HALF, ['4 rows, expected at least 5 because 10 are usual'], 10],
	['no earlier runs', rows(1), HALF, []],
])(
	'a failed check says what was found and what was expected %s',
	async (_, given, checks, problems, usual) => {
		expect(await problemsOf(partsOf(given), checks, resting(), usual)).toEqual(problems);
	},
);

/** What can go wrong. Each function returns the last run's rows. Healthy runs have `usual` rows. */
const BREAKS: Record<string, (usual: number) => IDataObject[]> = {
	'one column is empty': (usual) => rows(usual).map((entry) => ({ ...entry, Price: '' })),
	'one column is gone': (usual) => rows(usual).map(({ Product }) => ({ Product })),
	'half of the rows are missing': (usual) => rows(Math.floor(usual / 2)),
	'there are no rows': () => [],
	'the page is blocked': () => [{ Product: 'Access denied' }],
};

/** A healthy robot's number of rows: about the same each time, or increasing. */
const HEALTHY: Record<string, (run: number, random: () => number) => number> = {
	'the same number': () => 40,
	'a varying number': (_, random) => 40 + Math.floor(random() * 12 - 6),
	growth: (run) => 40 + 8 * run,
	'a slow decrease': (run) => 60 - 2 * run,
	'few rows': (_, random) => 3 + Math.floor(random() * 2),
};

describe('30 histories of a robot', () => {
	const CHECKS = { ...filled('Product', 'Price'), mostFewer: 30, ifCheckFails: 'error' } as const;

	/** Checks each run of a history. @returns the runs that failed a check */
	async function alarmsOf(history: IDataObject[][]): Promise<number[]> {
		const runs = history.map(
			(listData, index): Run => ({
				id: String(index),
				robotId: 'robot',
				status: 'success',
				startedAt: new Date(Date.UTC(2026, 0, index + 1)).toISOString(),
				data: { listData },
			}),
		);
		const alarms: number[] = [];
		for (const [index, run] of runs.entries()) {
			const list = async (_: unknown, __: unknown, limit: number) =>
				await Promise.resolve(
					runs
						.slice(0, index + 1)
						.reverse()
						.slice(0, limit),
				);
			const get = async (id: string) => await Promise.resolve(runs[Number(id)]);
			const reader = { maxun: { runs: { list, get } }, usual: new Map(), hint: () => undefined };
			const settings = { output: 'rows', dataChecks: CHECKS } as const;
			const { fault } = await outcomeOf(Object(reader), capturedOf(run), settings);
			if (fault) alarms.push(index);
		}
		return alarms;
	}

	const random = randomFrom(41);
	const healthy = (count: (run: number, random: () => number) => number) =>
		Array.from({ length: 10 }, (_, run) => rows(count(run, random)));
	const histories = Object.entries(HEALTHY).flatMap(([name, count]) => [
		{ name, history: healthy(count), isBroken: false },
		...Object.entries(BREAKS).map(([broken, make]) => {
			const before = healthy(count);
			const last = make(before.at(-1)?.length ?? 0);
			return { name: `${name}, then ${broken}`, history: [...before, last], isBroken: true };
		}),
	]);

	it('every failure is found, and at most one run of a healthy robot causes an alarm', async () => {
		expect(histories).toHaveLength(30);
		const found = await Promise.all(
			histories.map(async ({ name, history, isBroken }) => {
				const alarms = await alarmsOf(history);
				const isMissed = isBroken && !alarms.includes(history.length - 1);
				const wrong = alarms.filter((index) => !isBroken || index < history.length - 1);
				return { name, isMissed, wrong };
			}),
		);
		expect(found.filter(({ isMissed }) => isMissed)).toEqual([]);
		expect(found.flatMap(({ wrong }) => wrong).length).toBeLessThanOrEqual(1);
	});
});

type Cells = Array<string | number>;

describe('checks of columns', () => {
	const problemsIn = (rows: IDataObject[], columnChecks: ColumnCheck[], before: IDataObject[]) =>
		problemsOf(partsOf(rows), { columnChecks }, resting(), undefined, { former: partsOf(before) });
	const of = (check: ColumnCheck['check'], value?: number, share?: number) => ({
		...{ column: 'A', check, value, share },
	});

	const CHANGES = of('changesBy', 10);
	const TOO_MUCH = "the median of 'A' is 120, expected at most 10% more or less than 100";

	it.each<[string, Cells, ColumnCheck, problem: string, Cells?]>([
		['prices', ['$5.00', '1.249,00 €', 7, ''], of('number'), ''],
		['texts', ['$5', 'Oak', 'Elm'], of('number'), "'A' is a number in 1 of 3 rows"],
		['few texts', ['$5', '$6', '$7', 'Sold out'], of('number', undefined, 75), ''],
		['dates', ['03/04/2026', '2026-05-01', '3 hours ago'], of('date'), ''],
		['no dates', ['Oak', '2026-05-01'], of('date'), "'A' is a date in 1 of 2 rows"],
		['links', ['/p/1', 'https://a.example/b'], of('link'), ''],
		['no links', ['Oak desk', '/p/1'], of('link'), "'A' is a link in 1 of 2 rows"],
		['limits', ['$0.50', 5], of('atLeast', 0.5), ''],
		['below a limit', ['$0.49', 5], of('atLeast', 0.5), "'A' is at least 0.5 in 1 of 2 rows"],
		['above a limit', ['$9', 5], of('atMost', 5), "'A' is at most 5 in 1 of 2 rows"],
		['no own value', ['a', 'b', 'a'], of('unique'), "'A' has its own value in 2 of 3 rows"],
		['a small change', ['$110', '$90', '$105'], CHANGES, '', ['$100']],
		['a large change', ['$120', '$130', '$1'], CHANGES, TOO_MUCH, ['$100']],
		['no number', ['Oak'], CHANGES, "'A' should be about 100, but has no number", ['$100']],
		['no earlier run', ['$5'], CHANGES, ''],
	])('%s', async (_, values, check, problem, before = []) => {
		const expected = problem.replace(/ rows$/, ' rows, expected 100%');
		const rowsOf = (cells: Cells) => cells.map((A) => ({ A }));
		const problems = await problemsIn(rowsOf(values), [check], rowsOf(before));
		expect(problems).toEqual(expected ? [expected] : []);
	});

	const random = randomFrom(7);
	const between = (from: number, to: number) => from + random() * (to - from);

	/** A shop: some products are sold out, some have no old price, and prices move by a few percent. */
	const shop = (): IDataObject[] =>
		Array.from({ length: 24 + Math.floor(between(0, 3)) }, (_, index) => {
			const price = (40 + 31 * index) * between(0.96, 1.04);
			return {
				Name: `Desk ${index}`,
				Brand: ['Oak & Co', 'Elm'][index % 2],
				Link: `/desks/${index}`,
				Image: `https://cdn.example/${index % 3}.jpg`,
				Price: random() < 0.05 ? 'Sold out' : `$${price.toFixed(2)}`,
				'Old price': random() < 0.3 ? '' : `$${(price * 1.4).toFixed(2)}`,
				Shipping: '$5.90',
				Rating: between(3.5, 5).toFixed(1),
				Reviews: `(${Math.floor(between(80, 220))})`,
				Date: `${1 + Math.floor(between(0, 28))} Nov 2026`,
			};
		});
	const CHECKS: ColumnCheck[] = [
		{ column: 'Name', check: 'unique', share: 90 },
		{ column: 'Link', check: 'link', share: 90 },
		{ column: 'Link', check: 'unique', share: 90 },
		{ column: 'Price', check: 'number', share: 75 },
		{ column: 'Price', check: 'atLeast', value: 20, share: 75 },
		{ column: 'Price', check: 'changesBy', value: 25 },
		{ column: 'Rating', check: 'atMost', value: 5, share: 90 },
		{ column: 'Rating', check: 'changesBy', value: 25 },
		{ column: 'Date', check: 'date', share: 90 },
	];
	it('find at least 38 of 40 selectors that slip to a neighbor, with at most 4 of 400 false alarms', async () => {
		const columns = Object.keys(shop()[0] ?? {});
		const slips = ['Name', 'Link', 'Price', 'Rating', 'Date']
			.flatMap((column) =>
				columns.filter((other) => other !== column).map((other) => [column, other] as const),
			)
			.filter(
				([column, other]) =>
					!(column === 'Name' && ['Link', 'Price', 'Old price', 'Date', 'Rating'].includes(other)),
			);
		expect(slips).toHaveLength(40);
		const missed: string[] = [];
		for (const [column, other] of slips) {
			const slipped = shop().map((row) => ({ ...row, [column]: row[other] }));
			const found = await problemsIn(slipped, CHECKS, shop());
			if (found.length === 0) missed.push(`${column} and ${other}`);
		}
		expect(missed.length, missed.join('; ')).toBeLessThanOrEqual(2);
		let before = shop();
		const alarms: string[] = [];
		for (let run = 0; run < 400; run++) {
			const now = shop();
			alarms.push(...(await problemsIn(now, CHECKS, before)));
			before = now;
		}
		expect(alarms.length, alarms.join('; ')).toBeLessThanOrEqual(4);
	});
});

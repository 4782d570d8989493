import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { resting } from '../../nodes/Maxun/http/concurrency';
import { capturedOf } from '../../nodes/Maxun/results/captured';
import { problemsOf } from '../../nodes/Maxun/results/dataChecks';
import { outcomeOf } from '../../nodes/Maxun/results/outcome';
import type { Run } from '../../nodes/Maxun/servers/entities';
import { randomFrom } from '../simulation/random.mts';

const row = (index: number): IDataObject => ({ Product: `Desk ${index}`, Price: `$${index + 1}` });
const rows = (count: number) => Array.from({ length: count }, (_, index) => row(index));
const filled = (...columns: string[]) => ({
	filledColumns: columns.map((column) => ({ column, share: 90 })),
});

const atLeast = (minRows: number) => ({ minRows, filledColumns: [] });
const HALF = { mostFewer: 50, filledColumns: [] };

type Checks = Parameters<typeof problemsOf>[1];

it.each<[string, IDataObject[], Checks, problems: string[], usual?: number]>([
	['enough rows', rows(3), atLeast(3), []],
	['too few rows', rows(1), atLeast(3), ['1 row, expected at least 3']],
	['filled columns', rows(3), filled('Product', 'Price'), []],
	[
		'an empty column',
		rows(4).map((entry) => ({ ...entry, Price: ' ' })),
		filled('Price'),
		["'Price' has a value in 0 of 4 rows, expected 90%"],
	],
	[
		'a column in too few rows',
		[...rows(8), { Product: 'x', Price: null }, { Product: 'y' }],
		filled('Price'),
		["'Price' has a value in 8 of 10 rows, expected 90%"],
	],
	['zero as a value', [{ Price: 0 }], filled('Price'), []],
	[
		'placeholders and what nobody sees',
		['N/A', '—', '\u200b', ' ', '5'].map((Price) => ({ Price })),
		filled('Price'),
		["'Price' has a value in 1 of 5 rows, expected 90%"],
	],
	[
		'rows of only empty cells',
		[{ Price: '5' }, { Price: '' }, { Price: null }],
		atLeast(2),
		['1 row, expected at least 2'],
	],
	[
		'a misspelled column',
		rows(2),
		filled('price'),
		["no column 'price'. There are 'Product', 'Price'"],
	],
	['no rows', [], filled('Price'), ["no rows, expected values in 'Price'"]],
	['a usual number', rows(5), HALF, [], 10],
	['fewer than half', rows(4), HALF, ['4 rows, expected at least 5 because 10 are usual'], 10],
	['no earlier runs', rows(1), HALF, []],
])(
	'a failed check says what was found and what was expected %s',
	async (_, given, checks, problems, usual) => {
		const parts = capturedOf({ id: 'r', status: 'success', data: { listData: given } }).parts;
		expect(await problemsOf(parts, checks, resting(), usual)).toEqual(problems);
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

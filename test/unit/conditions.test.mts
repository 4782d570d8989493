import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { describe, expect, it } from 'vitest';
import { changedRows } from '../../nodes/Maxun/results/changeOutput';
import { capturedOf } from '../../nodes/Maxun/results/captured';
import { changesBetween, type ComparisonSettings } from '../../nodes/Maxun/results/comparison';
import { conditionProblem, type Condition } from '../../nodes/Maxun/results/conditions';
import { robotWith } from './robotWith.mts';

const rest = async () => await Promise.resolve();
const runWith = (data: IDataObject, startedAt = '2026-11-23T10:00:00.000Z') =>
	capturedOf({ id: 'run', status: 'success', startedAt, data });
const listed = (...listData: IDataObject[]) => ({ listData });

const columnsOf = (...names: string[]) =>
	names.map((name) => ({ column: name, name, type: 'number' as const }));

/** The items of the changes that meet the settings' conditions, and the hints. */
async function itemsBetween(
	before: IDataObject,
	after: IDataObject,
	settings: ComparisonSettings,
	dates: [string?, string?] = [],
) {
	const hints: string[] = [];
	const hint = (
		message: string,
		...[, subject = '', { example = '' } = {}]: [number?, string?, { example?: string }?]
	) => hints.push([message, subject, example].filter(Boolean).join(' | '));
	const runs = [runWith(before, dates[0]), runWith(after, dates[1])] as const;
	const changes = await changesBetween(...runs, settings, rest, hint);
	return { items: await changedRows(changes, settings, rest), hints };
}

const only = (condition: Condition['condition'], value?: string, column = 'A'): Condition => ({
	condition,
	column: column || undefined,
	value,
});

/** Whether a row's column that changes from one value to another meets a condition. */
async function isMet(given: Condition, before: unknown, after: unknown) {
	const row = (A: unknown, more: string) => ({ Key: 1, A, Counter: more }) as IDataObject;
	const settings = { key: ['Key'], onlyIf: [given] };
	const { items } = await itemsBetween(listed(row(before, 'x')), listed(row(after, 'y')), settings);
	return items.length === 1;
}

describe('a condition', () => {
	it.each<[Condition, unknown, unknown, boolean]>([
		[only('fallsBelow', '50'), '$50.00', '$49.99', true],
		[only('fallsBelow', '50'), '$60', '$50', false],
		[only('fallsBelow', '50'), '$49', '$48', false],
		[only('fallsBelow', '50'), 'n/a', '$48', false],
		[only('fallsBelow', '1300'), '1.399,00 €', '1.249,00 €', true],
		[only('fallsBelow', '2'), '1,249 €', '1,19 €', false], // Both numbers are in liters and show a decimal comma.
		[only('risesAbove', '50'), '50', '50.5', true],
		[only('risesAbove', '50'), '51', '52', false],
		[only('isBelow', '50'), '49', '48', true],
		[only('isBelow', '50'), '49', 'Sold out', false],
		[only('isAbove', '50'), '49', '51', true],
		[only('isAbove', '0'), null, '1', true],
		[only('fallsBelow', '2026-12-01'), 'December 3, 2026', 'November 30, 2026', true],
		[only('isAbove', '2026-12-01'), '2026-11-30', '2026-12-01T08:00', true],
		[only('fallsBy', '10'), '60', '50', true],
		[only('fallsBy', '10'), '60', '50.01', false],
		[only('fallsBy', '10%'), '60', '54', true],
		[only('fallsBy', '10%'), '60', '54.01', false],
		[only('fallsBy', '10'), '50', '60', false],
		[only('risesBy', '10 %'), '-10', '-9', true],
		[only('risesBy', '10%'), '0', '9', false],
		[only('risesBy', '0.1'), '0.2', '0.3', true],
		[only('fallsBy', '0.01'), '200', '199.99', true],
		[only('fallsBy', '0.1'), '1249', '1248.9', true],
		[only('risesBy', '0.0000001'), '0.0000001', '0.0000002', true],
		[only('fallsBy', '0.02'), '200', '199.99', false],
		[only('fallsBelow', '50'), '$60', '45 €', false],
		[only('fallsBelow', '50'), '$60', 'US$45', true],
		[only('fallsBelow', '50'), '60 €', 'EUR 45', true],
		[only('fallsBelow', '50'), '60 €', '45', true],
		[only('isBelow', '50'), 'A$60', 'C$45', false],
		[only('isBelow', '50'), '60 %', '$45', false],
		[only('fallsBelow', '5000'), '6.000,00 €', '499,00 zł', false],
		[only('contains', 'null', ''), null, null, false],
		[only('contains', 'null', ''), 'a', { b: null, c: [null] }, false],
		[only('contains', 'null'), 'a', { b: null }, false],
		[only('contains', 'b', ''), 'a', { b: 'c' }, false],
		[only('contains', 'c'), 'a', { b: ['c'] }, true],
		[only('changesBy', '10'), '50', '40', true],
		[only('changesBy', '10'), '40', '50', true],
		[only('changesBy', '7'), '3 Dec 2026', '10 Dec 2026', true],
		[only('changesBy', '8'), '3 Dec 2026', '10 Dec 2026', false],
		[only('becomes', 'in stock'), 'Sold out', ' In  Stock', true],
		[only('becomes', 'in stock'), 'In stock', 'In stock', false],
		[only('isNoLonger', 'in stock'), 'In stock', '', true],
		[only('isNoLonger', 'in stock'), 'Sold out', 'Ordered', false],
		[only('contains', 'stock'), 'In stock', '3 in Stock', true],
		[only('doesNotContain', 'stock'), 'In stock', null, true],
		[only('nowContains', 'stock'), 'Sold out', 'In stock', true],
		[only('nowContains', 'stock'), 'In stock', '3 in stock', false],
		[only('noLongerContains', 'stock'), 'In stock', 'Sold out', true],
		[only('noLongerContains', 'stock'), 'Sold out', 'Ordered', false],
		[only('hasChanged'), 'a', 'b', true],
		[only('hasChanged'), 'a', ' a', false],
		[only('hasChanged', undefined, ''), 'a', 'a', true],
		[only('contains', 'STOCK', ''), 'a', 'stock', true],
		[only('contains', 'counter', ''), 'a', 'b', false],
		[only('isNew', undefined, ''), 'a', 'b', false],
	])('%j on %j, which becomes %j: %s', async (given, before, after, expected) => {
		expect(await isMet(given, before, after)).toBe(expected);
	});

	it.each([
		['with a condition', { onlyIf: [only('hasChanged'), only('fallsBelow', '50')] }],
		['of the type Number', { columns: columnsOf('A', 'K') }],
	])('a number %s whose currency has changed has no difference', async (_, more) => {
		const settings = { key: ['K'], matchConditions: 'any' as const, ...more };
		const [before, after] = [listed({ K: 1, A: '$60' }), listed({ K: 1, A: '60 €' })];
		const { items, hints } = await itemsBetween(before, after, settings);
		expect(items).toEqual([
			expect.objectContaining({
				change: 'changed',
				difference: { A: null },
				differencePercent: { A: null },
				currencyChanged: ['A'],
			}),
		]);
		expect(hints).toEqual([expect.stringMatching(/currency or unit.*'A'/)]);
		expect((await itemsBetween(before, before, settings)).items).toEqual([]);
	});

	const [old, young] = [listed({ K: 1, A: '40' }), listed({ K: 2, A: '40' })];
	it.each<[Condition, string[]]>([
		[only('isNew', undefined, ''), ['added']],
		[only('isGone', undefined, ''), ['removed']],
		[only('isBelow', '50'), ['added']],
		[only('fallsBelow', '50'), []],
		[only('doesNotContain', '5'), ['added']],
		[only('becomes', '40'), []],
	])('%j for a new row and a removed row: %s', async (given, expected) => {
		const { items } = await itemsBetween(old, young, { key: ['K'], onlyIf: [given] });
		expect(items.map(({ change }) => change)).toEqual(expected);
	});

	it.each([
		['all', []],
		['any', ['changed']],
	] as const)(
		'with another condition: %s of them must be met',
		async (matchConditions, expected) => {
			const onlyIf = [only('fallsBelow', '50'), only('isBelow', '5')];
			const settings = { key: ['K'], onlyIf, matchConditions };
			const [before, after] = [listed({ K: 1, A: '60' }), listed({ K: 1, A: '40' })];
			const { items } = await itemsBetween(before, after, settings);
			expect(items.map(({ change }) => change)).toEqual(expected);
		},
	);

	it('on the text of a page', async () => {
		const page = (markdown: string) => ({ crawlData: [{ url: 'https://a.example', markdown }] });
		const [before, after] = [page('# Desk\nSold out'), page('# Desk\nIn stock')];
		const meets = async (condition: Condition['condition']) => {
			const settings = { onlyIf: [only(condition, 'sold out', '')] };
			return (await itemsBetween(before, after, settings)).items.length;
		};
		expect(await meets('noLongerContains')).toBe(1);
		expect(await meets('contains')).toBe(0);
	});

	it('on a column of another list does not apply to a row', async () => {
		const data = (A: string, B: string) => ({
			listData: { one: [{ K: 1, A }], two: [{ K: 1, B }] },
		});
		const settings = { key: ['K'], onlyIf: [only('doesNotContain', 'x')] };
		const { items } = await itemsBetween(data('a', 'a'), data('b', 'b'), settings);
		expect(items).toMatchObject([{ A: 'b' }]);
	});

	it('reads a relative date from the time of its run', async () => {
		const days = ['2026-11-23T10:00:00.000Z', '2026-11-25T10:00:00.000Z'] as [string, string];
		const data = (A: string, B: number) => listed({ K: 1, A, B });
		const settings = { key: ['K'], onlyIf: [only('changesBy', '1')] };
		const met = async (after: string) =>
			(await itemsBetween(data('2 days ago', 1), data(after, 2), settings, days)).items.length;
		expect([await met('4 days ago'), await met('yesterday')]).toEqual([0, 1]);
	});
});

it('differences are added for numbers, under the names in the output', async () => {
	const data = (Price: string, Stock: number, Name: string) =>
		listed({ Id: 1, Price, Stock, Name });
	const { items } = await itemsBetween(data('$59.99', 0, 'a1'), data('$49.98', 5, 'a2'), {
		key: ['Id'],
		onlyIf: [only('fallsBelow', '50', 'Price')],
		columns: [
			{ column: 'Price', name: 'cost', type: 'text' },
			{ column: 'Stock', name: 'Stock', type: 'number' },
			{ column: 'Name', name: 'Name', type: 'text' },
		],
	});
	expect(items).toEqual([
		{
			cost: '$49.98',
			Stock: 5,
			Name: 'a2',
			change: 'changed',
			before: { cost: '$59.99', Stock: 0, Name: 'a1' },
			difference: { cost: -10.01, Stock: 5 },
			differencePercent: { cost: -16.69, Stock: null },
		},
	]);
});

describe('what a condition cannot read', () => {
	const key = ['K'];
	it('causes a hint', async () => {
		const { hints } = await itemsBetween(
			listed({ K: 1, A: '60' }, { K: 2, A: 'Call us' }),
			listed({ K: 1, A: '40' }, { K: 2, A: 'Call us' }),
			{ key, onlyIf: [only('fallsBelow', '50')] },
		);
		expect(hints).toEqual([
			expect.stringMatching(/^'Only If': Some values are not numbers.*'A' \| Call us$/),
		]);
	});

	it.each<[string, ComparisonSettings, string]>([
		[
			'an unknown column',
			{ key, onlyIf: [only('hasChanged', undefined, 'B')] },
			"'Only If' column 'B'",
		],
		['no key', { onlyIf: [only('fallsBelow', '50')] }, 'which row is the same'],
	])('causes an error: %s', async (_, settings, message) => {
		const comparing = itemsBetween(listed({ K: 1, A: '60' }), listed({ K: 1, A: '40' }), settings);
		await expect(comparing).rejects.toThrow(message);
	});

	it.each<[Condition, string | undefined]>([
		[only('fallsBelow', 'cheap'), 'value'],
		[only('fallsBelow', '49,99'), 'value'],
		[only('fallsBelow', '50', ''), 'column'],
		[only('fallsBelow', '2026-12-31'), undefined],
		[only('isBelow', '-5.5'), undefined],
		[only('fallsBy', '0'), 'value'],
		[only('fallsBy', '-5%'), 'value'],
		[only('fallsBy', '5 %'), undefined],
		[only('becomes', 'x', ''), 'column'],
		[only('nowContains', 'x', ''), undefined],
		[only('hasChanged', undefined, ''), undefined],
	])('is rejected in the form: %j, %s', (given, field) => {
		expect(conditionProblem(given)?.[0]).toBe(field);
	});
});

/** To test more series, set `CHANGES_RUNS=10000`. */
const numRuns = Number(process.env.CHANGES_RUNS ?? 300);

describe('in a series of runs', () => {
	const price = fc.integer({ min: 470, max: 530 }).map((tenths) => tenths / 10);
	const written = fc.constantFrom<(value: number) => unknown>(
		(value) => value,
		(value) => `$${value.toFixed(2)}`,
		(value) => `${value.toFixed(2).replace('.', ',')} €`,
	);

	it('each crossing is exactly one change', async () => {
		await fc.assert(
			fc.asyncProperty(fc.array(price, { maxLength: 10 }), written, async (prices, form) => {
				const rows = prices.map((value) => listed({ K: 1, A: form(value) as string }));
				for (const [condition, isOver] of [
					['fallsBelow', (value: number) => value < 50],
					['risesAbove', (value: number) => value > 50],
				] as const) {
					for (const [index, row] of rows.slice(1).entries()) {
						const settings = { key: ['K'], onlyIf: [only(condition, '50')] };
						const { items } = await itemsBetween(rows[index] ?? {}, row, settings);
						const isCrossing = !isOver(prices[index] ?? 0) && isOver(prices[index + 1] ?? 0);
						expect(items).toHaveLength(isCrossing ? 1 : 0);
					}
				}
			}),
			{ numRuns },
		);
	}, 600_000);

	/** Runs with these values, in order. @returns the run of each change */
	async function series(values: Array<number | string>, settings: ComparisonSettings) {
		const robot = robotWith(
			values.map((A) =>
				listed({ K: 'other' }, ...(A === '' ? [{ K: 1, B: 2 }] : [{ K: 1, A, B: 2 }])),
			),
		);
		const found: number[] = [];
		for (const run of values.keys())
			found.push(...(await robot.check(run, settings)).changes.map(() => run));
		return found;
	}

	it.each<[string, Array<number | ''>, Condition[], number[]]>([
		['missing once', [60, '', 60, 60], [], []],
		['missing twice', [60, '', '', 60], [], [2, 3]],
		['missing at a crossing', [60, '', 40, 40], [only('fallsBelow', '50')], [2]],
		['missing after a crossing', [60, 40, '', 40, 60, 40], [only('fallsBelow', '50')], [1, 5]],
	])('a value is %s', async (_, values, onlyIf, expected) => {
		expect(await series(values, { key: ['K'], missingOnce: true, onlyIf })).toEqual(expected);
	});

	it('a number is compared with the last known number, also without a condition', async () => {
		const robot = robotWith(['$60', 'Sold out', '$40'].map((A) => listed({ K: 1, A })));
		const settings = { key: ['K'], columns: columnsOf('K', 'A') };
		const { changes } = await robot.check(2, settings);
		expect(await changedRows(changes, settings, rest)).toMatchObject([
			{ A: 40, before: { A: null }, difference: { A: -20 } },
		]);
	});

	it('rows with the same key are not compared with each other', async () => {
		const robot = robotWith(
			['$60', 'Sold out', '$55'].map((price, day) =>
				listed({ K: 1, A: '$20' }, { K: 1, A: price }, { K: '', A: day === 1 ? '–' : '$70' }),
			),
		);
		const settings = { key: ['K'], onlyIf: [only('changesBy', '1')] };
		expect((await robot.check(2, settings)).changes).toEqual([]);
	});

	const columns = [{ column: 'A', name: 'cost', type: 'number' as const }];
	it.each<[Array<number | string>, Condition, number[]]>([
		[['$60', 'Sold out', '$45', '$44'], only('fallsBelow', '50'), [2]],
		[['$60', '–', '', 'Sold out', '$45', '', '$44'], only('fallsBelow', '50'), [4]],
		[['$60', '$45', 'Sold out', '$44', 'Sold out', '$55'], only('fallsBelow', '50'), [1]],
		[['$45', 'Sold out', '$55'], only('risesAbove', '50'), [2]],
		[['$60', 'Sold out', '$54'], only('fallsBy', '10%'), [2]],
		[['$60', 'Sold out', '$55'], only('fallsBy', '10%'), []],
		[['$60', 'Sold out', '45 €'], only('fallsBelow', '50'), []],
		[['Sold out', '$45'], only('fallsBelow', '50'), []],
		[['$60', 'Sold out', '$45'], only('isNoLonger', 'Sold out'), [2]],
	])('%j is compared with the last number: %j', async (values, given, expected) => {
		const settings = { key: ['K'], onlyIf: [given] };
		expect(await series(values, settings)).toEqual(expected);
		expect(await series(values, { ...settings, columns, keepOtherColumns: true })).toEqual(
			expected,
		);
	});
});

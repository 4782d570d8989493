import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numbersOf } from '../../nodes/Maxun/results/numbers';

/** The columns in `numbers.txt`, with what each text is read as. */
const COLUMNS = readFileSync(new URL('./numbers.txt', import.meta.url), 'utf8')
	.split('\n')
	.filter((line) => line && !line.startsWith('#'))
	.map((line) => {
		const [, name = '', cells = ''] = /^(.*?): (.*)$/.exec(line) ?? [];
		return { name, cells: cells.split(' | ').map(cellOf) };
	});

function cellOf(written: string): [text: string, number: number | null] {
	const [text = '', number = ''] = written.split(' => ');
	return [text.replaceAll('_', '\u00a0').replaceAll('⏎', '\n'), JSON.parse(number)];
}

const read = (texts: unknown[], format: 'automatic' | 'point' | 'comma' = 'automatic') =>
	numbersOf(texts, format).numbers;

describe('numbers as pages write them', () => {
	it.each(COLUMNS)('in the column $name', ({ cells }) => {
		const numbers = read(cells.map(([text]) => text));
		expect(cells.map(([text], index) => [text, numbers[index]])).toEqual(cells);
	});

	it('at most 2 % of the prices in shops are null', () => {
		const shops = COLUMNS.filter(({ name }) => name.startsWith('shop'));
		const prices = shops.flatMap(({ cells }) => cells).filter(([text]) => /\d/.test(text));
		const unread = prices.filter(([, number]) => number === null);
		expect(prices.length).toBeGreaterThan(200);
		expect(unread.length / prices.length).toBeLessThanOrEqual(0.02);
	});

	const significant = (text: string) => text.replace(/\D/g, '').replace(/^0+|0+$/g, '');

	it('a letter or digit next to a number gives the same number, a number with all digits, or null', () => {
		const places = COLUMNS.flatMap(({ cells }) =>
			cells.flatMap(([text, number], index) =>
				number !== null && /^\D*[\d.,'’\s]+\D*$/.test(text) ? { cells, index } : [],
			),
		);
		// Without letters for magnitudes, such as k.
		const added = fc.constantFrom(...'0123456789acdefghijnopqsuvwxyzACDEFGHIJNOPQSUVWXYZßøжя人');
		fc.assert(
			fc.property(
				fc.constantFrom(...places),
				added,
				fc.boolean(),
				({ cells, index }, sign, isBefore) => {
					const [text, number] = cells[index] ?? ['', 0];
					const changed = text.replace(/\d(?:.*\d)?/s, (all) =>
						isBefore ? sign + all : all + sign,
					);
					const numbers = read(cells.map(([other], place) => (place === index ? changed : other)));
					const [now] = [numbers[index]];
					if (now === null || now === number) return;
					expect([changed, significant(String(now))]).toEqual([changed, significant(changed)]);
				},
			),
			{ numRuns: 3000 },
		);
	});

	it('any text gives a finite number or null', () => {
		fc.assert(
			fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
				for (const number of read(texts)) expect(number ?? 0).toSatisfy(Number.isFinite);
			}),
		);
	});

	it('numbers are kept, and other values are null', () => {
		expect(read([12.5, NaN, true, null, undefined, {}])).toEqual([
			12.5,
			null,
			null,
			null,
			null,
			null,
		]);
	});
});

describe("a column's format", () => {
	it.each([
		['1.249', 'point', 1.249],
		['1,249', 'comma', 1.249],
		['1.249', 'comma', 1249],
		['1,249', 'point', 1249],
		['12,5', 'point', null],
		['$1.005k', 'point', 1005],
	] as const)('%j with the format %s is %j', (text, format, expected) => {
		expect(read([text], format)).toEqual([expected]);
	});

	it.each([
		[['1.249', '899'], true],
		[['1.249', '12.50'], false],
		[['12', '899'], false],
		[['1,249.00', '12,5', '1.249'], false],
	])('is guessed if no value is clear: %j', (texts, expected) => {
		expect(numbersOf(texts, 'automatic').isGuess).toBe(expected);
	});

	it('every column of money is read as it was written, in any language', () => {
		const amounts = fc.array(fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }), {
			minLength: 1,
		});
		const locales = fc.constantFrom('en-US', 'de-DE', 'fr-FR', 'de-CH', 'en-IN', 'ja-JP', 'pt-BR');
		fc.assert(
			fc.property(amounts, locales, fc.integer({ min: 2, max: 3 }), (cents, locale, digits) => {
				const format = new Intl.NumberFormat(locale, {
					style: 'currency',
					currency: 'EUR',
					minimumFractionDigits: digits,
				});
				const numbers = cents.map((amount) => amount / 10 ** digits);
				// One value must be clear, because three decimals may be thousands.
				const texts = [0.125, ...numbers].map((number) => format.format(number));
				expect(read(texts).slice(1)).toEqual(numbers.map((number) => number || 0));
			}),
		);
	});
});

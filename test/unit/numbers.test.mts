import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberOf, readingOf } from '../../nodes/Maxun/results/numbers';

it.each([
	['$1,249.00', 1249],
	['1.249,00 €', 1249],
	['1,249', 1249],
	['1.249', 1249],
	['12.5', 12.5],
	['0.125', 0.125],
	['1,249,000', 1_249_000],
	["1'249.50", 1249.5],
	['1 249,50', 1249.5],
	['１，２４９．５０', 1249.5],
	['12 in stock', 12],
	['12 kg', 12],
	['5 m', 5],
	['3,5 t', 3.5],
	['-3.50', -3.5],
	['−3,5 %', -3.5],
	['- $4', -4],
	['(12.00)', -12],
	['($1,249)', -1249],
	['(1,249)', 1249],
	['Price – €12.50', 12.5],
	['In stock - 12', 12],
	['Balance: -€12.50', -12.5],
	['$-5.00', -5],
	['5.00-', -5],
	['12,-', 12],
	['$.99', 0.99],
	['.5', 0.5],
	['No.5', 5],
	['₹1,00,000.00', 100_000],
	['12,34,567', 1_234_567],
	['1\u2009249\u2009000,50', 1_249_000.5],
	['1\u00a0249', 1249],
	['LS-0042', 42],
	['From $12.99', 12.99],
	['ab 1.249,00 €', 1249],
	['3 to 5 days', null],
	['$10 – $15', null],
	['$20 (now $15)', null],
	['12/11/2026', null],
	['Sold out', null],
	['1,2,34.5', null],
	['1½ cups', null],
	['', null],
])('%j is the number %j', (text, expected) => {
	expect(numberOf(text, 'automatic')).toBe(expected);
});

it.each([
	['1.2k', 1200],
	['120K', 120_000],
	['1.2M', 1_200_000],
	['$1.5B', 1_500_000_000],
	['$1.5bn', 1_500_000_000],
	['$2T', 2_000_000_000_000],
	['10k+', 10_000],
	['1.2K views', 1200],
	['3.4 M subscribers', 3_400_000],
	['1,2 M d’abonnés', 1_200_000],
	['€5m', 5_000_000],
	['12 k€', 12_000],
	['5 MEUR', 5_000_000],
	['3 Mio. €', 3_000_000],
	['2,5 Mrd. €', 2_500_000_000],
	['12 Tsd.', 12_000],
	['1,5 million', 1_500_000],
	['4.5万', 45_000],
	['3億円', 300_000_000],
	['2.5 lakh', 250_000],
	['₹5 Cr', 50_000_000],
	['₹12.5 L', 1_250_000],
	['5L', 5],
	['5千克', 5],
	['24K gold', null],
	['5m', null],
	['5b', null],
	['5T', null],
	['$5t', null],
	['1,200 Cr', null],
	['12 mil seguidores', null],
	['3 Bio. €', null],
	['2 Billionen Euro', null],
])('%j has a magnitude: %j', (text, expected) => {
	expect(numberOf(text, 'automatic')).toBe(expected);
});

it.each([
	['4.5 out of 5', 4.5],
	['4,5 von 5 Sternen', 4.5],
	['4.5 out of 5 stars (1,231 ratings)', 4.5],
	['3.9/5', 3.9],
	['8 / 10', 8],
	['4.5 (231)', 4.5],
	['5つ星のうち4.3', 4.3],
	['$12 / 100 g', 12],
	['$12.00 ($1.20 / 100 g)', 12],
	['3/7', null],
])('%j is a rating or a price per unit: %j', (text, expected) => {
	expect(numberOf(text, 'automatic')).toBe(expected);
});

it.each([
	['1.249', 'point', 1.249],
	['1,249', 'comma', 1.249],
	['1.249', 'comma', 1249],
	['1,249', 'point', 1249],
	['12,5', 'point', null],
	['1,249', 'mixed', null],
	['12,5', 'mixed', 12.5],
	['1.005k', 'point', 1005],
] as const)('%j with the format %s is %j', (text, format, expected) => {
	expect(numberOf(text, format)).toBe(expected);
});

describe("a column's format", () => {
	const read = (texts: string[]) => texts.map((text) => numberOf(text, readingOf(texts).reading));

	it.each([
		[
			['0.925', '1.0853', '1.085', '12.50', '1.249'],
			[0.925, 1.0853, 1.085, 12.5, 1.249],
		],
		[
			['1.249', '899,50 €'],
			[1249, 899.5],
		],
		[
			['1.249', '1.249.000'],
			[1249, 1_249_000],
		],
		[
			['1,249', '899.50'],
			[1249, 899.5],
		],
		[
			['1.249', 'Sold out', '899'],
			[1249, null, 899],
		],
		[
			['1,249.00', '12,5', '1.249'],
			[1249, 12.5, null],
		],
	])('one clear value decides the format of all values: %j', (texts, expected) => {
		expect(read(texts)).toEqual(expected);
	});

	it.each([
		[['1.249', '899'], true],
		[['1.249', '12.50'], false],
		[['12', '899'], false],
		[['1,249.00', '12,5', '1.249'], false],
	])('the format is guessed if no value is clear: %j', (texts, expected) => {
		expect(readingOf(texts).isGuess).toBe(expected);
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

it('any text gives a finite number or null', () => {
	fc.assert(
		fc.property(fc.string({ unit: 'grapheme' }), (text) => {
			const number = numberOf(text, readingOf([text]).reading);
			expect(number === null || Number.isFinite(number)).toBe(true);
		}),
	);
});

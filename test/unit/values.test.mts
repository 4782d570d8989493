import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOf, flagOf, linkOf, numberOf } from '../../nodes/Maxun/results/values';

describe('numbers', () => {
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
		['12 in stock', 12],
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
		['3 to 5 days', null],
		['Sold out', null],
		['1,2,34.5', null],
		['', null],
	])('%j becomes %j with an automatic format', (text, expected) => {
		expect(numberOf(text, 'automatic')).toBe(expected);
	});

	it.each([
		['1.249', 'point', 1.249],
		['1,249', 'comma', 1.249],
		['1.249', 'comma', 1249],
		['1,249', 'point', 1249],
		['12,5', 'point', null],
	] as const)('%j with the format %s becomes %j', (text, format, expected) => {
		expect(numberOf(text, format)).toBe(expected);
	});

	it('every amount of money is read as it was written, in both languages', () => {
		const cents = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
		fc.assert(
			fc.property(cents, fc.constantFrom('en-US', 'de-DE'), (amount, locale) => {
				const text = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(
					amount / 100,
				);
				const format = locale === 'en-US' ? 'point' : 'comma';
				expect(numberOf(text, 'automatic')).toBeCloseTo(amount / 100, 5);
				expect(numberOf(text, format)).toBeCloseTo(amount / 100, 5);
			}),
		);
	});

	it('any text gives a finite number or null', () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				const number = numberOf(text, 'automatic');
				expect(number === null || Number.isFinite(number)).toBe(true);
			}),
		);
	});
});

describe('dates', () => {
	it.each([
		['2026-11-23', '', '2026-11-23'],
		['2026-11-23T10:30:00Z', '', '2026-11-23T10:30:00.000Z'],
		['2026-11-23T10:30:00+02:00', '', '2026-11-23T10:30:00.000+02:00'],
		['2026-11-23 10:30', '', '2026-11-23T10:30:00.000'],
		['Mon, 23 Nov 2026 10:30:00 GMT', '', '2026-11-23T10:30:00.000Z'],
		['23.11.2026', 'dd.MM.yyyy', '2026-11-23'],
		['23.11.2026 9:05 PM', 'dd.MM.yyyy h:mm a', '2026-11-23T21:05:00.000'],
		['November 23, 2026', 'MMMM d, yyyy', '2026-11-23'],
		['23.11.2026 21.05', 'dd.MM.yyyy HH.mm', '2026-11-23T21:05:00.000'],
		['23.11.2026 9 PM', 'dd.MM.yyyy h a', '2026-11-23T21:00:00.000'],
		['23 Nov 2026, 09:05 +0200', 'd MMM yyyy, HH:mm ZZZ', '2026-11-23T09:05:00.000+02:00'],
		['Score 1:2 on 23.11.2026', "'Score 1:2 on' dd.MM.yyyy", '2026-11-23'],
		['10:30', '', null],
		['T10:30', '', null],
		['10:30', 'HH:mm', null],
		['11/23/2026', '', null],
		['2026', '', null],
		['tomorrow', '', null],
	])('%j with the format %j becomes %j', (text, format, expected) => {
		expect(dateOf(text, format)).toBe(expected);
	});
});

describe('links', () => {
	it.each([
		['/p/1', 'https://shop.example/list?page=2', 'https://shop.example/p/1'],
		['p/1', 'https://shop.example/list/', 'https://shop.example/list/p/1'],
		['https://other.example/', undefined, 'https://other.example/'],
		['/p/1', undefined, null],
	])('%j on %j becomes %j', (link, base, expected) => {
		expect(linkOf(link, base)).toBe(expected);
	});
});

it.each([
	['Yes', true],
	['true', true],
	[1, true],
	['0', false],
	['no', false],
	['maybe', null],
])('%j becomes %j', (value, expected) => {
	expect(flagOf(value)).toBe(expected);
});

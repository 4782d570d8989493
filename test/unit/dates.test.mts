import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { dateFormatProblem } from '../../nodes/Maxun/fields/columns';
import { datesOf } from '../../nodes/Maxun/results/dates';

const now = Date.parse('2026-11-23T12:30:00Z');
const dateOf = (text: string, format?: string) => datesOf([text], { format, now })[0];

it.each([
	['2026-11-23', '2026-11-23'],
	['2026-11-23T10:30:00Z', '2026-11-23T10:30:00.000Z'],
	['2026-11-23T10:30:00.5+02:00', '2026-11-23T10:30:00.500+02:00'],
	['2026-11-23T10:30:00+02', '2026-11-23T10:30:00.000+02:00'],
	['2026-11-23 10:30', '2026-11-23T10:30:00.000'],
	['2026/11/23', '2026-11-23'],
	['Mon, 23 Nov 2026 10:30:00 GMT', '2026-11-23T10:30:00.000Z'],
	['Mon, 23 Nov 2026 10:30:00 +0530', '2026-11-23T10:30:00.000+05:30'],
	['Nov 23, 2026 10:30 PM EST', '2026-11-23T22:30:00.000-05:00'],
	['23.11.2026', '2026-11-23'],
	['31.12.99, 14:30 Uhr', '1999-12-31T14:30:00.000'],
	['31.12.37', '1937-12-31'],
	['26.03.12', null],
	['12/31/36', '2036-12-31'],
	['April 3, 2026', '2026-04-03'],
	['Updated: April 3rd, 2026', '2026-04-03'],
	['3. Jänner 2026', '2026-01-03'],
	['3 mars 2026 à 14h30', '2026-03-03T14:30:00.000'],
	['3 мая 2026', '2026-05-03'],
	['2026年11月23日 午後2:05', '2026-11-23T14:05:00.000'],
	['23/11/2026', '2026-11-23'],
	['11/23/2026', '2026-11-23'],
	['05/05/2026', '2026-05-05'],
	['03/04/2026', null],
	['12/31/2025 EST 10:00', '2025-12-31T10:00:00.000-05:00'],
	['UTC 10:00 12/31/2025', '2025-12-31T10:00:00.000Z'],
	['12.03.2026, 10:00 Uhr MEZ', '2026-03-12T10:00:00.000+01:00'],
	['12.03.2026, 10:00 Uhr (MEZ)', '2026-03-12T10:00:00.000+01:00'],
	['Sat, 14 Nov 2026 IST 10:00', null],
	['SAT 14 NOV 2026 AT 10:00', '2026-11-14T10:00:00.000'],
	['2026-11-23 10:30 Eastern Time', null],
	['2026-11-23 EST 10:30 CET', null],
	['2026-11-23 Start time 10:30', '2026-11-23T10:30:00.000'],
	['Do., 12. März 2026', '2026-03-12'],
	['１２.０３.２０２６', '2026-03-12'],
	['\u200e12.03.2026', '2026-03-12'],
	[`12.03.2026${' '.repeat(3000)}10:30`, '2026-03-12T10:30:00.000'],
	['x'.repeat(20_000), null],
	['Last updated 3 days ago', '2026-11-20'],
	['last modified: 2 hours ago', '2026-11-23T10:30:00.000Z'],
	['Edited 3 days ago', '2026-11-20'],
	['Aktualisiert: vor 3 Tagen', '2026-11-20'],
	['2 hours ago', '2026-11-23T10:30:00.000Z'],
	['hier', '2026-11-22'],
	['2時間前', '2026-11-23T10:30:00.000Z'],
	['Posted 3 days ago', '2026-11-20'],
	['an hour ago', '2026-11-23T11:30:00.000Z'],
	['2 hrs ago', '2026-11-23T10:30:00.000Z'],
	['5 mins ago', '2026-11-23T12:25:00.000Z'],
	['1w ago', '2026-11-16'],
	['about 3 hours ago', '2026-11-23T09:30:00.000Z'],
	['vor etwa 3 Stunden', '2026-11-23T09:30:00.000Z'],
	['vor einem Tag', '2026-11-22'],
	['vor einer Woche', '2026-11-16'],
	['il y a une heure', '2026-11-23T11:30:00.000Z'],
	['hace un mes', '2026-10-23'],
	['godzinę temu', '2026-11-23T11:30:00.000Z'],
	['Today at 10:56', '2026-11-23T10:56:00.000'],
	['Yesterday, 5:30 PM', '2026-11-22T17:30:00.000'],
	['heute um 14:30 Uhr', '2026-11-23T14:30:00.000'],
	['hier à 9h05', '2026-11-22T09:05:00.000'],
	['2 hours ago at 10:56', null],
	['over 2 years ago', null],
	['il y a 2 mois', '2026-09-23'],
	['12. Mai', null],
	['2026-11', null],
	['1249-12', null],
	['2026', null],
	['10:30', null],
	['31.02.2026', null],
	['2026-11-23 25:00', null],
	['2026-11-23 10:30 XYZ', null],
	['12 items from 3 May 2026', null],
	['3 May 2026 – 5 May 2026', null],
	['tomorrow', null],
])('%j without a format is %j', (text, expected) => {
	expect(dateOf(text)).toBe(expected);
});

it.each([
	['23.11.2026', 'dd.MM.yyyy', '2026-11-23'],
	['23.11.2026 9:05 PM', 'dd.MM.yyyy h:mm a', '2026-11-23T21:05:00.000'],
	['November 23, 2026', 'MMMM d, yyyy', '2026-11-23'],
	['3. März 2026', 'd. MMMM yyyy', '2026-03-03'],
	['3 mars', 'd MMMM', '2026-03-03'],
	['12. Mai', 'd. MMM', '2026-05-12'],
	['23.11.2026 21.05', 'dd.MM.yyyy HH.mm', '2026-11-23T21:05:00.000'],
	['23 Nov 2026, 09:05 +0200', 'd MMM yyyy, HH:mm ZZZ', '2026-11-23T09:05:00.000+02:00'],
	['Score 1:2 on 23.11.2026', "'Score 1:2 on' dd.MM.yyyy", '2026-11-23'],
	['11/2026', 'MM/yyyy', '2026-11-01'],
	['1795437000', 'X', '2026-11-23T12:30:00.000Z'],
	['1795437000000', 'x', '2026-11-23T12:30:00.000Z'],
	['soon', 'X', null],
	['tomorrow', 'dd.MM.yyyy', null],
])('%j with the format %j is %j', (text, format, expected) => {
	expect(dateOf(text, format)).toBe(expected);
});

it.each([
	['DD/MM/YYYY', "'DD' is not a part"],
	['dd/MM/YYYY', "'YYYY' is not a part"],
	['dd.mm.yyyy', "'m' is the minute"],
	['HH:mm', 'no day, month or year'],
	["dd.MM.yyyy 'Uhr'", undefined],
	['MMMM d, yyyy h:mm a', undefined],
	['', undefined],
	['X', undefined],
])('the format %j has the problem %j', (format, expected) => {
	const problem = dateFormatProblem(format);
	if (expected === undefined) expect(problem).toBeUndefined();
	else expect(problem).toContain(expected);
});

it.each([
	['03/04/2026 | 23/04/2026', '2026-04-03 | 2026-04-23'],
	['03/04/2026 | 04/23/2026 | soon', '2026-03-04 | 2026-04-23 | null'],
	['03/04/2026 | 05/06/2026 | 07/07/2026', 'null | null | 2026-07-07'],
	['03/04/2026 | 23/04/2026 | 04/23/2026', 'null | 2026-04-23 | 2026-04-23'],
	['26.03.12 | 99.12.01', '2026-03-12 | 1999-12-01'],
	['12.03.26 | 31.12.99', '2026-03-12 | 1999-12-31'],
	['12.03.26 | 05.04.26 | 17.10.25', '2026-03-12 | 2026-04-05 | 2025-10-17'],
	['12.03.26 | 12.03.25 | 12.10.26', 'null | null | null'],
	['26.03.12 | 25.04.05 | 25.10.11', 'null | null | null'],
	['03/04/26 | 05/06/26 | 07/08/25', 'null | null | null'],
	['03-04-26 | 26-13-04', 'null | null'],
])('the column %j shows the order of day, month and year', (texts, expected) => {
	expect(datesOf(texts.split(' | '), { now }).map(String)).toEqual(expected.split(' | '));
});

describe('all languages', () => {
	const languages = fc.constantFrom(
		...'en-US en-GB de fr es it pt nl pl cs sv da fi tr ru uk ja ko zh'.split(' '),
	);
	const [min, max] = [new Date('1990-01-01'), new Date('2090-12-31')];
	const days = fc.date({ min, max, noInvalidDate: true });

	it('a long date in any language is read as it was written', () => {
		fc.assert(
			fc.property(days, languages, (date, language) => {
				const text = DateTime.fromJSDate(date, { zone: 'utc' })
					.setLocale(language)
					.toLocaleString(DateTime.DATE_FULL);
				expect([text, dateOf(text)]).toEqual([text, date.toISOString().slice(0, 10)]);
			}),
		);
	});

	it('common words for a time in the past are read as that time', () => {
		const units = fc.constantFrom('minute', 'hour', 'day', 'week', 'month', 'year');
		fc.assert(
			fc.property(fc.integer({ min: 2, max: 50 }), units, languages, (count, unit, language) => {
				const text = new Intl.RelativeTimeFormat(language).format(-count, unit as 'day');
				const expected = DateTime.fromMillis(now, { zone: 'utc' }).minus({ [unit]: count });
				expect([text, dateOf(text)?.slice(0, 10)]).toEqual([text, expected.toISODate()]);
			}),
		);
	});
});

import { describe, expect, it } from 'vitest';
import { ageOf, endOf, instant } from '../../nodes/Maxun/servers/dates';

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const NOW = NOON + 24 * HOUR;
const id = 'run';

describe("a run's age", () => {
	it.each(['2026-11-21T12:00:00.000Z', '2026-11-21T13:00:00+01:00', '2026-11-21T13:00:00+0100'])(
		'comes from the end time %s',
		(finishedAt) => {
			expect(ageOf({ id, finishedAt }, NOW)).toBe(24 * HOUR);
		},
	);

	it("is exact with the server's time zone, and too low rather than too high without it", () => {
		const finishedAtLocal = '11/21/2026, 1:00:00 PM';
		const zoned = { id, finishedAtLocal, finishedAt: '2026-11-21T12:00:00.000Z' };
		expect(ageOf(zoned, NOW)).toBe(24 * HOUR);
		expect(endOf(zoned)).toBe(NOON + HOUR);
		const local = { id, finishedAtLocal, finishedAt: finishedAtLocal };
		expect(ageOf(local, NOW)).toBe(11 * HOUR);
	});

	it('is unknown for a run without times', () => {
		expect(ageOf({ id }, NOW)).toBeUndefined();
	});
});

describe("a run's end", () => {
	it('is the start of a run without a valid end time', () => {
		const startedAt = '2026-11-21T12:00:00Z';
		for (const finishedAt of [null, undefined, '', '2026-99-99T12:00:00Z']) {
			expect(endOf({ id, startedAt, finishedAt })).toBe(NOON);
		}
	});

	it.each([
		'11/21/2026, 5:03:58 AM',
		'21/11/2026, 05:03:58',
		'21.11.2026, 05:03:58',
		'21.11.2026, 5.03.58',
		'21/11/2026 05:03:58',
		'21-11-2026 05:03:58',
		'2026-11-21 05:03:58',
		'2026/11/21 5:03:58',
		'2026. 11. 21. 오전 5:03:58',
		'2026/11/21 上午5:03:58',
		'21/11/2026, 5:03:58 a. m.',
		'21/11/2026, 5:03:58 am',
		'2026-11-21, 5:03:58 a.m.',
	])("is read in the server's language: %s", (finishedAtLocal) => {
		expect(endOf({ id, finishedAtLocal })).toBe(Date.UTC(2026, 10, 21, 5, 3, 58));
	});

	it.each(['12/11/2026, 05:03:58', '12/11/2026, 5:03:58 pm'])(
		'has the day first if it is not US English: %s',
		(finishedAtLocal) => {
			expect(new Date(endOf({ id, finishedAtLocal }) ?? 0).getUTCMonth()).toBe(10);
		},
	);
});

describe('the instant of a date', () => {
	it('has the zone that it contains, even if the time zone of the server is another one', () => {
		const date = '2026-11-21T10:23:26Z';
		expect(instant(date, 'Europe/Berlin')).toBe(date);
		expect(ageOf({ id, finishedAt: date }, Date.parse(date))).toBe(0);
	});

	it('is unknown if the date is invalid', () => {
		expect(instant('11/31/2026, 10:23:26 AM', 'UTC')).toBeUndefined();
	});
});

import { describe, expect, it } from 'vitest';
import { endOf, instant, isLater, latestEnd } from '../../nodes/Maxun/servers/dates';

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const id = 'run';

describe('the latest end', () => {
	const at = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
	const endedAt = (finishedAt: string) => ({ id, finishedAt });
	const localAt = (hours: number) => ({
		id,
		finishedAtLocal: at(hours).slice(0, 19).replace('T', ' '),
	});

	it('is the end of the latest run, or 0 without runs', () => {
		const last = at(-1);
		expect(latestEnd([endedAt(at(-3)), endedAt(last), endedAt(at(-2))])).toBe(Date.parse(last));
		expect(latestEnd([{ id }])).toBe(0);
		expect(latestEnd([])).toBe(0);
	});

	it.each([1, 24 * 365 * 73])("ignores a run that is dated %i hours after n8n's clock", (hours) => {
		const last = at(-1);
		expect(latestEnd([endedAt(last), endedAt(at(hours))])).toBe(Date.parse(last));
	});

	it("accepts local times of a server that is ahead of n8n's time zone", () => {
		const ends = [localAt(14), localAt(25)].map((run) => endOf(run));
		expect(latestEnd([localAt(14), localAt(25)])).toBe(ends[0]);
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
	it('has the zone that it contains, even if the server has another time zone', () => {
		const date = '2026-11-21T10:23:26Z';
		expect(instant(date, 'Europe/Berlin')).toBe(date);
	});

	it('is unknown if the date is invalid', () => {
		expect(instant('11/31/2026, 10:23:26 AM', 'UTC')).toBeUndefined();
	});
});

it('a change is later only in the same format, and by a second', () => {
	const [made, changed] = ['2026-11-23T10:00:00.400Z', '2026-11-23T10:00:01.400Z'];
	expect(isLater(changed, made)).toBe(true);
	expect(isLater(made, made)).toBe(false);
	// The server's local time is hours behind.
	expect(isLater(changed, '11/23/2026, 5:00:00 AM')).toBe(false);
	expect(isLater('11/23/2026, 5:00:01 AM', '11/23/2026, 5:00:00 AM')).toBe(true);
});

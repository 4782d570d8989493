import { describe, expect, it } from 'vitest';
import { endOf, exactEndOf } from '../../nodes/Maxun/servers/runEnd';

const NOON = Date.UTC(2026, 10, 21, 12);
const id = 'run';

describe('the exact end of a run', () => {
	it.each(['2026-11-21T12:00:00.000Z', '2026-11-21T13:00:00+01:00', '2026-11-21T13:00:00+0100'])(
		'comes from the end time %s',
		(finishedAt) => {
			expect(exactEndOf({ id, finishedAt })).toBe(NOON);
		},
	);

	it("needs the server's time zone, unlike the end on the server's clock", () => {
		const finishedAtLocal = '11/21/2026, 1:00:00 PM';
		const zoned = { id, finishedAtLocal, finishedAt: '2026-11-21T12:00:00.000Z' };
		expect(exactEndOf(zoned)).toBe(NOON);
		expect(endOf(zoned)).toBe(NOON + 3_600_000);
		const local = { id, finishedAtLocal, finishedAt: finishedAtLocal };
		expect(exactEndOf(local)).toBe(endOf(local));
	});

	it('is the start of a run without a valid end time', () => {
		const startedAt = '2026-11-21T12:00:00Z';
		for (const finishedAt of [null, undefined, '', '2026-99-99T12:00:00Z']) {
			expect(exactEndOf({ id, startedAt, finishedAt })).toBe(NOON);
		}
	});

	it('is unknown for a run without times', () => {
		expect(exactEndOf({ id })).toBeUndefined();
	});
});

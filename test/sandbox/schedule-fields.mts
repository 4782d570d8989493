import { IANAZone } from 'luxon';
import { z } from 'zod';
import { SCHEDULE_UNITS, WEEKDAYS } from './model.mts';

/** Each unit's largest interval that fits a cron expression. */
const MOST_UNITS: Record<(typeof SCHEDULE_UNITS)[number], number> = {
	MINUTES: 59,
	HOURS: 23,
	DAYS: 31,
	WEEKS: 1,
	MONTHS: 12,
};

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:MM');

export const scheduleFields = {
	runEvery: z.number().int().min(1),
	runEveryUnit: z.enum(SCHEDULE_UNITS),
	startFrom: z.enum(WEEKDAYS),
	atTimeStart: time,
	atTimeEnd: time,
	timezone: z.string().refine((zone) => IANAZone.isValidZone(zone), 'must be an IANA time zone'),
};

export const dayText = z
	.string()
	.regex(/^([1-9]|[12]\d|3[01])$/, 'must be a day from 1 to 31, as a text')
	.transform(Number);

export function demandRegular(
	rule: { runEvery: number; runEveryUnit: (typeof SCHEDULE_UNITS)[number] },
	context: z.RefinementCtx,
): void {
	const most = MOST_UNITS[rule.runEveryUnit];
	if (rule.runEvery <= most) return;
	const message = `must be at most ${most} for ${rule.runEveryUnit}`;
	context.addIssue({ code: 'custom', path: ['runEvery'], message });
}

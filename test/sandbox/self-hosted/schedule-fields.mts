import { IANAZone } from 'luxon';
import { z } from 'zod';
import { MOST_UNITS } from '../api/schedules.mts';
import { SCHEDULE_UNITS, WEEKDAYS } from '../model.mts';

/** A time of day as `HH:MM`, 24-hour. */
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:MM');

/** The fields of a schedule as both ways of setting one know them. */
export const scheduleFields = {
	runEvery: z.number().int().min(1),
	runEveryUnit: z.enum(SCHEDULE_UNITS),
	startFrom: z.enum(WEEKDAYS),
	atTimeStart: time,
	atTimeEnd: time,
	timezone: z.string().refine((zone) => IANAZone.isValidZone(zone), 'must be an IANA time zone'),
};

/** A day of the month as a text, e.g. `'15'`; as a number afterwards. */
export const dayText = z
	.string()
	.regex(/^([1-9]|[12]\d|3[01])$/, 'must be a day from 1 to 31, as a text')
	.transform(Number);

/** Complains about an interval that no cron expression can say. */
export function demandRegular(
	rule: { runEvery: number; runEveryUnit: (typeof SCHEDULE_UNITS)[number] },
	context: z.RefinementCtx,
): void {
	const most = MOST_UNITS[rule.runEveryUnit];
	if (rule.runEvery <= most) return;
	const message = `must be at most ${most} for ${rule.runEveryUnit}`;
	context.addIssue({ code: 'custom', path: ['runEvery'], message });
}

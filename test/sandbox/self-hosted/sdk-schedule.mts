import { IANAZone } from 'luxon';
import { z } from 'zod';
import { SCHEDULE_UNITS, type Schedule, WEEKDAYS } from '../model.mts';
import { completeSchedule, cronOf, type ScheduleRule } from '../scheduler.mts';
import { sdkRefusal } from './refusals.mts';

const sent = z
	.object({
		runEvery: z.union([z.number(), z.string()]).optional(),
		runEveryUnit: z.string().optional(),
		timezone: z.string().optional(),
		startFrom: z.string().default('SUNDAY'),
		dayOfMonth: z.union([z.number(), z.string()]).default(1),
		atTimeStart: z.string().default('00:00'),
		atTimeEnd: z.string().default('23:59'),
	})
	.passthrough();

/**
 * Reads a schedule like a real server, which checks little.
 * @returns the schedule as stored, and as it runs; null if its times are invalid, such as every -5 minutes
 * @throws Refusal 400 with the server's words
 */
export function readSchedule(value: unknown) {
	const { success, data } = sent.safeParse(value);
	if (!success || !data.runEvery || !data.runEveryUnit || !data.timezone) {
		throw badRequest('Missing required schedule parameters: runEvery, runEveryUnit, timezone');
	}
	const { runEvery, timezone, startFrom, dayOfMonth, atTimeStart, atTimeEnd } = data;
	if (!IANAZone.isValidZone(timezone)) throw badRequest('Invalid timezone');
	if (![atTimeStart, atTimeEnd].every(isTime)) {
		throw badRequest('Invalid time format. Expected HH:MM (e.g., 09:30)');
	}
	if (!isOneOf(WEEKDAYS, startFrom)) {
		throw badRequest(`Invalid startFrom day. Must be one of: ${WEEKDAYS.join(', ')}`);
	}
	const { runEveryUnit } = data;
	if (!isOneOf(SCHEDULE_UNITS, runEveryUnit)) {
		throw badRequest(`Invalid runEveryUnit. Must be one of: ${SCHEDULE_UNITS.join(', ')}`);
	}
	const rule = {
		...{ runEvery: Number(runEvery), runEveryUnit, timezone, startFrom, atTimeStart, atTimeEnd },
		dayOfMonth: Number(dayOfMonth),
	};
	const cronExpression = cronOf(rule).replace(/^\* \* \* \* \*$/, '*/1 * * * *');
	const schedule = scheduleOf(rule);
	const stored = {
		...{ runEvery, runEveryUnit, timezone, startFrom, dayOfMonth, atTimeStart, atTimeEnd },
		cronExpression,
		...(schedule && { nextRunAt: schedule.nextRunAt }),
	};
	return { stored, schedule };
}

function scheduleOf(rule: ScheduleRule): Schedule | null {
	try {
		return completeSchedule(rule);
	} catch {
		return null;
	}
}

const isTime = (text: string) => /^([01]?\d|2[0-3]):[0-5]?\d$/.test(text);

function isOneOf<T extends string>(list: readonly T[], value: string): value is T {
	return list.some((entry) => entry === value);
}

const badRequest = (message: string) => sdkRefusal(400, message);

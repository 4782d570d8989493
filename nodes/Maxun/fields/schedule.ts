import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { onlyWith } from './server';
import { isTimezone } from '../http/credentials';
import { choices, count, oneOf, optionalText } from './parameters';

const UNITS = choices([
	{ name: 'Days', value: 'DAYS' },
	{ name: 'Hours', value: 'HOURS' },
	{ name: 'Minutes', value: 'MINUTES' },
	{ name: 'Months', value: 'MONTHS' },
	{ name: 'Weeks', value: 'WEEKS' },
]);

/** In the order of the week, as people expect. */
const WEEKDAYS = [
	'MONDAY',
	'TUESDAY',
	'WEDNESDAY',
	'THURSDAY',
	'FRIDAY',
	'SATURDAY',
	'SUNDAY',
] as const;

/** The fields of a schedule. */
export const scheduleFields: INodeProperties[] = [
	{
		displayName: 'Run Every',
		name: 'runEvery',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 1,
		description: 'Number of units between runs. The maximum is 59 minutes, 23 hours or 1 week.',
	},
	{
		displayName: 'Unit',
		name: 'runEveryUnit',
		type: 'options',
		options: UNITS,
		default: 'DAYS',
		description: "Unit of time for 'Run Every'",
	},
	{
		displayName: 'Day of Week',
		name: 'startFrom',
		type: 'options',
		displayOptions: { show: { runEveryUnit: ['WEEKS'] } },
		options: WEEKDAYS.map((value) => ({ name: value[0] + value.slice(1).toLowerCase(), value })),
		default: 'SUNDAY',
		description: 'Day of the week to run on',
	},
	{
		displayName: 'Day of Month',
		name: 'dayOfMonth',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 31 },
		displayOptions: { show: { runEveryUnit: ['MONTHS'] } },
		default: 1,
		description: 'Day of the month to run on, from 1 to 31',
	},
	{
		displayName: 'Time',
		name: 'atTimeStart',
		type: 'string',
		placeholder: 'e.g. 09:30',
		default: '',
		description: 'Time of day to run at, in hours and minutes. Leave empty to run at midnight.',
	},
	onlyWith('endTime', {
		displayName: 'End Time',
		name: 'atTimeEnd',
		type: 'string',
		placeholder: 'e.g. 18:00',
		displayOptions: { show: { runEveryUnit: ['HOURS', 'MINUTES'] } },
		default: '',
		description: 'Time of day to stop at, in hours and minutes. Leave empty to run until midnight.',
	}),
	{
		displayName: 'Time Zone Name or ID',
		name: 'timezone',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getTimezones' },
		default: '',
		description:
			'The time zone of the schedule. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
];

const LARGEST: Record<string, number> = { MINUTES: 59, HOURS: 23, WEEKS: 1 };

/** A time of day as `HH:MM`. `9:30` becomes `09:30`. */
export const timeOfDay = () =>
	optionalText().transform((value, context) => {
		if (value === undefined) return undefined;
		const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(value) ?? [];
		if (hours && Number(hours) < 24 && Number(minutes) < 60)
			return `${hours.padStart(2, '0')}:${minutes}`;
		context.addIssue({ code: 'custom', message: 'must be a time of day, such as 09:30' });
		return z.NEVER;
	});

const timezone = () =>
	optionalText().refine((name) => !name || isTimezone(name), {
		message: 'must be an IANA time zone, such as Europe/Berlin',
	});

export const scheduleParameters = {
	runEvery: count(1),
	runEveryUnit: oneOf(UNITS),
	startFrom: oneOf(WEEKDAYS).optional(),
	dayOfMonth: count(1, 31).optional(),
	atTimeStart: timeOfDay(),
	atTimeEnd: timeOfDay(),
	timezone: timezone(),
};

/** Checks Run Every against the maximum for its unit. */
export function checkRunEvery(
	{ runEvery, runEveryUnit }: { runEvery: number; runEveryUnit: string },
	context: z.RefinementCtx,
): void {
	const maximum = LARGEST[runEveryUnit];
	if (maximum !== undefined && runEvery > maximum) {
		const unit = runEveryUnit.toLowerCase();
		context.addIssue({
			code: 'custom',
			path: ['runEvery'],
			message: `must be ${maximum} or less for ${unit}`,
		});
	}
}

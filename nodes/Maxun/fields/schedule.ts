import { IANAZone } from 'luxon';
import { choiceField, named, numberField, textField } from './field';
import { fromList } from './lists';
import { onlyWith } from './server';
import { optionalText, type Problem } from './parameters';

/** A time of day as `HH:MM`. `9:30` becomes `09:30`. */
const timeOfDay = optionalText()
	.refine(
		(time) => !time || /^([01]?\d|2[0-3]):[0-5]\d$/.test(time),
		'must be a time of day, such as 09:30',
	)
	.transform((time) => time?.padStart(5, '0'));

const timezone = optionalText().refine(
	(name) => !name || IANAZone.isValidZone(name),
	'must be an IANA time zone, such as Europe/Berlin',
);

export const scheduleFields = [
	numberField(
		'Run Every',
		'runEvery',
		'Number of units between runs. The maximum is 59 minutes, 23 hours or 1 week.',
		{ typeOptions: { minValue: 1 } },
	),
	choiceField('Unit', 'runEveryUnit', "Unit of time for 'Run Every'", {
		options: named({
			Minutes: 'MINUTES',
			Hours: 'HOURS',
			Days: 'DAYS',
			Weeks: 'WEEKS',
			Months: 'MONTHS',
		}),
		default: 'DAYS',
	}),
	choiceField('Day of Week', 'startFrom', 'Day of the week to run on', {
		displayOptions: { show: { runEveryUnit: ['WEEKS'] } },
		options: named({
			Monday: 'MONDAY',
			Tuesday: 'TUESDAY',
			Wednesday: 'WEDNESDAY',
			Thursday: 'THURSDAY',
			Friday: 'FRIDAY',
			Saturday: 'SATURDAY',
			Sunday: 'SUNDAY',
		}),
		default: 'SUNDAY',
	}),
	numberField('Day of Month', 'dayOfMonth', 'Day of the month to run on, from 1 to 31', {
		typeOptions: { minValue: 1, maxValue: 31 },
		displayOptions: { show: { runEveryUnit: ['MONTHS'] } },
	}),
	textField(
		'Start Time',
		'atTimeStart',
		'Time of day of the first run. Leave empty to run at midnight.',
		{ placeholder: 'e.g. 09:30', schema: timeOfDay },
	),
	onlyWith(
		'endTime',
		textField(
			'End Time',
			'atTimeEnd',
			'Time of day of the last run. Leave empty to run until midnight.',
			{
				placeholder: 'e.g. 18:00',
				displayOptions: { show: { runEveryUnit: ['HOURS', 'MINUTES'] } },
				schema: timeOfDay,
			},
		),
	),
	choiceField(
		'Time Zone Name or ID',
		'timezone',
		`The time zone of the schedule. ${fromList('an ID')}`,
		{
			typeOptions: { loadOptionsMethod: 'getTimezones' },
			schema: timezone,
		},
	),
];

const MAXIMA: Record<string, number> = { MINUTES: 59, HOURS: 23, WEEKS: 1 };

export function checkRunEvery(given: { runEvery: number; runEveryUnit: string }): Problem {
	const unit = given.runEveryUnit;
	const maximum = MAXIMA[unit] ?? Infinity;
	if (given.runEvery <= maximum) return undefined;
	const allowed = maximum === 1 ? '1' : `${maximum} or less`;
	return [[['runEvery'], `must be ${allowed} for ${unit.toLowerCase()}`]];
}

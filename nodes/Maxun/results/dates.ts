import { DateTime } from 'luxon';
import { LANGUAGES, lazy, relativeDateOf } from './relativeDates';

interface DateReading {
	format?: string;
	now?: number;
}

/**
 * A column's dates as ISO 8601. Contain a time and a time zone only if the texts do. A time alone isn't a date, and
 * neither is a date without a year, unless a format says so.
 *
 * | Text                                         | Date                                             |
 * | -------------------------------------------- | ------------------------------------------------ |
 * | `2026-11-23T10:30:00+02`                     | 2026-11-23T10:30:00.000+02:00                    |
 * | `3. März 2026, 14:30 Uhr`, `March 3rd, 2026` | 2026-03-03T14:30:00.000, 2026-03-03              |
 * | `23.11.2026`, `2026年11月23日`, `23/11/2026`  | 2026-11-23                                       |
 * | `03/04/2026`, `26.03.12`                     | null, or as another date of the column shows     |
 * | `2 hours ago`, `vor einem Tag`, `hier à 9h30` | before Maxun read the page                       |
 * | `2026`, `2026-11`, `12. Mai`, `10:30`        | null                                             |
 */
export function datesOf(values: unknown[], { format, now }: DateReading): Array<string | null> {
	const texts = values.map((value) =>
		typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '',
	);
	if (format) return texts.map((text) => formattedDateOf(text, format, now));
	const usual = ordersOf(texts, now);
	return texts.map((text) => {
		const numeric = NUMERIC.exec(text);
		return numeric
			? numericDateOf(text, numeric, usual, now)
			: (namedDateOf(text) ?? relativeOf(text, now));
	});
}

type Order = 'dmy' | 'mdy' | 'ymd';

/** A date in numbers, whose order depends on the page. In dates with dots, the day comes before the month. */
const NUMERIC = /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;

/** The orders in which a date in numbers exists. */
function possible(numeric: RegExpExecArray, now: number | undefined): Order[] {
	const [, , separator, , year] = numeric;
	const orders: Order[] = [
		separator === '.' ? 'dmy' : 'mdy',
		'dmy',
		...(year.length === 2 ? ['ymd' as const] : []),
	];
	return [...new Set(orders)].filter((order) => dayOf(partsIn(numeric, order, now)) !== null);
}

/** The orders in which all of a column's dates exist. */
function ordersOf(texts: string[], now: number | undefined): Order[] {
	const all = texts.flatMap((text) => {
		const numeric = NUMERIC.exec(text);
		return numeric ? [possible(numeric, now)] : [];
	});
	return (all[0] ?? []).filter((order) => all.every((orders) => orders.includes(order)));
}

/** The date, if it is the same in all orders that the column leaves. */
function numericDateOf(
	text: string,
	numeric: RegExpExecArray,
	usual: Order[],
	now: number | undefined,
) {
	const own = possible(numeric, now);
	const orders = usual.length > 0 ? usual : own;
	const dates = new Set(
		orders.map((order) => isoOf(partsIn(numeric, order, now), rest(text, numeric[0]))),
	);
	return dates.size === 1 ? [...dates][0] : null;
}

function partsIn(
	[, first, , second, third]: RegExpExecArray,
	order: Order,
	now: number | undefined,
): Parts {
	const parts = { [order[0]]: first, [order[1]]: second, [order[2]]: third };
	return { year: fullYear(parts.y, now), month: parts.m, day: parts.d };
}

/** A year with four digits. A year with two is at most ten years ahead. */
function fullYear(year: string, now = Date.now()): string {
	if (year.length !== 2) return year;
	const isPast = 2000 + Number(year) > new Date(now).getUTCFullYear() + 10;
	return (isPast ? '19' : '20') + year;
}

/** Months by their names in all languages. A name with two meanings is 0. */
const months = lazy(() => {
	const found = new Map([
		['sept', 9],
		['mrz', 3],
	]);
	for (const language of LANGUAGES) {
		for (const month of ['long', 'short'] as const) {
			for (const options of [{ month }, { month, day: 'numeric' }] as const) {
				const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
				for (let index = 1; index <= 12; index++) {
					const parts = format.formatToParts(Date.UTC(2026, index - 1, 15));
					const name = plainName(parts.find(({ type }) => type === 'month')?.value ?? '');
					if (!/\p{L}{3}/u.test(name)) continue;
					found.set(name, [index, undefined].includes(found.get(name)) ? index : 0);
				}
			}
		}
	}
	return found;
});

const plainName = (name: string) => name.toLowerCase().replace(/\.$/, '');

/** A month's number, from its number or its name; 0 if the text is neither. */
function monthOf(text: string): number {
	if (/^\d+$/.test(text)) return Number(text);
	return months().get(plainName(text)) ?? 0;
}

const FORMS: RegExp[] = [
	/(?<!\d)(?<year>\d{4})([-./])(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d)/,
	/(?<!\d)(?<year>\d{4})\s?[年년]\s?(?<month>\d{1,2})\s?[月월]\s?(?<day>\d{1,2})\s?[日일]/,
	/(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|er|[.ºª])?[\s-]*(?:(?:de|of)\s+)?(?<month>\p{L}{3,})[.,]?[\s-]*(?:(?:de|del)\s+)?(?<year>\d{4})(?!\d)/iu,
	/(?<month>\p{L}{3,})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})(?!\d)/iu,
	/(?<!\d)(?<year>\d{4})\.?\s+(?<month>\p{L}{3,})\.?\s+(?<day>\d{1,2})(?!\d)/iu,
];

type Parts = Record<'year' | 'month' | 'day', string>;

/** A date with a name of a month, or with a year of four digits at its beginning. */
function namedDateOf(text: string): string | null {
	for (const form of FORMS) {
		const match = form.exec(text);
		const { year, month, day } = match?.groups ?? {};
		if (match) return isoOf({ year, month, day }, rest(text, match[0]));
	}
	return null;
}

const rest = (text: string, date: string) => text.replace(date, ' ');

/** Words between a day and its time, and after the time: "Today at 10:56", "heute um 14:30 Uhr". */
const AT = /(?:\s(?:at|um|à|às|a las|alle|om|o|v|kl|klo|в|о))?[\s.,·]*(?:Uhr)?\s*$/i;

/** A time in the past in words. A day may have a time. */
function relativeOf(text: string, now: number | undefined): string | null {
	const time = TIME.exec(text);
	if (!time) return relativeDateOf(text, now);
	const day = relativeDateOf(rest(text, time[0]).replace(AT, ''), now);
	const clock = clockOf(time);
	return day === null || clock === null || day.includes('T') ? null : `${day}T${clock}`;
}

/** A time, with an optional AM or PM and an optional time zone. */
const TIME =
	/(午前|上午|오전|午後|下午|오후)?\s*(?<![\d:])(\d{1,2})[:h](\d{2})(?::(\d{2})(?:[.,](\d{1,3})\d*)?)?\s*([apAP]\.?\s?[mM]\b\.?)?\s*\(?((?<![A-Za-z])[A-Z]{1,5}(?![A-Za-z]))?\)?([+-]\d{1,2}(?::?\d{2})?)?(?!\d)/;

/** The hours from UTC of time zones with unambiguous names. */
const ZONES: Record<string, number> = {
	...{ Z: 0, UTC: 0, GMT: 0, EST: -5, EDT: -4, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
	...{ CET: 1, CEST: 2, MEZ: 1, MESZ: 2, EET: 2, EEST: 3, JST: 9, KST: 9, AEST: 10, AEDT: 11 },
};

/** A date without a time as ISO 8601; null if it doesn't exist. */
function dayOf(parts: Parts): string | null {
	const [year, month, day] = [Number(parts.year), monthOf(parts.month), Number(parts.day)];
	const date = new Date(Date.UTC(year, month - 1, day));
	const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
	return exists ? date.toISOString().slice(0, 10) : null;
}

/**
 * A date and the time in the rest of its text as ISO 8601; null if the date doesn't exist, or if the rest contains
 * other numbers.
 */
function isoOf(parts: Parts, others: string): string | null {
	const iso = dayOf(parts);
	if (iso === null) return null;
	const time = TIME.exec(others);
	if (/\d/.test(time ? others.replace(time[0], '') : others)) return null;
	if (!time) return iso;
	const clock = clockOf(time);
	return clock === null ? null : `${iso}T${clock}`;
}

/** The time and the zone in a match of `TIME`; null if the time is invalid or the zone is unknown. */
function clockOf([
	,
	before,
	hours,
	minutes,
	seconds = '00',
	fraction = '',
	half,
	zone,
	offset = '',
]: RegExpExecArray) {
	const isAfternoon = /^p/i.test(half ?? '') || /[後下후]/.test(before ?? '');
	const isHalf = half !== undefined || before !== undefined;
	if (isHalf && Number(hours) > 12) return null;
	const hour = isHalf ? (Number(hours) % 12) + (isAfternoon ? 12 : 0) : Number(hours);
	if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
	const named = zone === undefined ? undefined : ZONES[zone];
	if (zone !== undefined && named === undefined) return null;
	const clock = `${two(hour)}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}`;
	if (offset) return clock + offsetOf(offset);
	return named === undefined ? clock : clock + (named === 0 ? 'Z' : offsetOf(String(named)));
}

const two = (value: number | string) => String(value).padStart(2, '0');

/** An offset such as `+2`, `-5`, `+0530` or `+05:30` in ISO 8601. */
function offsetOf(text: string): string {
	const [, minus, hours, minutes = '00'] = /^(-)?\+?(\d{1,2}):?(\d{2})?$/.exec(text) ?? [];
	return `${minus ?? '+'}${two(hours)}:${minutes}`;
}

const UTC = { zone: 'utc', setZone: true, locale: 'en' };

function formattedDateOf(text: string, format: string, now = Date.now()): string | null {
	if (format === 'X' || format === 'x') {
		const time = /^\d+(\.\d+)?$/.test(text) ? Number(text) * (format === 'X' ? 1000 : 1) : NaN;
		return DateTime.fromMillis(time, { zone: 'utc' }).toISO();
	}
	const letters = lettersOf(format);
	const date = DateTime.fromFormat(inEnglish(text, format), format, UTC);
	if (!date.isValid) return null;
	// Luxon would take the year from n8n's clock.
	const dated = /[yGko]/.test(letters) ? date : date.set({ year: new Date(now).getUTCFullYear() });
	if (!/[HhmsSu]/.test(letters)) return dated.toISODate();
	return dated.toISO({ includeOffset: /[Zz]/.test(letters) });
}

/**
 * A text with its month in English, in the length that the format requires, because Luxon reads one language at a time.
 */
function inEnglish(text: string, format: string): string {
	const [, length] = /(?<![ML])([ML]{3,4})(?![ML])/.exec(format) ?? [];
	if (!length) return text;
	return text.replace(/\p{L}{3,}/gu, (word) => {
		const month = monthOf(word);
		return month > 0 ? DateTime.utc(2026, month).toFormat(length, { locale: 'en' }) : word;
	});
}

const lettersOf = (format: string) => format.replace(/'[^']*'/g, '').replace(/[^a-z]/gi, '');

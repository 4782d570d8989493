import { DateTime } from 'luxon';
import { atOnce, mapping } from '../http/concurrency';
import { cellText } from './values';

/**
 * A column's dates as ISO 8601, with a time and a time zone if the texts have them; null without a day, a month or a
 * year, and for `03/04/2026` if no other date of the column shows the order. A format may leave out the year.
 * @param now when Maxun read the page, in epoch milliseconds
 */
export const datesOf = (values: unknown[], settings: DateSettings): Array<string | null> =>
	atOnce(datesIn(values, settings));

interface DateSettings {
	format?: string;
	now?: number;
}

/** The same. Yields after each value. */
export function* datesIn(values: unknown[], { format, now }: DateSettings) {
	const texts = yield* mapping(values, (value) =>
		typeof value === 'string' || typeof value === 'number'
			? cellText(String(value)).replaceAll('\n', ' ')
			: '',
	);
	// A column usually has only a few different dates.
	const given = [...new Set(texts)];
	const read = format
		? (text: string) => formattedDateOf(text, format, now)
		: yield* recognizer(given, now);
	const known = new Map(yield* mapping(given, (text) => [text, read(text)] as const));
	return texts.map((text) => known.get(text) ?? null);
}

function* recognizer(texts: string[], now: number | undefined) {
	const matches: RegExpExecArray[] = [];
	const numeric = new Map<string, ReturnType<typeof numericDates>>();
	for (const text of texts) {
		yield;
		const match = DATE.exec(text);
		if (!match) continue;
		matches.push(match);
		numeric.set(text, numericDates(match, now));
	}
	const isPossible = (order: string) => [...numeric.values()].every((dates) => dates.has(order));
	const usual = (endsWithYear(matches, now) ? ['dmy', 'mdy'] : ORDERS).filter(isPossible);
	return (text: string): string | null => {
		const dates = numeric.get(text);
		if (!dates) return namedDateOf(text) ?? relativeOf(text, now);
		const orders = usual.length > 0 ? usual : [...dates.keys()];
		const [date = null, ...others] = new Set(orders.map((order) => dates.get(order)));
		return others.length > 0 ? null : date;
	};
}

/** A date in numbers, whose order depends on the page. In dates with dots, the day comes before the month. */
export const DATE = /(?<![\d./-])(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/;

const ORDERS = ['dmy', 'mdy', 'ymd'];

/** A date in numbers, by the possible orders of day, month and year. */
function numericDates(match: RegExpExecArray, now: number | undefined) {
	const [date, first, separator, second, third] = match;
	const time = timeIn(match.input.replace(date, ' '));
	const isPossible: Record<string, boolean> = { mdy: separator !== '.', ymd: third.length === 2 };
	const dates = ORDERS.filter((order) => isPossible[order] ?? true).flatMap((order) => {
		const parts = { [order[0]]: first, [order[1]]: second, [order[2]]: third };
		const day = dayOf(fullYear(parts.y, now), parts.m, parts.d);
		return day === null ? [] : [[order, time === null ? null : day + time] as const];
	});
	return new Map(dates);
}

/** Whether a column's dates begin with several numbers, but all end with the year when they were read or the year before. */
function endsWithYear(dates: RegExpExecArray[], now = Date.now()): boolean {
	const isRecent = ([, , , , year]: string[]) =>
		[0, 1].includes(new Date(now).getUTCFullYear() - Number(fullYear(year, now)));
	return new Set(dates.map(([, first]) => first)).size > 2 && dates.every(isRecent);
}

function fullYear(year: string, now = Date.now()): string {
	if (year.length !== 2) return year;
	const isPast = 2000 + Number(year) > new Date(now).getUTCFullYear() + 10;
	return (isPast ? '19' : '20') + year;
}

const LANGUAGES =
	'en de de-AT fr es it pt nl pl cs sk sv da nb fi hu ro tr el ru uk bg id ca ja ko zh'.split(' ');

/** Makes a value when it is first needed. The names in all languages take about 100 ms. */
function lazy<T>(make: () => T): () => T {
	let made: T | undefined;
	return () => (made ??= make());
}

/** Months by their names in all languages. A name with two meanings is 0. */
const months = lazy(() => {
	const found = new Map(Object.entries({ sept: 9, mrz: 3 }));
	for (const language of LANGUAGES) {
		for (const month of ['long', 'short'] as const) {
			for (const day of [undefined, 'numeric'] as const) {
				const format = new Intl.DateTimeFormat(language, { month, day, timeZone: 'UTC' });
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

const dayNames = lazy(
	() =>
		new Set(
			LANGUAGES.flatMap((language) =>
				(['long', 'short'] as const).flatMap((weekday) => {
					const { format } = new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' });
					return [1, 2, 3, 4, 5, 6, 7].map((day) => plainName(format(Date.UTC(2026, 0, day))));
				}),
			),
		),
);

/** Whether a word is the name of a weekday. */
export const isDayName = (word: string): boolean => dayNames().has(plainName(word));

const plainName = (name: string) => name.toLowerCase().replace(/\.$/, '');

export const monthOf = (text: string): number =>
	/^\d+$/.test(text) ? Number(text) : (months().get(plainName(text)) ?? 0);

export const NAMED_DATES: RegExp[] = [
	/(?<!\d)(?<year>\d{4})([-./])(?<month>\d{1,2})\2(?<day>\d{1,2})(?!\d)/,
	/(?<!\d)(?<year>\d{4})\s?[年년]\s?(?<month>\d{1,2})\s?[月월]\s?(?<day>\d{1,2})\s?[日일]/,
	/(?<!\d)(?<day>\d{1,2})(?:st|nd|rd|th|er|[.ºª])?[\s-]*(?:(?:de|of)\s+)?(?<month>\p{L}{3,})[.,]?[\s-]*(?:(?:de|del)\s+)?(?<year>\d{4})(?!\d)/iu,
	/(?<month>\p{L}{3,})\.?\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})(?!\d)/iu,
	/(?<!\d)(?<year>\d{4})\.?\s+(?<month>\p{L}{3,})\.?\s+(?<day>\d{1,2})(?!\d)/iu,
];

/** A date with a name of a month, or with a year of four digits at its beginning. */
function namedDateOf(text: string): string | null {
	if (!/\d/.test(text)) return null;
	for (const form of NAMED_DATES) {
		const match = form.exec(text);
		if (!match?.groups) continue;
		const { year, month, day } = match.groups;
		const date = dayOf(year, month, day);
		const time = timeIn(text.replace(match[0], ' '));
		return date === null || time === null ? null : date + time;
	}
	return null;
}

/** Words between a day and its time, and after the time: "Today at 10:56", "heute um 14:30 Uhr". */
const AT = /(?:\s(?:at|um|à|às|a las|alle|om|o|v|kl|klo|в|о))?[\s.,·]*(?:Uhr)?\s*$/i;

function relativeOf(text: string, now: number | undefined): string | null {
	const time = TIME.exec(text);
	if (!time) return relativeDateOf(text, now);
	const day = relativeDateOf(text.replace(time[0], ' ').replace(AT, ''), now);
	const clock = clockOf(time);
	return day === null || clock === null || day.includes('T') ? null : day + clock;
}

const TIME_PARTS = [
	/(?<before>午前|上午|오전|午後|下午|오후)?\s*/,
	/(?<![\d:])(?<hours>\d{1,2})[:h](?<minutes>\d{2})/,
	/(?::(?<seconds>\d{2})(?:[.,](?<fraction>\d{1,3})\d*)?)?\s*/,
	/(?<half>[apAP]\.?\s?[mM]\b\.?)?\s*/,
	/\(?(?<zone>(?<![A-Za-z])[A-Z]{1,5}(?![A-Za-z]))?\)?/,
	/(?<offset>[+-]\d{1,2}(?::?\d{2})?)?(?!\d)/,
];
export const TIME = new RegExp(TIME_PARTS.map(({ source }) => source).join(''));

/** Time zones with unambiguous names. */
const ZONES = new Map(
	Object.entries({
		Z: 'Z UTC GMT',
		'+1': 'CET MEZ',
		'+2': 'CEST MESZ EET',
		'+3': 'EEST',
		'+9': 'JST KST',
		'+10': 'AEST',
		'+11': 'AEDT',
		'-4': 'EDT',
		'-5': 'EST CDT',
		'-6': 'MDT',
		'-7': 'MST PDT',
		'-8': 'PST',
	}).flatMap(([offset, names]) => names.split(' ').map((name): [string, string] => [name, offset])),
);

/** A date without a time; null if it doesn't exist. */
function dayOf(year: string, month: string, day: string): string | null {
	const number = monthOf(month);
	const date = new Date(Date.UTC(Number(year), number - 1, Number(day)));
	const exists = date.getUTCMonth() === number - 1 && date.getUTCDate() === Number(day);
	return exists ? `${year}-${two(number)}-${two(day)}` : null;
}

/** The time in the rest of a date's text; null if the rest contains other numbers. */
function timeIn(rest: string): string | null {
	if (!/\d/.test(rest)) return '';
	const time = TIME.exec(rest);
	const others = time ? rest.replace(time[0], ' ') : rest;
	if (!time || /\d/.test(others)) return null;
	const [zone, ...more] = [...others.matchAll(ZONE)].map(([text]) => text);
	const { groups = {} } = time;
	if (!zone) return clockOf(time);
	const isOnly = more.length === 0 && groups.zone === undefined && groups.offset === undefined;
	return isOnly ? clockOf({ groups: { ...groups, zone } }) : null;
}

/** Words that may be a time zone before its time, or apart from it, as in `EST 10:00` and `10:00 Eastern Time`. */
const ZONE = /\b(?!S?AT\b)(?:[A-Z]{1,3}T|UTC|MEZ|MESZ|MSK)\b|\p{Lu}\p{L}+ Time\b(?!:)/gu;

/** The time and the zone in a match of `TIME`; null if the time is invalid or the zone is unknown. */
function clockOf({ groups = {} }: Pick<RegExpExecArray, 'groups'>): string | null {
	const { before = '', hours, minutes, seconds = '00', fraction = '', half = '' } = groups;
	const { zone, offset = ZONES.get(zone) ?? '' } = groups;
	const isHalf = half + before !== '';
	const isAfternoon = /^p/i.test(half) || /[後下후]/.test(before);
	const hour = isHalf ? (Number(hours) % 12) + (isAfternoon ? 12 : 0) : Number(hours);
	if (Number(hours) > (isHalf ? 12 : 23) || Number(minutes) > 59 || Number(seconds) > 59)
		return null;
	if (zone !== undefined && !ZONES.has(zone)) return null;
	return `T${two(hour)}:${minutes}:${seconds}.${fraction.padEnd(3, '0')}${offsetOf(offset)}`;
}

const two = (value: number | string) => String(value).padStart(2, '0');

/** An offset such as `+2`, `-0530` or `+05:30` in ISO 8601. */
const offsetOf = (text: string) =>
	text.replace(
		/^([+-])(\d{1,2}):?(\d{2})?$/,
		(_, sign: string, hours: string, minutes = '00') => `${sign}${two(hours)}:${minutes}`,
	);

/** Words for the number one, as in "vor einem Tag". A phrase may also leave it out, as in "godzinę temu". */
const ONES: Record<string, string> = {
	en: 'a an one',
	de: 'einem einer',
	fr: 'un une',
	es: 'un una',
	it: 'un una',
	pt: 'um uma',
	ca: 'un una',
	ro: 'un o',
	nl: 'een',
	sv: 'en ett',
	da: 'en et',
	nb: 'en et ett',
	tr: 'bir',
};

const ABOUT =
	/ ?(?:about|around|approximately|etwa|ungefähr|ca\.|circa|environ|aproximadamente|около) /i;

/** Words before a time in the past, such as "Posted" and "Last updated on"; any before a colon. */
const LABEL = /^(?:[\p{L} ]+:|(?:last )?[a-z]+ed(?: on)?(?= )|last [a-z]+(?= ))\s*/iu;

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
const SHORT = { secs: 'second', mins: 'minute', hrs: 'hour', wks: 'week', yrs: 'year' } as const;

/** A word such as "yesterday" has a count. */
interface Phrase {
	unit: (typeof UNITS)[number];
	count?: number;
}

/** The phrases in all languages, without spaces. A phrase with two meanings is undefined. */
const phrases = lazy(() => {
	const found = new Map<string, Phrase | undefined>([['justnow', { unit: 'second', count: 0 }]]);
	const firsts = new Set(['just']);
	const add = (text: string, unit: Phrase['unit'], count?: number) => {
		const key = bareOf(text);
		firsts.add(bareOf(text.split(/\s/)[0]));
		const other = found.get(key);
		const isSame = !found.has(key) || (other?.unit === unit && other.count === count);
		found.set(key, isSame ? { unit, count } : undefined);
	};
	for (const [short, unit] of Object.entries(SHORT)) add(`# ${short} ago`, unit);
	for (const language of LANGUAGES) {
		for (const style of ['long', 'short', 'narrow'] as const) {
			const always = new Intl.RelativeTimeFormat(language, { style });
			const words = new Intl.RelativeTimeFormat(language, { style, numeric: 'auto' });
			for (const unit of UNITS) {
				// Each of these numbers has another plural form in some language.
				for (const count of [1, 2, 5]) {
					const text = always.format(-count, unit);
					if (text.includes(String(count))) add(text.replace(String(count), '#'), unit);
					else add(text, unit, count);
				}
				const single = always.format(-1, unit);
				for (const one of ['', ...(ONES[language] ?? '').split(' ')])
					add(single.replace('1', one), unit, 1);
			}
			for (const count of [0, 1, 2]) add(words.format(-count, 'day'), 'day', count);
		}
	}
	return { found, firsts };
});

const bareOf = (text: string) => text.toLowerCase().replace(/[\s.,]+/g, '');

const withoutCount = (text: string) => bareOf(text.replace(/\d+/, '#'));

/** How many of the words at the beginning are an age, such as "2 hours ago" or "yesterday". */
export function wordsOfAge(words: string[]): number {
	const { found, firsts } = phrases();
	if (!firsts.has(withoutCount(words[0]))) return 0;
	let length = Math.min(5, words.length);
	while (length > 0 && !found.has(withoutCount(words.slice(0, length).join(' ')))) length--;
	return length;
}

/** A date such as "2 hours ago", "vor 3 Tagen" or "yesterday" as ISO 8601 in UTC, with a time for hours or less. */
function relativeDateOf(text: string, now: number | undefined): string | null {
	if (now === undefined) return null;
	const plain = text.replace(LABEL, '').replace(ABOUT, ' ');
	const phrase = phrases().found.get(withoutCount(plain));
	const count = phrase?.count ?? Number(/\d+/.exec(plain)?.[0]);
	if (!phrase || !(count < 10_000)) return null;
	const { unit } = phrase;
	const date = DateTime.fromMillis(now, { zone: 'utc' }).minus({ [unit]: count });
	return ['second', 'minute', 'hour'].includes(unit) ? date.toISO() : date.toISODate();
}

const UTC = { zone: 'utc', setZone: true, locale: 'en' };

function formattedDateOf(text: string, format: string, now = Date.now()): string | null {
	if (format === 'X' || format === 'x') {
		const time = /^\d+(\.\d+)?$/.test(text) ? Number(text) * (format === 'X' ? 1000 : 1) : NaN;
		return DateTime.fromMillis(time, { zone: 'utc' }).toISO();
	}
	const letters = format.replace(/'[^']*'/g, '');
	const date = DateTime.fromFormat(inEnglish(text, format), format, UTC);
	if (!date.isValid) return null;
	// Luxon would take the year from n8n's clock.
	const dated = /[yGko]/.test(letters) ? date : date.set({ year: new Date(now).getUTCFullYear() });
	if (!/[HhmsSu]/.test(letters)) return dated.toISODate();
	return dated.toISO({ includeOffset: /[Zz]/.test(letters) });
}

/** A text with its month as the format requires, in English, because Luxon reads one language at a time. */
function inEnglish(text: string, format: string): string {
	const [, length] = /(?<![ML])([ML]{3,4})(?![ML])/.exec(format) ?? [];
	if (!length) return text;
	return text.replace(/\p{L}{3,}/gu, (word) => {
		const month = monthOf(word);
		return month > 0 ? DateTime.utc(2026, month).toFormat(length, { locale: 'en' }) : word;
	});
}

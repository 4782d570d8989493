import { DateTime } from 'luxon';

// Values as web pages write them, converted for spreadsheets and databases. Null means that a value can't be converted.

/** Which separators a number has. */
export type NumberFormat = 'automatic' | 'point' | 'comma';

/** What stands between groups of three digits, besides a comma or a point: an apostrophe, or a space of any width. */
const GAPS = "['’ \\u00a0\\u2007\\u2009\\u202f]";

const GAP = new RegExp(GAPS, 'g');

/** A number with any separators. A point or comma before the first digit is decimal, unless it ends a word: `No.5`. */
const NUMERAL = new RegExp(
	`(?:(?<![\\p{L}\\d])[.,])?\\d(?:[\\d.,]|${GAPS}(?=\\d{3}(?!\\d)))*`,
	'gu',
);

/**
 * The only number in a text, whatever stands around it: `$1,249.00` → 1249, `12 in stock` → 12, `(3.50)` → -3.5.
 *
 * With the format `automatic`, the last separator is the decimal one. A single one before exactly three digits separates
 * thousands: `1.249` → 1249. A number that begins with a zero has no thousands: `0.125` → 0.125.
 */
export function numberOf(value: unknown, format: NumberFormat): number | null {
	if (typeof value === 'number') return Number.isFinite(value) ? value : null;
	if (typeof value !== 'string') return null;
	const found = [...value.matchAll(NUMERAL)];
	if (found.length !== 1) return null;
	const [[matched], { index = 0 }] = [found[0], found[0]];
	const digits = matched.replace(GAP, '').replace(/[.,]+$/, '');
	const decimal = decimalIn(digits, format);
	const plain = withPoint(digits, decimal);
	const number = plain === null ? NaN : Number(plain);
	if (!Number.isFinite(number)) return null;
	const hasDecimals = decimal !== undefined && digits.includes(decimal);
	const [before, after] = [value.slice(0, index), value.slice(index + matched.length)];
	const isNegative =
		hasMinus(before) ||
		(/\d$/.test(matched) && /^[-−–]\s*$/.test(after)) ||
		(isInBrackets(value) && (hasDecimals || CURRENCY.test(value)));
	return isNegative ? -number : number;
}

const CURRENCY = /\p{Sc}|\b[A-Z]{3}\b/u;

/** Brackets around a whole text mean a negative amount, or only a count: `(1,249)` reviews. */
const isInBrackets = (text: string) => /^\s*\(.*\)\s*$/.test(text);

/** Whether a minus belongs to the number behind this text. In `In stock - 12`, it is a dash. */
const hasMinus = (before: string) =>
	/^[\s(]*[-−–]\s*[^\s\d-]{0,4}\s*$/.test(before) ||
	/[\s(:\p{Sc}][-−–](?:(?:[A-Za-z]{1,3}\p{Sc}?|\p{Sc})\s?)?$/u.test(before);

/** The decimal separator; undefined if there is none. */
function decimalIn(digits: string, format: NumberFormat): string | undefined {
	if (format === 'point') return '.';
	if (format === 'comma') return ',';
	const separators = digits.replace(/\d/g, '');
	const last = separators.at(-1);
	if (last === undefined || separators.split(last).length > 2) return undefined;
	const isGroup = separators.length === 1 && /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits);
	return isGroup ? undefined : last;
}

/** Whole numbers: without groups, with groups of three digits, and as in India. */
const GROUPED = [/^\d*$/, /^\d{1,3}([.,]\d{3})+$/, /^\d{1,2}(,\d{2})+,\d{3}$/];

/** The digits as JavaScript writes a number; null if the separators are in wrong places. */
function withPoint(digits: string, decimal: string | undefined): string | null {
	const [whole, fraction, ...others] = decimal === undefined ? [digits] : digits.split(decimal);
	if (others.length > 0 || (fraction !== undefined && /\D/.test(fraction))) return null;
	return GROUPED.some((form) => form.test(whole))
		? `${whole.replace(/\D/g, '') || '0'}.${fraction || '0'}`
		: null;
}

/** The end of a text with a time zone: `Z`, an offset or an abbreviation. */
const ZONE = /(?:Z|[+-]\d{2}:?\d{2}|\b(?![AP]M)[A-Z]{2,4})$/;

/** A time without a date, which ISO 8601 and SQL read as a time of today. */
const ONLY_TIME = /^T|^\d{1,2}:/i;

const UTC = { zone: 'utc', setZone: true };

/**
 * A date as ISO 8601. Contains a time and a time zone only if the text does, or the format. A time alone is no date.
 *
 * @param format with the tokens of Luxon, e.g. `dd.MM.yyyy`; empty for ISO 8601, SQL, HTTP and email
 */
export function dateOf(value: unknown, format: string): string | null {
	if (typeof value !== 'string') return null;
	const text = value.trim();
	return format ? formattedDateOf(text, format) : standardDateOf(text);
}

function formattedDateOf(text: string, format: string): string | null {
	const options = { ...UTC, locale: 'en' };
	const date = DateTime.fromFormat(text, format, options);
	if (!date.isValid) return null;
	// The first letters of the tokens.
	const letters = Object.keys(DateTime.fromFormatExplain(text, format, options).matches ?? {}).join(
		'',
	);
	if (!/[yMLdokWcE]/.test(letters)) return null;
	if (!/[HhmsSu]/.test(letters)) return date.toISODate();
	return date.toISO({ includeOffset: /[Zz]/.test(letters) });
}

/** The forms without a format, likeliest first. Each takes time. */
const STANDARDS = [
	(text: string) => DateTime.fromISO(text, UTC),
	(text: string) => DateTime.fromSQL(text, UTC),
	(text: string) => DateTime.fromRFC2822(text, UTC),
	(text: string) => DateTime.fromHTTP(text, UTC),
];

function standardDateOf(text: string): string | null {
	// A number of four digits is a year in ISO 8601, and more probably something else on a page.
	if (/^\d+$/.test(text) || ONLY_TIME.test(text)) return null;
	for (const read of STANDARDS) {
		const date = read(text);
		if (!date.isValid) continue;
		return /\d:\d/.test(text) ? date.toISO({ includeOffset: ZONE.test(text) }) : date.toISODate();
	}
	return null;
}

/** An absolute URL. @param base the page of a relative link */
export function linkOf(value: unknown, base: string | undefined): string | null {
	if (typeof value !== 'string') return null;
	try {
		return new URL(value.trim(), base).href;
	} catch {
		return null;
	}
}

const TRUE = ['true', 'yes', 'y', 'on', '1'];
const FALSE = ['false', 'no', 'n', 'off', '0'];

/** True or false, from the usual words. */
export function flagOf(value: unknown): boolean | null {
	const word = String(value).trim().toLowerCase();
	if (TRUE.includes(word)) return true;
	return FALSE.includes(word) ? false : null;
}

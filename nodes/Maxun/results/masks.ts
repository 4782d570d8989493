// Masks for what changes with every visit to a page. They only read lines of `MAX_LINE` characters.

import { DATE, isDayName, monthOf, NAMED_DATES, TIME, wordsOfAge } from './dates';
import { isCounted, isCurrency } from './numbers';

/** A longer line is prose. */
const MAX_LINE = 500;

/** A line without its counts, times, dates and ages. Prices, and numbers such as in `Version 2`, are kept. */
export const withoutNumbers = (line: string): string =>
	line.length > MAX_LINE ? line : withoutCounts(withoutDates(line.replace(/[*_`]/g, '')));

const [DATED, COUNT] = ['⌚', '#'];

const everywhere = (form: RegExp) => new RegExp(form, `${form.flags}g`);

const NAMED = NAMED_DATES.map(everywhere);
const [DATES, TIMES] = [DATE, TIME].map(everywhere);

const MONTH_DAY =
	/(?<!\p{L})(?<month>\p{L}{3,})\.? \d{1,2}(?:st|nd|rd|th)?(?![\d.:])|(?<![\d.])\d{1,2}\.? (?<other>\p{L}{3,})(?!\p{L})/gu;

/** Versions may look like dates. */
const VERSION = /(?:\bv|version|release|build|\brev|kernel|firmware)[.:]? ?$/i;

function withoutDates(line: string): string {
	const isVersion = (offset: number, text: string) => VERSION.test(text.slice(0, offset));
	let text = line;
	for (const form of [...NAMED, MONTH_DAY])
		text = text.replace(form, (date: string, ...found: unknown[]) => {
			const { month, other } = Object(found.at(-1));
			return monthOf(String(month ?? other)) > 0 ? DATED : date;
		});
	return text
		.replace(DATES, (date: string, ...found: unknown[]) =>
			isVersion(Number(found.at(-2)), String(found.at(-1))) ? date : DATED,
		)
		.replace(TIMES, DATED)
		.replace(/(\p{L}+)[.,]? (?=⌚)/gu, (all, word: string) => (isDayName(word) ? '' : all))
		.replace(/⌚(?:(?:,? | ?[-–T] ?)⌚)+/g, DATED)
		.replace(PHRASE, withoutAges);
}

/** Words next to each other, such as "3 hours ago". */
const PHRASE = /[\p{L}\p{M}\d]+(?:[ .][\p{L}\p{M}\d]+)*/gu;

function withoutAges(phrase: string): string {
	const words = phrase.split(' ');
	for (let start = 0; start < words.length; start++) {
		const length = wordsOfAge(words.slice(start));
		if (length > 0) words.splice(start, length, DATED);
	}
	return words.join(' ');
}

const NUMBER = /(?<![\p{L}\d.,])\d+(?:[.,'’ ]\d{3})*(?:[.,]\d+)?(?!\d)/gu;

const withoutCounts = (line: string): string =>
	line.replace(NUMBER, (number: string, offset: number) => {
		const [before, after] = [line.slice(0, offset), line.slice(offset + number.length)];
		const isCount = !isMoney(before, after) && !VERSION.test(before);
		return isCount && (isCountedIn(TRAILING, after) || isCountedIn(LEADING, before))
			? COUNT
			: number;
	});

/** `12 new reviews` and `1.2k views`. */
const TRAILING =
	/^(?:st|nd|rd|th)?\+? ?(?:[kKmM]\b|Mio\.?|тыс\.?)?\+? ?(?<first>\p{L}+)(?: (?<second>\p{L}+))?/u;

/** `Visitors today: 12`, `Visitor number 12` and `Views 12`. */
const LEADING =
	/(?<first>\p{L}+)(?: (?<second>\p{L}+|⌚))?(?:(?: number| no\.?| nr\.?)? ?[:#]| number| no\.?| nr\.?)? ?$/iu;

function isCountedIn(form: RegExp, text: string): boolean {
	const { first = '', second = '' } = form.exec(text)?.groups ?? {};
	if (isCounted(first)) return true;
	return isCounted(second) && !isCurrency(first);
}

const isMoney = (before: string, after: string): boolean =>
	/\p{Sc} ?$/u.test(before) ||
	/^ ?\p{Sc}/u.test(after) ||
	isCurrency(/\p{L}+(?=\.? ?$)/u.exec(before)?.[0]) ||
	isCurrency(/^ ?([A-Z]{3}|\p{L}{1,2}|(?<= )\p{L}+)(?!\p{L})/u.exec(after)?.[1]);

/** Whether a line has a price, or a number that may be a price. */
export const hasPrice = (line: string): boolean =>
	/\p{Sc}/u.test(line)
		? /\d/.test(line)
		: line.length <= MAX_LINE &&
			[...line.matchAll(NUMBER)].some(({ 0: number, index }) => {
				const after = line.slice(index + number.length);
				const isDecimal = /[.,]\d\d$/.test(number) && !/^ ?[\p{L}%]/u.test(after);
				return isDecimal || isMoney(line.slice(0, index), after);
			});

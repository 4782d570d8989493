import { DateTime } from 'luxon';

export const LANGUAGES =
	'en de de-AT fr es it pt nl pl cs sk sv da nb fi hu ro tr el ru uk bg id ca ja ko zh'.split(' ');

/** Words for the number one, as in "vor einem Tag". A phrase may also leave it out, as in "godzinę temu". */
const ONES: Record<string, string> = {
	...{ en: 'a an one', de: 'einem einer', fr: 'un une', es: 'un una', it: 'un una', pt: 'um uma' },
	...{ ca: 'un una', ro: 'un o', nl: 'een', sv: 'en ett', da: 'en et', nb: 'en et ett', tr: 'bir' },
};

const ABOUT =
	/ ?(?:about|around|approximately|etwa|ungefähr|ca\.|circa|environ|aproximadamente|около) /i;

const LABEL = /^\s*(?:re)?(?:posted|published|updated|added|listed)\s*(?:on)?:?\s*/i;

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
const SHORT = { sec: 'second', min: 'minute', hr: 'hour', wk: 'week', yr: 'year' } as const;

/** A word such as "yesterday" has a count. */
interface Phrase {
	unit: (typeof UNITS)[number];
	count?: number;
}

/** Makes a value when it is first needed. The names in all languages take about 100 ms. */
export function lazy<T>(make: () => T): () => T {
	let made: T | undefined;
	return () => (made ??= make());
}

/** The phrases in all languages, without spaces. A phrase with two meanings is undefined. */
const phrases = lazy(() => {
	const found = new Map<string, Phrase | undefined>([['justnow', { unit: 'second', count: 0 }]]);
	const add = (text: string, unit: Phrase['unit'], count?: number) => {
		const key = keyOf(text);
		const other = found.get(key);
		const isSame = !found.has(key) || (other?.unit === unit && other.count === count);
		found.set(key, isSame ? { unit, count } : undefined);
	};
	for (const [short, unit] of Object.entries(SHORT)) {
		add(`# ${short} ago`, unit);
		add(`# ${short}s ago`, unit);
	}
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
	return found;
});

const keyOf = (text: string) => text.toLowerCase().replace(/[\s.,]+/g, '');

/** A date such as "2 hours ago", "vor 3 Tagen" or "yesterday" as ISO 8601 in UTC, with a time for hours or less. */
export function relativeDateOf(text: string, now: number | undefined): string | null {
	if (now === undefined) return null;
	const plain = text.replace(LABEL, '').replace(ABOUT, ' ');
	const phrase = phrases().get(keyOf(plain.replace(/\d+/, '#')));
	const count = phrase?.count ?? Number(/\d+/.exec(plain)?.[0]);
	if (!phrase || !(count < 10_000)) return null;
	const { unit } = phrase;
	const date = DateTime.fromMillis(now, { zone: 'utc' }).minus({ [unit]: count });
	return ['second', 'minute', 'hour'].includes(unit) ? date.toISO() : date.toISODate();
}

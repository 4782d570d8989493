import { DateTime } from 'luxon';

export const LANGUAGES =
	'en de de-AT fr es it pt nl pl cs sk sv da nb fi hu ro tr el ru uk bg id ca ja ko zh'.split(' ');

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;
type Unit = (typeof UNITS)[number];

/** A phrase for a time in the past. `#` stands for its number. */
interface Phrase {
	unit: Unit;
	/** The number, if the phrase is a word such as "yesterday". */
	count?: number;
}

const MORE: Array<[string, Phrase]> = [
	['justnow', { unit: 'second', count: 0 }],
	['anhourago', { unit: 'hour', count: 1 }],
	...UNITS.map((unit): [string, Phrase] => [`a${unit}ago`, { unit, count: 1 }]),
];

const known: { forms?: Map<string, Phrase | undefined> } = {};

/** The phrases in all languages, without spaces. A phrase with two units is undefined. */
function formsOfAll(): Map<string, Phrase | undefined> {
	const found = new Map<string, Phrase | undefined>(MORE);
	const add = (text: string, count: number, unit: Unit) => {
		const key = keyOf(text.replace(String(count), '#'));
		const form = key.includes('#') ? { unit } : { unit, count };
		const other = found.get(key);
		const isSame = !found.has(key) || (other?.unit === unit && other.count === form.count);
		found.set(key, isSame ? form : undefined);
	};
	for (const language of LANGUAGES) {
		for (const style of ['long', 'short'] as const) {
			const always = new Intl.RelativeTimeFormat(language, { style });
			const words = new Intl.RelativeTimeFormat(language, { style, numeric: 'auto' });
			// One count for each plural form.
			for (const unit of UNITS)
				for (const count of [1, 2, 5]) add(always.format(-count, unit), count, unit);
			for (const count of [0, 1, 2]) add(words.format(-count, 'day'), count, 'day');
		}
	}
	return found;
}

const keyOf = (text: string) => text.toLowerCase().replace(/[\s.]+/g, '');

/** Words that may precede a relative date. */
const LABEL = /^\s*(?:re)?(?:posted|published|updated|added|listed)\s*(?:on)?:?\s*/i;

/**
 * A date such as "2 hours ago", "vor 3 Tagen" or "yesterday" as ISO 8601 in UTC, with a time for hours or less.
 *
 * @param now when Maxun read the page, in epoch milliseconds
 */
export function relativeDateOf(text: string, now: number | undefined): string | null {
	if (now === undefined) return null;
	known.forms ??= formsOfAll();
	const plain = text.replace(LABEL, '');
	const form = known.forms.get(keyOf(plain.replace(/\d+/, '#')));
	const count = form?.count ?? Number(/\d+/.exec(plain)?.[0]);
	if (!form || !(count < 10_000)) return null;
	const { unit } = form;
	const date = DateTime.fromMillis(now, { zone: 'utc' }).minus({ [unit]: count });
	return ['second', 'minute', 'hour'].includes(unit) ? date.toISO() : date.toISODate();
}

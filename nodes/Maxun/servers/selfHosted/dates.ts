import type { IDataObject } from 'n8n-workflow';
import { parseDateTime } from '../../n8n/olderVersions';

/** The server's date format: month/day/year and a 12-hour time, e.g. `11/21/2026, 10:23:26 AM`. */
const LOCALE =
	/^(\d{1,2})\/(\d{1,2})\/(\d{4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap])\.?m\.?$/i;

/** The server's local time as ISO 8601 without a zone; undefined for any other format. */
function wallTime(text: string): string | undefined {
	const match = LOCALE.exec(text.trim());
	if (!match) return undefined;
	const [, month, day, year, hour, minute, second = '00', half] = match;
	const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
	const two = (part: string | number) => String(part).padStart(2, '0');
	return `${year}-${two(month)}-${two(day)}T${two(hours)}:${minute}:${second}`;
}

/** How many dates to remember. A list contains those of all runs of a robot. */
const REMEMBERED_DATES = 20_000;

/** Remembers what texts are converted to. Each event of a trigger reads the same runs again, and conversions are slow. */
function remembered<T>(convert: (text: string, timezone: string) => T) {
	const results = new Map<string, { result: T }>();
	return (text: string, timezone = ''): T => {
		const key = `${timezone} ${text}`;
		const known = results.get(key);
		if (known) return known.result;
		const result = convert(text, timezone);
		if (results.size >= REMEMBERED_DATES) results.clear();
		results.set(key, { result });
		return result;
	};
}

/**
 * A date as ISO 8601 in UTC.
 *
 * @param timezone the server's IANA time zone; undefined if unknown
 * @returns undefined if the time can't be determined
 */
export const instant = (text: unknown, timezone: string | undefined): string | undefined =>
	typeof text === 'string' ? instantOf(text, timezone) : undefined;

const instantOf = remembered((text, timezone) => {
	const local = wallTime(text);
	if (local) return timezone ? utc(local, timezone) : undefined;
	return /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : undefined;
});

const utc = (local: string, timezone: string) =>
	parseDateTime(local, timezone).toUTC().toISO() ?? undefined;

/** A number that sorts dates of one server, whether or not its time zone is known; 0 for an invalid date. */
export const order = (text: unknown): number => orderOf(String(text));

const orderOf = remembered((text) => {
	const local = wallTime(text);
	const milliseconds = Date.parse(local ? `${local}Z` : text);
	return Number.isNaN(milliseconds) ? 0 : milliseconds;
});

/** Entries sorted by a date, newest first: the server lists them in no particular order. */
export const newestFirst = <T extends IDataObject>(entries: T[], name: keyof T): T[] =>
	entries
		.map((entry) => ({ entry, time: order(entry[name]) }))
		.sort((a, b) => b.time - a.time)
		.map(({ entry }) => entry);

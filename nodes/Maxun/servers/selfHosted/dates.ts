import type { IDataObject } from 'n8n-workflow';
import { parseDateTime } from '../../n8n/olderVersions';

/** The server's date format: month/day/year and a 12-hour time, e.g. `11/21/2026, 10:23:26 AM`. */
const LOCALE =
	/^(\d{1,2})\/(\d{1,2})\/(\d{4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap])\.?m\.?$/i;

/** The server's local time as ISO 8601 without a zone; undefined for any other format. */
export function wallTime(text: unknown): string | undefined {
	const match = typeof text === 'string' ? LOCALE.exec(text.trim()) : null;
	if (!match) return undefined;
	const [, month, day, year, hour, minute, second = '00', half] = match;
	const hours = (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
	const two = (part: string | number) => String(part).padStart(2, '0');
	return `${year}-${two(month)}-${two(day)}T${two(hours)}:${minute}:${second}`;
}

/**
 * A date as ISO 8601 in UTC.
 *
 * @param timezone the server's IANA time zone; undefined if unknown
 * @returns undefined if the time can't be determined
 */
export function instant(text: unknown, timezone: string | undefined): string | undefined {
	const local = wallTime(text);
	if (local) return timezone ? utc(local, timezone) : undefined;
	return typeof text === 'string' && /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(text)
		? text
		: undefined;
}

const utc = (local: string, timezone: string) =>
	parseDateTime(local, timezone).toUTC().toISO() ?? undefined;

/** A number that sorts dates of one server, whether or not its time zone is known; 0 for an invalid date. */
export function order(text: unknown): number {
	const local = wallTime(text);
	const milliseconds = Date.parse(local ? `${local}Z` : String(text));
	return Number.isNaN(milliseconds) ? 0 : milliseconds;
}

/** Entries sorted by a date, newest first: the server lists them in no particular order. */
export const newestFirst = <T extends IDataObject>(entries: T[], name: keyof T): T[] =>
	[...entries].sort((a, b) => order(b[name]) - order(a[name]));

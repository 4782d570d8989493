import type { IDataObject } from 'n8n-workflow';
import { parseDateTime } from '../n8n/olderVersions';
import { HOUR } from '../http/time';

/** A date and a time in a format that servers use in their language, such as `11/21/2026, 10:23:26 AM`. */
const LOCALE =
	/^(\d{1,4})\s?[/.\-年년]\s?(\d{1,2})\s?[/.\-月월]\s?(\d{1,4})[日일]?[.,]*\s*(\D*?)\s*(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?\s*(\D*)$/;

const AFTERNOON = /^p\.?\s?m|午後|下午|오후/i;
const HALF = /^[ap]\.?\s?m|午前|午後|上午|下午|오전|오후/i;

/** Only US English, which writes `AM` or `PM`, has the month first. A number above 12 shows the order, too. */
function dayOf(first: string, second: string, third: string, half: string): string[] {
	if (first.length > 2) return [first, second, third];
	const isMonthFirst = /^[AP]M$/.test(half) ? Number(first) <= 12 : Number(second) > 12;
	return isMonthFirst ? [third, first, second] : [third, second, first];
}

/** The server's local time as ISO 8601 without a zone; undefined for any other format. */
function wallTime(text: string): string | undefined {
	const match = LOCALE.exec(text.trim());
	if (!match) return undefined;
	const [, first, second, third, before, hour, minute, seconds = '00', after] = match;
	const half = [before, after].map((part) => part.trim()).find((part) => HALF.test(part)) ?? '';
	const [year, month, day] = dayOf(first, second, third, half);
	if (year.length !== 4) return undefined;
	const afternoon = AFTERNOON.test(half) ? 12 : 0;
	const hours = half === '' ? Number(hour) : (Number(hour) % 12) + afternoon;
	const two = (part: string | number) => String(part).padStart(2, '0');
	return `${year}-${two(month)}-${two(day)}T${two(hours)}:${minute}:${seconds}`;
}

/** A date as ISO 8601 in UTC; undefined if its time zone is unknown. */
export function instant(text: unknown, timezone: string | undefined): string | undefined {
	if (typeof text !== 'string') return undefined;
	const local = wallTime(text);
	if (local && timezone) return parseDateTime(local, timezone).toUTC().toISO() ?? undefined;
	if (local) return undefined;
	return /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(text) ? text : undefined;
}

/** A number that sorts a server's dates, even if its time zone is unknown; 0 for an invalid date. */
export function order(text: unknown): number {
	const local = wallTime(String(text));
	const milliseconds = Date.parse(local ? `${local}Z` : String(text));
	return Number.isNaN(milliseconds) ? 0 : milliseconds;
}

export const newestFirst = <T extends IDataObject>(entries: T[], name: keyof T): T[] =>
	entries
		.map((entry) => ({ entry, time: order(entry[name]) }))
		.sort((a, b) => b.time - a.time)
		.map(({ entry }) => entry);

interface TimedRun {
	id: string;
	startedAt?: unknown;
	finishedAt?: unknown;
	/** The local time that a self-hosted server sent, without a zone. */
	startedAtLocal?: unknown;
	finishedAtLocal?: unknown;
}

const firstTime = (times: unknown[]): number | undefined =>
	times.map(order).find((time) => time > 0);

/** When a run started, in epoch milliseconds of the server's clock. A local time without a zone counts as UTC. */
export const startOf = ({ startedAt, startedAtLocal }: TimedRun): number | undefined =>
	firstTime([startedAtLocal, startedAt]);

/** When a run ended, in the same format. Without an end time, when it started. */
export const endOf = (run: TimedRun): number | undefined =>
	firstTime([run.finishedAtLocal, run.finishedAt]) ?? startOf(run);

/** Sorts runs by their ends. */
export const latestFirst = (a: TimedRun, b: TimedRun) => (endOf(b) ?? 0) - (endOf(a) ?? 0);

/** How many milliseconds ago a run ended. If the server's time zone is unknown, at least this long. */
export function ageOf(run: TimedRun, now: number): number | undefined {
	const exact = order(instant(run.finishedAt, undefined));
	const end = endOf(run);
	if (exact > 0) return now - exact;
	// A server's local time may be 12 hours behind UTC.
	return end === undefined ? undefined : now - end - 12 * HOUR;
}

import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { DAY, SECOND } from '../http/time';

const AFTERNOON = /p\.?\s?m|午後|下午|오후/i;
const HALF = /[ap]\.?\s?m|午前|午後|上午|下午|오전|오후/i;

const ZONED = /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/;

/**
 * A date and a time without a zone; undefined for any other format. Servers write them in their language, such as
 * `11/21/2026, 10:23:26 AM`. Only US English, which writes `AM` or `PM`, has the month first.
 */
function wallTime(text: string) {
	const numbers = /^\s*\d/.test(text) && !ZONED.test(text) ? text.match(/\d+/g) : null;
	const [first, middle, last, hours, minute, second = 0, ...others] = (numbers ?? []).map(Number);
	if (minute === undefined || others.length > 0) return undefined;
	const isMonthFirst = /[AP]M\s*$/.test(text) ? first <= 12 : middle > 12;
	const [month, day] = isMonthFirst ? [first, middle] : [middle, first];
	const date = first > 31 ? { year: first, month: middle, day: last } : { year: last, month, day };
	const hour = HALF.test(text) ? (hours % 12) + (AFTERNOON.test(text) ? 12 : 0) : hours;
	return date.year > 999 ? { ...date, hour, minute, second } : undefined;
}

/** A date as ISO 8601 in UTC; undefined if its time zone is unknown. A number is in epoch milliseconds. */
export function instant(text: unknown, timezone?: string): string | undefined {
	if (typeof text === 'number') return DateTime.fromMillis(text).toUTC().toISO() ?? undefined;
	if (typeof text !== 'string') return undefined;
	if (ZONED.test(text)) return text;
	const local = timezone && wallTime(text);
	return local
		? (DateTime.fromObject(local, { zone: timezone }).toUTC().toISO() ?? undefined)
		: undefined;
}

/** A number that sorts a server's dates, even if its time zone is unknown; 0 for an invalid date. */
export function order(text: unknown): number {
	const local = wallTime(String(text));
	if (!local) return Date.parse(String(text)) || 0;
	const { year, month, day, hour, minute, second } = local;
	return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Times with and without a zone can't be compared. The times of a self-hosted server are whole seconds. */
export const isLater = (time: unknown, other: unknown): boolean =>
	ZONED.test(String(time)) === ZONED.test(String(other)) && order(time) >= order(other) + SECOND;

/** Reads each time once: a text with a local time takes microseconds, and a list may have thousands. */
const latestBy = <T>(entries: T[], timeOf: (entry: T) => number | undefined): T[] =>
	entries
		.map((entry) => ({ entry, time: timeOf(entry) ?? 0 }))
		.sort((a, b) => b.time - a.time)
		.map(({ entry }) => entry);

export const newestFirst = <T extends IDataObject>(entries: T[], name: keyof T): T[] =>
	latestBy(entries, (entry) => order(entry[name]));

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

/** By their ends. */
export const latestFirst = <T extends TimedRun>(runs: T[]): T[] => latestBy(runs, endOf);

/** Whether a server has sent local times without a zone. */
export const isLocal = ({ startedAtLocal, finishedAtLocal }: TimedRun): boolean =>
	[startedAtLocal, finishedAtLocal].some((sent) => Boolean(sent) && !instant(sent));

/**
 * The latest end of the runs; 0 without runs. An end later than n8n's clock may be wrong, and an earlier end only
 * makes lists longer. Local times may be 14 hours ahead.
 */
export function latestEnd(runs: TimedRun[]): number {
	const now = Date.now();
	const isPast = (run: TimedRun) => (endOf(run) ?? 0) <= now + (isLocal(run) ? DAY : 0);
	return runs.filter(isPast).reduce((latest, run) => Math.max(latest, endOf(run) ?? 0), 0);
}

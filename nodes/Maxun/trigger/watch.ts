import { z } from 'zod';
import type { IDataObject } from 'n8n-workflow';
import { isObject } from '../http/values';
import type { Run } from '../servers/entities';
import { endOf } from '../servers/runEnd';
import { eventOf, RUN_EVENTS, type RunCriteria, type RunEvent } from './event';
import type { TriggerNode } from './triggerNode';

/**
 * Since when the trigger watches a robot for each event, in milliseconds of the server's clock. Earlier runs never start
 * the workflow.
 */
export type Since = Partial<Record<RunEvent, number>>;

/**
 * How long a trigger may be unpublished and still continue its watch, in milliseconds. Publishing a change takes seconds
 * and up to five attempts. After this time, a publication begins a new watch.
 */
const REPUBLISH_TIME = 3 * 60_000;

const Times = z.object({
	run_completed: z.number().optional(),
	run_failed: z.number().optional(),
	run_aborted: z.number().optional(),
});

/** What the hooks save. The same times are in the URLs at Maxun, which every process sees with the first event. */
const SavedWatch = z.object({
	/** The trigger's URL. A copy of the workflow has another one. */
	url: z.string(),
	/** The API that the robots belong to. */
	server: z.string(),
	filter: z.string(),
	robots: z.record(z.string(), Times),
	/** Robots that are no longer selected, but may still have the trigger's webhook. */
	former: z.array(z.string()),
	/** When the trigger was unpublished, in milliseconds of n8n's clock. */
	removedAt: z.number().optional(),
});
export type SavedWatch = z.output<typeof SavedWatch>;

const FILTER = 'filter';

/** The saved watch, which is under the ID of the node: n8n looks for a node's own data under its name. */
export function readWatch({ node, workflowData }: TriggerNode): SavedWatch | undefined {
	const saved = workflowData()[keyOf(node.id)];
	// n8n adds a hidden field to static data, so this reads a copy.
	return isObject(saved) ? SavedWatch.safeParse(JSON.parse(JSON.stringify(saved))).data : undefined;
}

/** Saves a watch. Only hooks do this: n8n saves what other calls change late and as a whole. */
export function saveWatch({ node, workflowData }: TriggerNode, watch: SavedWatch): void {
	const data = workflowData();
	const key = keyOf(node.id);
	if (JSON.stringify(data[key]) !== JSON.stringify(watch)) data[key] = watch;
}

const keyOf = (nodeId: string) => `maxun:${nodeId}`;

/** The start of the watch by robot, according to the saved watch; empty if another watch has begun since. */
export const savedSince = (
	saved: SavedWatch | undefined,
	now: Pick<SavedWatch, 'url' | 'server' | 'filter'>,
): Record<string, Since> =>
	saved?.url === now.url &&
	saved.server === now.server &&
	saved.filter === now.filter &&
	!isOver(saved)
		? saved.robots
		: {};

/** Whether the trigger was unpublished too long ago to continue. */
export const isOver = ({ removedAt }: SavedWatch): boolean =>
	removedAt !== undefined && Date.now() - removedAt > REPUBLISH_TIME;

/** The options that decide about runs, as text. Another selection of them begins a new watch. */
export const filterOf = ({ onlyChanges, needsChanges, sources }: Filter) =>
	[
		...(onlyChanges ? ['changes'] : []),
		...(needsChanges ? ['compared'] : []),
		...[...sources].sort(),
	].join();

type Filter = Pick<RunCriteria, 'onlyChanges' | 'needsChanges' | 'sources'>;

/** The URL that is registered at Maxun: the trigger's own URL, with the start of the watch. */
export function addressOf(url: string, since: Since, filter: string): string {
	const times = Object.entries(since).map(([event, time]): [string, string] => [event, `${time}`]);
	return `${url}?${new URLSearchParams([...times, [FILTER, filter]]).toString()}`;
}

/** The start of the watch in a registered URL; empty if there is none, or it belongs to other options. */
export function sinceInAddress(address: string, filter: string): Since {
	return URL.canParse(address)
		? sinceInQuery(Object.fromEntries(new URL(address).searchParams), filter)
		: {};
}

/** The same in the query of a delivery. Anyone can write it, so a saved time may only make it later. */
export const sinceInQuery = (query: IDataObject, filter: string): Since =>
	Object.fromEntries(
		RUN_EVENTS.map((event) => [event, Number(query[event] ?? NaN)] as const).filter(
			([, time]) => query[FILTER] === filter && Number.isFinite(time),
		),
	);

/** The later time of each event. */
export const laterOf = (...starts: Since[]): Since =>
	Object.fromEntries(
		RUN_EVENTS.flatMap((event) => {
			const times = starts.flatMap((since) => since[event] ?? []);
			return times.length > 0 ? [[event, Math.max(...times)]] : [];
		}),
	);

/** Servers tell the time in whole seconds, rounded down. */
const ROUNDED = 1_000;

/**
 * Whether a run ended before the watch of its event began; undefined if the start is unknown. A run without readable
 * times counts as ended now.
 *
 * @param isNamed whether a delivery names the run, so that its webhook existed when the run ended. Otherwise, the second in
 * which the watch began counts as before
 */
export function isBefore(run: Run, since: Since, isNamed: boolean): boolean | undefined {
	const event = eventOf(run);
	const start = event && since[event];
	if (start === undefined) return undefined;
	return (endOf(run) ?? Infinity) <= (isNamed || start === 0 ? start : start + ROUNDED);
}

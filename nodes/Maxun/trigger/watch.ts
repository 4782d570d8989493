import { z } from 'zod';
import type { Run } from '../servers/entities';
import { endOf } from '../servers/runEnd';
import type { RunCriteria } from './event';
import type { TriggerNode } from './triggerNode';

/**
 * How long a trigger may be unpublished and still continue its watch, in milliseconds. Publishing a change takes seconds
 * and up to five attempts. After this time, a publication begins a new watch.
 */
const REPUBLISH_TIME = 3 * 60_000;

/** What the hooks save. The same times are in the URLs at Maxun, which every process sees with the first event. */
const SavedWatch = z.object({
	/** The trigger's URL. A copy of the workflow has another one. */
	url: z.string(),
	/** The API that the robots belong to. */
	server: z.string(),
	selection: z.string(),
	/** Since when each robot is watched, in milliseconds of the server's clock. Earlier runs never start the workflow. */
	robots: z.record(z.string(), z.number()),
	/** Robots that are no longer selected, but may still have the trigger's webhook. */
	former: z.array(z.string()),
	/** When the trigger was unpublished, in milliseconds of n8n's clock. */
	removedAt: z.number().optional(),
});
export type SavedWatch = z.output<typeof SavedWatch>;

/** What a watch belongs to. If anything of it changes, another watch begins. */
export type WatchPlace = Pick<SavedWatch, 'url' | 'server' | 'selection'>;

/** The saved watch; undefined if nothing is saved. */
export const readWatch = (trigger: TriggerNode): SavedWatch | undefined =>
	SavedWatch.safeParse(trigger.saved()).data;

/** Since when each robot is watched, according to the saved watch; empty if another watch has begun since. */
export const savedSince = (
	saved: SavedWatch | undefined,
	{ url, server, selection }: WatchPlace,
): SavedWatch['robots'] =>
	saved?.url === url && saved.server === server && saved.selection === selection && !isOver(saved)
		? saved.robots
		: {};

/** Whether the trigger was unpublished too long ago to continue. */
export const isOver = ({ removedAt }: SavedWatch): boolean =>
	removedAt !== undefined && Date.now() - removedAt > REPUBLISH_TIME;

/** What decides about runs, as text. */
export const selectionOf = ({
	events,
	onlyChanges,
	needsChanges,
	sources,
}: Omit<RunCriteria, 'robotIds'>) =>
	[
		...[...events].sort(),
		...(onlyChanges ? ['changes'] : []),
		...(needsChanges ? ['compared'] : []),
		...[...sources].sort(),
	].join();

/** The URL that is registered on a robot: the trigger's own URL, with the start of the watch. */
export const addressOf = ({ url, selection }: WatchPlace, robot: string, since: number): string =>
	`${url}?${new URLSearchParams({ robot, since: String(since), selection }).toString()}`;

/** The start of a robot's watch in the query of such a URL; undefined if it belongs to another robot or selection. */
export function sinceIn(
	query: Iterable<readonly [string, unknown]>,
	robotId: string,
	selection: string,
): number | undefined {
	const fields = new Map(query);
	const time = Number(fields.get('since') ?? NaN);
	const isSame = fields.get('robot') === robotId && fields.get('selection') === selection;
	return isSame && Number.isFinite(time) ? time : undefined;
}

/** The later of two times. Anyone can write the one in a URL, so a saved time may only make it later. */
export const laterOf = (a?: number, b?: number): number | undefined =>
	a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);

/** Servers tell the time in whole seconds, rounded down. */
const ROUNDED = 1_000;

/**
 * Whether a run ended before its robot was watched; undefined if the start is unknown. A run without readable times counts
 * as ended now.
 *
 * @param isNamed whether a delivery names the run, so that its webhook existed when the run ended. Otherwise, the second in
 * which the watch began counts as before
 */
export function isBefore(run: Run, since: number | undefined, isNamed: boolean) {
	if (since === undefined) return undefined;
	return (endOf(run) ?? Infinity) <= (isNamed || since === 0 ? since : since + ROUNDED);
}

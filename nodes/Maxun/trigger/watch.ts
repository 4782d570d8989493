import { z } from 'zod';
import type { Run } from '../servers/entities';
import { endOf } from '../servers/runEnd';
import { withRobotIds } from '../servers/named';
import type { MaxunServer } from '../servers/types';
import { selectionOf } from './event';
import type { TriggerSettings } from './settings';
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

/** The URL that is registered on a robot: the trigger's own URL, with the start of the watch. */
export const addressOf = ({ url, selection }: WatchPlace, robot: string, since: number): string =>
	`${url}?${new URLSearchParams({ robot, since: String(since), selection }).toString()}`;

/** The start of a robot's watch in such a URL; undefined if it belongs to another robot or selection. */
export function sinceIn(address: string, robotId: string, selection: string): number | undefined {
	const query = new URLSearchParams(address.split('?')[1]);
	const time = Number(query.get('since') ?? NaN);
	const isSame = query.get('robot') === robotId && query.get('selection') === selection;
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

/** What a trigger needs to decide about runs. */
export type Watching = Awaited<ReturnType<typeof readWatching>>;

/**
 * Reads since when a published trigger watches its robots.
 *
 * @param address the URL at which an event has arrived, with its query
 */
export async function readWatching(
	trigger: TriggerNode,
	given: TriggerSettings,
	maxun: MaxunServer,
	address: string,
) {
	const saved = trigger.isTest ? undefined : readWatch(trigger);
	const settings = await withRobotIds(given, maxun, watchedRobots(saved));
	const selection = selectionOf(settings);
	const [url] = address.split('?');
	const robots = savedSince(saved, { url, server: maxun.baseUrl, selection });
	return {
		trigger,
		maxun,
		settings,
		address,
		/** Since when the robot of a run is watched; undefined if it isn't known yet. */
		sinceOf(run: Pick<Run, 'robotId'>): number | undefined {
			const robotId = run.robotId ?? settings.robotIds[0];
			return laterOf(robots[robotId], sinceIn(address, robotId, selection));
		},
	};
}

/**
 * The robots that were found when the workflow was published, even if they have other names by now; undefined if there are
 * none.
 */
export function watchedRobots(saved: SavedWatch | undefined): string[] | undefined {
	const ids = Object.keys(saved?.robots ?? {});
	return ids.length > 0 ? ids : undefined;
}

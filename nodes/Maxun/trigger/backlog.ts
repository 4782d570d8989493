import { HOUR } from '../http/time';
import type { Run } from '../servers/entities';
import { endOf, startOf } from '../servers/runEnd';
import type { EndedRuns, MaxunServer } from '../servers/types';
import { ALL_ROBOTS, type Cursor } from './cursor';
import { mismatchOf, RUN_EVENTS, statusesOf } from './event';
import { recentOf } from './runList';
import type { TriggerSettings } from './settings';
import { warnOfUnreadable, type TriggerNode } from './triggerNode';

/** How far back a list reaches for a run that was active, in milliseconds; and if the run doesn't show its start. */
const LONGEST_ACTIVE = 24 * HOUR;
const LONGEST_QUEUED = 6 * HOUR;

/** How far before that a list begins. Lists may filter by when a run was queued, although they show when it started. */
const MARGIN = HOUR;

/** Maximum number of runs per list. Earlier ones are skipped, and the log says so. */
const MOST_LISTED = 10_000;

/** Number of runs to list if no robot has been watched before. */
const LATEST = 100;

/** Runs that have ended and aren't processed. */
export interface Backlog {
	/** Earliest end first. */
	missed: Run[];
	/** Notes in the cursor what doesn't have to be listed again. Call this when the processed runs are marked. */
	commit(cursor: Cursor): void;
}

interface Search {
	trigger: TriggerNode;
	maxun: MaxunServer;
	settings: TriggerSettings;
	cursor: Cursor;
}

/**
 * Begins to watch new robots, and finds ended, unprocessed runs of the others.
 *
 * @throws MaxunFault if none of the lists can be read
 */
export async function findBacklog(search: Search): Promise<Backlog> {
	const { trigger, maxun, settings } = search;
	const listed = await listRuns(search);
	const { entries, active, now } = listed;
	warnOfUnreadable(trigger, listed.unreadable);
	const missed = missedOf(listed, search);
	const unreadable = new Set(listed.unreadable.map(({ robotId }) => robotId));
	const open = new Set(missed);
	const starts = active.map((run) => startOf(run) ?? now - LONGEST_QUEUED);
	const earliest = Math.max(Math.min(...starts), now - LONGEST_ACTIVE);
	return {
		missed,
		commit(current) {
			current.watch(selectedOf(settings), now, unreadable);
			for (const run of entries) {
				if (!open.has(run) && !current.isProcessed(run)) current.mark(run);
			}
			const next = missed.find((run) => !current.isProcessed(run));
			const done = Math.min(now - maxun.runs.lateness, next ? (endOf(next) ?? 0) - 1 : Infinity);
			const start = (next && startOf(next)) ?? Infinity;
			current.advance(done, unreadable, Math.min(earliest, start));
		},
	};
}

const selectedOf = ({ robotIds }: TriggerSettings) =>
	robotIds.length > 0 ? robotIds : [ALL_ROBOTS];

/** The runs that may have ended since the previous poll, and those that are active. */
async function listRuns({ trigger, maxun, settings, cursor }: Search): Promise<EndedRuns> {
	const isFirst = cursor.listFrom() === undefined;
	/** By robot, so that one that can't be read doesn't make the lists of the others longer. */
	const since = (robotId?: string) => {
		const robotIds = robotId === undefined ? selectedOf(settings) : [robotId];
		// A run of a new robot may have started long before.
		const isAdded = robotIds.some((id) => !cursor.isWatched(id));
		const reach = isAdded ? Date.now() - LONGEST_ACTIVE : Infinity;
		return Math.min(cursor.listFrom(robotId) ?? Infinity, reach) - MARGIN;
	};
	const listed = await maxun.runs.listEnded({
		robotIds: settings.robotIds,
		statuses: statusesOf(RUN_EVENTS),
		limit: isFirst ? LATEST : MOST_LISTED,
		since: isFirst ? undefined : since,
	});
	if (!isFirst && listed.isTruncated) {
		trigger.warn(
			`more than ${MOST_LISTED} runs have ended since the last poll. Earlier ones are skipped`,
		);
	}
	return listed;
}

/** The listed runs that start the workflow, earliest end first. */
function missedOf({ entries }: EndedRuns, { trigger, settings, cursor }: Search): Run[] {
	const wanted = entries.filter(
		(run) =>
			!cursor.isProcessed(run) &&
			mismatchOf(run, settings) === undefined &&
			!cursor.wasUnwanted(run),
	);
	return recentOf(wanted, settings.maxAge, trigger.warn);
}

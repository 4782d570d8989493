import { recover } from '../http/fault';
import type { Run } from '../servers/entities';
import { endOf, startOf } from '../servers/runEnd';
import type { EndedRuns, MaxunServer } from '../servers/types';
import { ALL_ROBOTS, type Cursor } from './cursor';
import { mismatchOf, RUN_EVENTS, statusesOf } from './event';
import { recentOf } from './runList';
import type { PollingSettings } from './settings';
import { warnOfUnreadable, type TriggerNode } from './triggerNode';

const HOUR = 60 * 60_000;

/** How far back a list reaches for a run that was active, in milliseconds; and if the run doesn't show its start. */
const LONGEST_ACTIVE = 24 * HOUR;
const LONGEST_QUEUED = 6 * HOUR;

/** How far before that a list begins. Lists may filter by when a run was queued, although they show when it started. */
const MARGIN = HOUR;

/** How long ago a missed run may have ended, in milliseconds. */
const LONGEST_OUTAGE = 72 * HOUR;

/** Maximum number of runs per list. Earlier ones are skipped, and the log says so. */
const MOST_LISTED = 10_000;

/** Number of runs to list when a robot is new. */
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
	settings: PollingSettings;
	cursor: Cursor;
}

/**
 * Begins to watch new robots, and finds ended, unprocessed runs of the others.
 *
 * @throws MaxunFault if none of the lists can be read
 */
export async function findBacklog({ trigger, maxun, settings, cursor }: Search): Promise<Backlog> {
	const { robotIds } = settings;
	const selected = robotIds.length > 0 ? robotIds : [ALL_ROBOTS];
	const known = selected.filter((robotId) => cursor.isWatched(robotId));
	const added = selected.filter((robotId) => !cursor.isWatched(robotId));
	const from = cursor.listFrom;
	const first = await list(maxun, added, LATEST, undefined, known.length === 0);
	const listed = await list(maxun, known, MOST_LISTED, from && from - MARGIN, true);
	const unreadable = [...first.unreadable, ...listed.unreadable];
	warnOfUnreadable(trigger, unreadable);
	if (listed.isTruncated) {
		trigger.warn(
			`more than ${MOST_LISTED} runs have ended since the last poll. Earlier ones are skipped`,
		);
	}
	const isReadable = (robotId: string) => !unreadable.some((other) => other.robotId === robotId);
	const missed = missedOf(listed, { trigger, maxun, settings, cursor });
	const now = Math.max(first.now, listed.now);
	return {
		missed,
		commit(current) {
			for (const robotId of added.filter(isReadable)) {
				current.watch(robotId, first.now, first.entries);
			}
			for (const run of listed.entries) {
				if (!missed.includes(run) && !current.isProcessed(run)) current.mark(run);
			}
			const next = missed.find((run) => !current.isProcessed(run));
			const active = [...first.active, ...listed.active].map(
				(run) => startOf(run) ?? now - LONGEST_QUEUED,
			);
			const start = next && startOf(next);
			const since = Math.max(Math.min(...active), now - LONGEST_ACTIVE);
			const done = Math.min(
				listed.now - maxun.runs.lateness,
				next ? (endOf(next) ?? 0) - 1 : Infinity,
			);
			current.advance(known.filter(isReadable), done, Math.min(since, start ?? Infinity));
		},
	};
}

const NO_RUNS: EndedRuns = { entries: [], active: [], unreadable: [], isTruncated: false, now: 0 };

/** The runs of robots. @param mayThrow whether it throws a fault of all these robots */
async function list(
	maxun: MaxunServer,
	robotIds: string[],
	limit: number,
	since: number | undefined,
	mayThrow: boolean,
): Promise<EndedRuns> {
	if (robotIds.length === 0) return NO_RUNS;
	const reading = maxun.runs.listEnded({
		robotIds: robotIds.includes(ALL_ROBOTS) ? [] : robotIds,
		statuses: statusesOf(RUN_EVENTS),
		limit,
		since,
	});
	return await recover(reading, {
		any: (fault) => {
			if (mayThrow) throw fault;
			return { ...NO_RUNS, unreadable: robotIds.map((robotId) => ({ robotId, fault })) };
		},
	});
}

/** The listed runs that start the workflow, earliest end first. */
function missedOf({ entries, now }: EndedRuns, { trigger, settings, cursor }: Search): Run[] {
	const wanted = entries.filter(
		(run) =>
			!cursor.isProcessed(run) &&
			mismatchOf(run, settings) === undefined &&
			!cursor.wasUnwanted(run),
	);
	const recent = wanted.filter((run) => (endOf(run) ?? Infinity) > now - LONGEST_OUTAGE);
	if (recent.length < wanted.length) {
		trigger.warn(
			`skipped ${wanted.length - recent.length} runs that ended more than three days ago`,
		);
	}
	return recentOf(recent, settings.maxAge, trigger.warn);
}

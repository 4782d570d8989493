import { recover } from '../http/fault';
import type { Run } from '../servers/entities';
import { endOf, startOf } from '../servers/runEnd';
import type { EndedRuns, MaxunServer } from '../servers/types';
import { ALL_ROBOTS, type Cursor } from './cursor';
import { mismatchOf, RUN_EVENTS, statusesOf } from './event';
import { byEnd, withoutOld } from './runList';
import type { PollingSettings } from './settings';
import { warnOfUnreadable, type TriggerNode } from './triggerNode';

const HOUR = 60 * 60_000;

/**
 * How far the first list of a robot reaches back for active runs, in milliseconds, if they don't show their start or are
 * too many to be listed.
 */
const LONGEST_RUN = 6 * HOUR;

/** How far back a list reaches for a run that was active, in milliseconds. */
const LONGEST_ACTIVE = 24 * HOUR;

/** How long a run may be queued. Lists may filter by when a run was queued, although they show when it started. */
const LONGEST_QUEUE = HOUR;

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
	const isAlone = known.length === 0;
	const first = added.length > 0 ? await listAdded(maxun, added, isAlone) : undefined;
	const from = cursor.listFrom;
	const listed =
		known.length > 0
			? await list(maxun, known, MOST_LISTED, from && from - LONGEST_QUEUE)
			: undefined;
	const unreadable = [...(first?.unreadable ?? []), ...(listed?.unreadable ?? [])];
	warnOfUnreadable(trigger, unreadable);
	if (listed?.isTruncated) {
		trigger.warn(
			`more than ${MOST_LISTED} runs have ended since the last poll. Earlier ones are skipped`,
		);
	}
	const isUnreadable = (robotId: string) => unreadable.some((other) => other.robotId === robotId);
	const missed = listed ? missedOf(listed, { trigger, maxun, settings, cursor }) : [];
	const filtered = (listed?.entries ?? []).filter((run) => !missed.includes(run));
	return {
		missed,
		commit(current) {
			for (const robotId of added.filter((id) => !isUnreadable(id) && first)) {
				if (first) current.watch(robotId, first.now, first.entries);
			}
			for (const run of filtered) if (!current.isProcessed(run)) current.mark(run);
			const next = missed.find((run) => !current.isProcessed(run));
			const active = Math.min(
				activeSince(first),
				activeSince(listed),
				startOf(next ?? { id: '' }) ?? Infinity,
			);
			const now = listed ? listed.now - maxun.runs.lateness : 0;
			const done = Math.min(now, next ? (endOf(next) ?? 0) - 1 : Infinity);
			const advanced = known.filter((robotId) => !isUnreadable(robotId));
			current.advance(
				Object.fromEntries(advanced.map((robotId) => [robotId, done])),
				Math.max(first?.now ?? 0, listed?.now ?? 0),
				active === Infinity ? undefined : active,
			);
		},
	};
}

const list = async (maxun: MaxunServer, robotIds: string[], limit: number, since?: number) =>
	await maxun.runs.listEnded({
		robotIds: robotIds.includes(ALL_ROBOTS) ? [] : robotIds,
		statuses: statusesOf(RUN_EVENTS),
		limit,
		since,
	});

/** The runs of new robots. If there are others, faults of all new robots don't stop them. */
async function listAdded(maxun: MaxunServer, robotIds: string[], isAlone: boolean) {
	return await recover(list(maxun, robotIds, LATEST), {
		any: (fault): EndedRuns => {
			if (isAlone) throw fault;
			const unreadable = robotIds.map((robotId) => ({ robotId, fault }));
			return { entries: [], active: [], unreadable, isTruncated: false, now: 0 };
		},
	});
}

/** The listed runs that start the workflow, earliest end first. */
function missedOf({ entries, now }: EndedRuns, { trigger, settings, cursor }: Search): Run[] {
	const oldest = now - LONGEST_OUTAGE;
	const wanted = entries.filter(
		(run) =>
			!cursor.isProcessed(run) &&
			mismatchOf(run, settings) === undefined &&
			!cursor.wasUnwanted(run),
	);
	const recent = wanted.filter((run) => (endOf(run) ?? Infinity) > oldest);
	if (recent.length < wanted.length) {
		trigger.warn(
			`skipped ${wanted.length - recent.length} runs that ended more than three days ago`,
		);
	}
	return withoutOld(recent, settings.maxAge, trigger.warn).recent.sort(byEnd);
}

/** Where a later list must begin so that it contains the runs that are active now; Infinity if there are none. */
function activeSince(listed: EndedRuns | undefined): number {
	if (!listed) return Infinity;
	const { active, now } = listed;
	const starts = active.map((run) => startOf(run) ?? now - LONGEST_RUN);
	if (active.length >= LATEST) starts.push(now - LONGEST_RUN);
	return Math.max(Math.min(Infinity, ...starts), now - LONGEST_ACTIVE);
}

import { DAY, HOUR, SECOND } from '../http/time';
import type { Run } from '../servers/entities';
import { ageOf, endOf, latestFirst, startOf } from '../servers/dates';
import type { EndedRuns, MaxunServer } from '../servers/types';
import { ALL_ROBOTS, type Cursor } from './cursor';
import { mismatchOf, RUN_EVENTS, statusesFor } from './event';
import { REST_TIME, type Backlog, type TriggerMemory } from './memory';
import type { TriggerSettings } from './settings';
import type { TriggerNode } from './triggerNode';

/** How far back a list goes for runs that may have been active for a long time. */
const LONGEST_ACTIVE = DAY;

/** How long a run may have been queued before its start. Lists show the start, but may filter by the queue time. */
const LONGEST_QUEUED = HOUR;

interface Search {
	trigger: TriggerNode;
	maxun: MaxunServer;
	settings: TriggerSettings;
	cursor: Cursor;
}

/** A list that an earlier poll hasn't read or processed completely, or a new one. */
export async function currentBacklog(memory: TriggerMemory, search: Search): Promise<Backlog> {
	const identity = JSON.stringify([search.maxun.baseUrl, search.settings]);
	const { list } = memory;
	const isOld = Math.abs(Date.now() - (list?.completedAt ?? Date.now())) > REST_TIME;
	if (list?.identity === identity && !isOld) return await list.backlog;
	const backlog = findBacklog(search);
	const begun: TriggerMemory['list'] = { backlog, identity };
	memory.list = begun;
	backlog.then(
		() => (begun.completedAt = Date.now()),
		() => (memory.list = undefined),
	);
	return await backlog;
}

/** The unprocessed runs. Those that could not be read before come last. */
export function dueOf({ missed }: Backlog, cursor: Cursor, { failures }: TriggerMemory): Run[] {
	const open = missed.filter((run) => !cursor.isProcessed(run));
	const ids = new Set(open.map(({ id }) => id));
	for (const id of failures.keys()) if (!ids.has(id)) failures.delete(id);
	const hasFailed = ({ id }: Run) => failures.has(id);
	return [...open.filter((run) => !hasFailed(run)), ...open.filter(hasFailed)];
}

/** Finds unprocessed runs, and begins to watch new robots. @throws MaxunFault if none of the lists can be read */
async function findBacklog(search: Search): Promise<Backlog> {
	const { trigger, settings, cursor } = search;
	const isFirst = ({ robotId }: Run) =>
		!cursor.isWatched(robotId ?? '') && !cursor.isWatched(ALL_ROBOTS);
	const begun = Date.now();
	const listed = await listRuns(search);
	const { entries, now, unreadable } = listed;
	const faults = unreadable.map(({ fault }) => fault.message).sort();
	const message = `${faults.join('. ')}. The trigger continues with its other robots`;
	trigger.tell('robots', faults.length > 0 ? message : '');
	// Runs in a robot's first list are old, unless they ended while it was read. Server times are in seconds.
	const isDuring = (end = 0) => end > now + SECOND && end < now + SECOND + Date.now() - begun;
	const old = new Set(entries.filter((run) => isFirst(run) && !isDuring(endOf(run))));
	beginWatch(listed, settings, cursor);
	return { ...listed, missed: missedOf(listed, search).filter((run) => !old.has(run)) };
}

export const beginWatch = (listed: EndedRuns, settings: TriggerSettings, cursor: Cursor): void =>
	cursor.watch(selectedOf(settings), listed.now, unreadableIn(listed));

/** Marks the runs that don't start the workflow. */
export function markOthers({ entries, missed }: Backlog, cursor: Cursor): void {
	const open = new Set(missed);
	for (const run of entries) {
		if (!open.has(run) && !cursor.isProcessed(run)) cursor.mark(run.id, endOf(run) ?? 0);
	}
}

/** To call once the processed runs are marked. */
export function advanceTo(backlog: Backlog, cursor: Cursor, { runs }: MaxunServer): void {
	const { active, missed, now } = backlog;
	const next = missed.find((run) => !cursor.isProcessed(run));
	const done = Math.min(now - runs.lateness, next ? (endOf(next) ?? 0) - 1 : Infinity);
	const start = (next && startOf(next)) ?? Infinity;
	const earliest = Math.min(...active.map((run) => startOf(run) ?? 0));
	const listFrom = Math.min(Math.max(earliest, now - LONGEST_ACTIVE), start);
	cursor.advance(done, unreadableIn(backlog), listFrom);
	cursor.leaveOut(unknownIn(backlog), now);
}

const unreadableIn = ({ unreadable }: EndedRuns) =>
	new Set(unreadable.map(({ robotId }) => robotId));

export const unknownIn = ({ unreadable }: EndedRuns): string[] =>
	unreadable.flatMap(({ robotId, fault }) => (fault.isNotFound ? [robotId] : []));

const selectedOf = ({ robotIds }: TriggerSettings) =>
	robotIds.length > 0 ? robotIds : [ALL_ROBOTS];

async function listRuns({ maxun, settings, cursor }: Search): Promise<EndedRuns> {
	/** By robot, so that an unreadable robot doesn't make the other robots' lists longer. */
	const earliestStart = (robotId?: string) => {
		const robotIds = robotId === undefined ? selectedOf(settings) : [robotId];
		// A new robot's run may have started long before.
		const isNew = robotIds.some((id) => !cursor.isWatched(id));
		const reach = isNew ? maxun.serverTime() - LONGEST_ACTIVE : Infinity;
		return Math.min(cursor.listFrom(robotId) ?? Infinity, reach) - LONGEST_QUEUED;
	};
	const { robotIds } = settings;
	const statuses = statusesFor(RUN_EVENTS);
	return await maxun.runs.listEnded({ robotIds, statuses, limit: Infinity, earliestStart });
}

/** The listed runs that start the workflow, earliest end first. */
function missedOf({ entries }: EndedRuns, { trigger, maxun, settings, cursor }: Search): Run[] {
	const wanted = entries.filter(
		(run) =>
			!cursor.isProcessed(run) &&
			mismatchOf(run, settings) === undefined &&
			!cursor.missedFormerCriteria(run),
	);
	const { maxAge } = settings;
	const isOld = (run: Run) => maxAge > 0 && (ageOf(run, maxun.serverTime()) ?? 0) > maxAge * HOUR;
	const recent = wanted.filter((run) => !isOld(run));
	const old = wanted.length - recent.length;
	if (old > 0) trigger.warn(`skipped ${old} runs that ended more than ${maxAge} hours ago`);
	return latestFirst(recent).reverse();
}

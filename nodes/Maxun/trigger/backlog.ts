import { recover } from '../http/fault';
import { DAY, HOUR } from '../http/time';
import { endOf, latestFirst } from '../servers/dates';
import { ENDED, hasEnded, type Run } from '../servers/entities';
import type { EndedRuns } from '../servers/types';
import { ALL_ROBOTS, type Cursor } from './cursor';
import { mismatchOf } from './event';
import { REST_TIME, type Backlog, type TriggerMemory } from './memory';
import { markedRun } from './processedRuns';
import type { Connected, TriggerSettings } from './settings';

/** How far back the first list goes, which shows the runs that are active or have been processed. */
const LONGEST_ACTIVE = DAY;

/** How long a run may have been queued before its start. Lists show the start, but may filter by the queue time. */
const LONGEST_QUEUED = HOUR;

interface Search extends Pick<Connected, 'trigger' | 'maxun'> {
	settings: TriggerSettings;
	cursor: Cursor;
}

/** A list that an earlier poll hasn't read or processed completely, or a new list. */
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

/** The unprocessed runs. Runs that could not be read before come last. */
export function dueOf({ missed }: Backlog, cursor: Cursor, { failures }: TriggerMemory): Run[] {
	const open = missed.filter((run) => !cursor.isProcessed(run));
	const ids = new Set(open.map(({ id }) => id));
	for (const id of failures.keys()) if (!ids.has(id)) failures.delete(id);
	return open.sort((one, other) => Number(failures.has(one.id)) - Number(failures.has(other.id)));
}

/** Finds unprocessed runs, and begins to watch new robots. @throws MaxunFault if none of the lists can be read */
async function findBacklog(search: Search): Promise<Backlog> {
	const { trigger, cursor } = search;
	const isFirst = ({ robotId }: Run) => !cursor.isWatched(robotId ?? ALL_ROBOTS);
	const listed = await listEnded(search);
	const { unreadable } = listed;
	const faults = unreadable.map(({ fault }) => fault.message).sort();
	const message = `${faults.join('. ')}. The trigger continues with its other robots`;
	trigger.tell('robots', faults.length > 0 ? message : '');
	const open = await readOpen(listed, search);
	// A robot's first list shows old runs.
	const old = new Set(listed.entries.filter(isFirst));
	beginWatch(listed, search);
	const entries = [...listed.entries, ...open.ended];
	const active = [...listed.active, ...open.active];
	const missed = missedOf({ ...listed, entries }, search).filter((run) => !old.has(run));
	return { ...listed, entries, active, missed, gone: open.gone };
}

/** The runs that aren't in the list, although they were active at the previous poll or are active now. */
async function readOpen(listed: EndedRuns, { maxun: { runs }, settings, cursor }: Search) {
	const shown = new Set([...listed.entries, ...listed.active].map(({ id }) => id));
	const unreadable = unreadableIn(listed);
	const hidden = cursor
		.open(watched(settings))
		.filter(({ id, robotId }) => !shown.has(id) && !unreadable.has(robotId));
	const isNew = watched(settings).some((id) => !cursor.isWatched(id) && !unreadable.has(id));
	const isSelected = ({ robotId }: Run) =>
		settings.robotIds.length === 0 || settings.robotIds.includes(robotId ?? '');
	const listing = hidden.length > 0 || isNew ? runs.listActive?.() : undefined;
	const all = listing ? await recover(listing, { any: () => [] }) : [];
	const active = all.filter((run) => isSelected(run) && !shown.has(run.id));
	const ended: Run[] = [];
	const gone: string[] = [];
	const isActive = new Set(active.map(({ id }) => id));
	for (const { id, robotId } of hidden.filter((run) => !isActive.has(run.id))) {
		const run = await recover(runs.get(id, [robotId]), {
			notFound: () => void gone.push(id),
			any: () => undefined,
		});
		if (run && hasEnded(run)) ended.push(run);
	}
	return { active, ended, gone };
}

export const beginWatch = (listed: EndedRuns, { settings, cursor }: Search): void =>
	cursor.watch(watched(settings), processedBy(listed), unreadableIn(listed));

/** The time by which the list shows all runs that have ended. */
const processedBy = ({ latest, lateness }: EndedRuns) => Math.max(0, latest - lateness);

/** Marks the runs that don't start the workflow. */
export function markOthers({ entries, missed }: Backlog, cursor: Cursor): void {
	const open = new Set(missed);
	for (const run of entries) {
		if (!open.has(run) && !cursor.isProcessed(run)) cursor.mark(markedRun(run));
	}
}

/**
 * To call once the processed runs are marked.
 * @param named robots that may have been recorded again. A list of all robots doesn't show which of them are missing
 */
export function advanceTo(backlog: Backlog, cursor: Cursor, named: string[]): void {
	const shown = new Set([...backlog.entries, ...backlog.active].map(({ robotId }) => robotId));
	const unconfirmed = named.filter((id) => !shown.has(id));
	const next = backlog.missed.find((run) => !cursor.isProcessed(run));
	const done = Math.min(processedBy(backlog), next ? (endOf(next) ?? 0) - 1 : Infinity);
	cursor.keepOpen(backlog.active, backlog.gone);
	cursor.advance(done, new Set([...unreadableIn(backlog), ...unconfirmed]));
	cursor.leaveOut(unknownIn(backlog), backlog.latest);
}

const unreadableIn = ({ unreadable }: EndedRuns) =>
	new Set(unreadable.map(({ robotId }) => robotId));

export const unknownIn = ({ unreadable }: EndedRuns): string[] =>
	unreadable.flatMap(({ robotId, fault }) => (fault.isNotFound ? [robotId] : []));

const watched = ({ robotIds }: TriggerSettings) => (robotIds.length > 0 ? robotIds : [ALL_ROBOTS]);

async function listEnded({ maxun, settings, cursor }: Search): Promise<EndedRuns> {
	/** By robot, so that an unreadable robot doesn't make the other robots' lists longer. */
	const earliestStart = async (latest: () => Promise<number>, robotId?: string) => {
		const robotIds = robotId === undefined ? watched(settings) : [robotId];
		const isNew = robotIds.some((id) => !cursor.isWatched(id));
		const reach = isNew ? (await latest()) - LONGEST_ACTIVE : Infinity;
		return Math.min(cursor.listFrom(robotId), reach) - LONGEST_QUEUED;
	};
	const { robotIds } = settings;
	return await maxun.runs.listEnded({ robotIds, statuses: ENDED, limit: Infinity, earliestStart });
}

/** The listed runs that start the workflow, earliest end first. */
function missedOf({ entries, latest }: EndedRuns, { trigger, settings, cursor }: Search): Run[] {
	const wanted = entries.filter(
		(run) =>
			!cursor.isProcessed(run) &&
			mismatchOf(run, settings) === undefined &&
			!cursor.missedFormerCriteria(run),
	);
	const { maxAge } = settings;
	const isOld = (run: Run) => maxAge > 0 && latest - (endOf(run) ?? latest) > maxAge * HOUR;
	const recent = wanted.filter((run) => !isOld(run));
	const old = wanted.length - recent.length;
	if (old > 0)
		trigger.warn(`skipped ${old} runs that ended more than ${maxAge} hours before the latest run`);
	return latestFirst(recent).reverse();
}

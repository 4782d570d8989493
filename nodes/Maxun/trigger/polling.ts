import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { toNodeError } from '../http/nodeError';
import { MINUTE } from '../http/time';
import { reportPollError } from '../n8n/internals';
import { pollBudget, sleep } from '../n8n/olderVersions';
import type { Run } from '../servers/entities';
import { ageOf, endOf } from '../servers/runEnd';
import { publishingError } from './activation';
import { findBacklog } from './backlog';
import { Cursor } from './cursor';
import { markItems, savingItem, type MarkedItem } from './emission';
import { isRefused, type Reading } from './event';
import { LOOK_INTERVAL, memoryOf, type Backlog, type TriggerMemory } from './memory';
import { findNamed, withIds } from './robots';
import { readItems, type ReadRun } from './runList';
import { readSettings, triggerProperties, type TriggerSettings } from './settings';
import { readTriggerNode, type TriggerNode } from './triggerNode';

/** The fraction of n8n's limit after which a poll stops reading lists and runs. The rest is for those being read. */
const PART_OF_BUDGET = 0.5;

/**
 * How long polls continue with what earlier polls have left, in milliseconds. Then they list the runs again, because
 * polls may be a day apart, and the execution gets the error of an unreadable run.
 */
const REST_TIME = 30 * MINUTE;

/** How long after its end a run may still get its data, in milliseconds. */
const SETTLING_TIME = MINUTE;

/**
 * One poll. @returns the runs that ended since the previous poll; null if there are none, or if the poll reaches its
 * time limit
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const trigger = readTriggerNode(context, false);
	const memory = memoryOf(trigger);
	// The next poll must not overlap a poll that takes longer than the interval.
	if (memory.isPolling) return null;
	memory.isPolling = true;
	try {
		const given = readSettings(trigger);
		if (!isDue(trigger, memory, given)) return null;
		const items = await look(trigger, memory, given, pollBudget(context));
		return items.length > 0 ? [items] : null;
	} catch (error) {
		const nodeError =
			memory.lookedAt === undefined
				? publishingError(trigger, error)
				: toNodeError(trigger.node, error, undefined, triggerProperties);
		// If the first poll fails a few times when n8n starts, for example while Maxun is down, n8n deactivates the
		// trigger.
		if (!trigger.isStart) throw nodeError;
		if (!reportPollError(context, nodeError)) trigger.warn(`A poll failed: ${String(error)}`);
		return null;
	} finally {
		memory.isPolling = false;
	}
}

/** Whether the poll has to look for runs. Webhooks don't report canceled runs. */
function isDue(trigger: TriggerNode, memory: TriggerMemory, { events }: TriggerSettings): boolean {
	const { lookedAt, list, failures, isRung } = memory;
	const { isComplete, isReached } = trigger.hooks();
	const hasRest = list !== undefined || failures.size > 0;
	const getsAll = isComplete && (isReached || isRung) && !events.includes('run_aborted');
	if (lookedAt === undefined || hasRest || !getsAll) return true;
	return Math.abs(Date.now() - lookedAt) >= LOOK_INTERVAL;
}

/**
 * Finds and reads runs.
 *
 * @param budget how long the poll may take, in milliseconds
 * @returns their items, which `execute` checks; none if the poll reaches its time limit
 */
async function look(
	trigger: TriggerNode,
	memory: TriggerMemory,
	given: TriggerSettings,
	budget: number,
): Promise<MarkedItem[]> {
	const begun = Date.now();
	const end = begun + budget;
	const maxun = await trigger.connect({ teamId: given.teamId });
	const cursor = Cursor.load(trigger, maxun, given, memory.cursor);
	cursor.names = await findNamed(trigger, given, maxun, cursor.names);
	const settings = withIds(given, cursor.names);
	cursor.watchOnly(settings.robotIds);
	const listing = listed(memory, cursor, { trigger, maxun, settings });
	const backlog = await within(budget * PART_OF_BUDGET, listing);
	if (!backlog) return [];
	backlog.begin(cursor);
	const started = [...memory.started];
	for (const [id, endedAt] of started) cursor.mark(id, endedAt);
	const due = dueOf(backlog, cursor, memory);
	const read = await readDue(due, memory, { maxun, settings }, end);
	const isSettling = ({ run, items, error }: ReadRun) =>
		!error && items.length === 0 && (ageOf(run, maxun.serverTime()) ?? Infinity) < SETTLING_TIME;
	const made = read.filter((one) => !one.error && !isSettling(one));
	noteFailures(read, memory, trigger);
	const before = cursor.copy();
	for (const { run } of made) cursor.mark(run.id, endOf(run) ?? 0);
	backlog.commit(cursor);
	for (const [id] of started) memory.started.delete(id);
	memory.lookedAt = begun;
	if (read.length === due.length) memory.list = undefined;
	const items = made.flatMap(markItems);
	// Without items, n8n stores only the durable cursor, and `webhook` would reject events until a poll has items.
	const mustSave = trigger.hasDurableCursor() ? !Cursor.saved(trigger).hasBegun : cursor.isOld;
	if (items.length > 0 || !mustSave) {
		memory.cursor = cursor.save(trigger, items.length > 0 ? before : undefined);
		return items;
	}
	memory.cursor = cursor.save(trigger, cursor);
	return [savingItem];
}

/** This poll's list: one that an earlier poll hasn't read or processed completely, or a new one. */
async function listed(
	memory: TriggerMemory,
	cursor: Cursor,
	{ trigger, ...reading }: Reading & { trigger: TriggerNode },
): Promise<Backlog> {
	const identity = JSON.stringify([reading.maxun.baseUrl, reading.settings]);
	const { list } = memory;
	const isOld = Math.abs(Date.now() - (list?.completedAt ?? Date.now())) > REST_TIME;
	if (list?.identity === identity && !isOld) return await list.backlog;
	const backlog = findBacklog({ trigger, cursor, ...reading });
	const begun: TriggerMemory['list'] = { backlog, identity };
	memory.list = begun;
	backlog.then(
		() => (begun.completedAt = Date.now()),
		() => (memory.list = undefined),
	);
	return await backlog;
}

/** The unprocessed runs. Runs that could not be read before come last, so that they don't delay others. */
function dueOf({ missed }: Backlog, cursor: Cursor, { failures }: TriggerMemory): Run[] {
	const open = missed.filter((run) => !cursor.isProcessed(run));
	const ids = new Set(open.map(({ id }) => id));
	for (const id of failures.keys()) if (!ids.has(id)) failures.delete(id);
	const hasFailed = ({ id }: Run) => failures.has(id);
	return [...open.filter((run) => !hasFailed(run)), ...open.filter(hasFailed)];
}

/** Reads runs until the poll reaches its time limit. @returns the runs that could be read, and those that couldn't */
async function readDue(
	due: Run[],
	{ failures }: TriggerMemory,
	{ maxun, settings }: Reading,
	end: number,
): Promise<ReadRun[]> {
	const now = Date.now();
	const part = (end - now) * PART_OF_BUDGET;
	const isLastTry = ({ id }: Run) => now - (failures.get(id) ?? now) >= REST_TIME;
	// A run that must wait longer for the rate limit is left to the next poll.
	const reading = { maxun: maxun.with({ maxWait: part * PART_OF_BUDGET }), settings };
	const read = await readItems(due, reading, { isLastTry, until: now + part, end });
	return read.filter(({ error }) => !isRefused(error));
}

/** Remembers unreadable runs, and logs them once. */
function noteFailures(read: ReadRun[], { failures }: TriggerMemory, { warn }: TriggerNode): void {
	for (const { run, error } of read) {
		if (!error) failures.delete(run.id);
		if (!error || failures.has(run.id)) continue;
		failures.set(run.id, Date.now());
		warn(`run '${run.id}' could not be read and will be retried: ${error.message}`);
	}
}

/** The result of work; undefined if it takes longer. */
const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> =>
	await Promise.race([work, sleep(milliseconds).then(() => undefined)]);

import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { within } from '../http/concurrency';
import { recover, fullTextOf } from '../http/fault';
import { toNodeError } from '../http/nodeError';
import { MINUTE, SECOND } from '../http/time';
import { reportPollError } from '../n8n/internals';
import { pollBudget } from '../n8n/olderVersions';
import type { Run } from '../servers/entities';
import { isName } from '../servers/named';
import { endOf, latestFirst } from '../servers/dates';
import { LONGEST_HOOK, publishingError, turnOff } from './activation';
import { advanceTo, beginWatch, currentBacklog, dueOf, markOthers, unknownIn } from './backlog';
import { Cursor } from './cursor';
import { markItems, savingItem, type MarkedItem } from './emission';
import { mustWait, type Reading } from './event';
import {
	requestLook,
	memoryOfPoll,
	mustLook,
	REST_TIME,
	type Backlog,
	type TriggerMemory,
} from './memory';
import { markedRun, stateOf } from './processedRuns';
import { checkNames, withIds } from './robots';
import { readItems, type ReadRun } from './runList';
import { readSettings, triggerProperties, type Connected, type TriggerSettings } from './settings';
import { readTriggerNode, type TriggerNode } from './triggerNode';
import { addWebhooks, askProcessors, reportsAll } from './webhooks';

/** The fraction of n8n's limit after which a poll doesn't begin a list or run, but ends what it has begun. */
const PART_OF_BUDGET = 0.5;

const WHILE_RUNS_WAIT = 10 * SECOND;

/** How long a run without data is read again. Right after its end, a run may still get its data. */
const SETTLING_TIME = MINUTE;

/** One poll. @returns the runs that ended since the previous poll; null if there are none, or no time is left */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const trigger = readTriggerNode(context, false);
	const memory = memoryOfPoll(trigger);
	// A poll may take longer than the interval.
	if (!memory || memory.isPolling) return null;
	memory.isPolling = true;
	memory.isPublished = true;
	try {
		const items = await look(trigger, memory, readSettings(trigger), pollBudget(context));
		if (!items) return null;
		trigger.tell('poll', '');
		return items.length > 0 ? [items] : null;
	} catch (error) {
		return failPoll(context, trigger, memory, error);
	} finally {
		memory.isPolling = false;
		// n8n doesn't store a watch that a later poll begins.
		if (memory.lookedAt === undefined) memory.isUnsaved = true;
	}
}

/** Lets n8n store a failed execution once until a poll succeeds. @throws NodeError unless n8n has the error */
function failPoll(
	context: IPollFunctions,
	trigger: TriggerNode,
	memory: TriggerMemory,
	error: unknown,
): null {
	const isFirst = memory.lookedAt === undefined;
	const nodeError = isFirst
		? publishingError(trigger, error)
		: toNodeError(trigger.node, error, undefined, triggerProperties);
	if (trigger.memory !== memory) return null;
	const isPublishing = isFirst && !trigger.isStart;
	// n8n then doesn't publish the workflow, and versions before 2.40 don't call a hook.
	if (isPublishing) {
		memory.isPublished = false;
		void turnOff(trigger, trigger.record().url ?? '');
	}
	const isNews = trigger.tell('poll', `A poll failed: ${fullTextOf(error)}`);
	if (!isNews && !isPublishing) return null;
	// If the first poll fails a few times when n8n starts, n8n deactivates the trigger.
	if (!trigger.isStart) throw nodeError;
	reportPollError(context, nodeError);
	return null;
}

interface Look extends Reading, Connected {
	memory: TriggerMemory;
	/** As it was when the poll began. */
	requestedLook?: object;
	former: Record<string, string>;
	begun: number;
	end: number;
}

/**
 * Brings Maxun in line with the trigger, and finds and reads runs.
 * @returns the runs' items; undefined if the poll has to search again
 */
async function look(
	trigger: TriggerNode,
	memory: TriggerMemory,
	given: TriggerSettings,
	budget: number,
): Promise<MarkedItem[] | undefined> {
	const begun = Date.now();
	const { requestedLook } = memory;
	const isFirst = memory.lookedAt === undefined;
	const record = trigger.record();
	const isReported = reportsAll(trigger, withIds(given, record));
	if (!isFirst && isReported && !mustLook(memory)) return [];
	const maxun = await trigger.connect({ teamId: given.teamId });
	// n8n waits for a publication's first poll, and the poll may continue after that.
	const patience = isFirst ? Math.min(budget, LONGEST_HOOK) : budget;
	const isChecked = await within(patience, checkNames({ trigger, maxun, given }));
	if (isChecked === undefined) {
		memory.isUnsaved = true;
		return undefined;
	}
	if (isChecked && !isFirst) await askProcessors(trigger);
	const settings = withIds(given, trigger.record());
	const former = record.names.ids;
	const end = begun + budget;
	const search = { trigger, memory, maxun, settings, given, former, requestedLook, begun, end };
	const found = await recover(findRuns(search, isChecked), {
		notFound: (fault) => {
			// A robot that is selected by name may have been created again.
			if (isChecked || !given.robotIds.some(isName)) throw fault;
			memory.checkedAt = -Infinity;
			return undefined;
		},
	});
	const isCurrent = () => trigger.memory === memory;
	if (!isFirst && isCurrent() && (isChecked || memory.hasOpenWebhooks)) {
		await continueWebhooks(search, found?.made.length ?? 0);
	}
	// A hook has unpublished the workflow in the meantime. n8n 1 would overwrite what the hook has saved.
	if (!isCurrent() || !found) return undefined;
	const items = found.commit();
	const isChanged = JSON.stringify(trigger.record()) !== JSON.stringify(record);
	if (items.length > 0 || !isChanged) return items;
	// Without items, n8n doesn't save what the poll has changed.
	if (!isFirst) return [savingItem];
	// n8n stores the record with a publication, but not when it starts with durable cursors.
	if (isReported && trigger.hasDurableCursor()) {
		memory.checkedAt = -Infinity;
		requestLook(memory);
	}
	return items;
}

async function continueWebhooks(search: Look, found: number): Promise<void> {
	const { maxun, begun, end } = search;
	const latest = begun + (end - begun) * PART_OF_BUDGET;
	const until = found > 0 ? Math.min(latest, Date.now() + WHILE_RUNS_WAIT) : latest;
	const patient = maxun.with({ maxWait: Math.max(0, until - Date.now()) });
	await addWebhooks({ ...search, maxun: patient }, until);
}

/** Only `commit` changes the saved cursor. @returns undefined if the poll reaches its time limit */
async function findRuns(search: Look, isChecked: boolean) {
	const { trigger, memory, maxun, settings, former, begun, end } = search;
	const { robotIds } = settings;
	const known = robotIds.filter((id) => !isName(id));
	if (known.length === 0 && robotIds.length > 0) return undefined;
	const cursor = Cursor.load(trigger, maxun, settings);
	const { ids } = trigger.record().names;
	for (const [name, id] of Object.entries(former)) cursor.replace(id, ids[name] ?? id);
	cursor.watchOnly(known);
	const { baselines } = cursor;
	const goodRuns: Run[] = [];
	const selected = { ...settings, robotIds: known };
	const reading = { maxun, settings: selected, baselines, goodRuns };
	const listing = currentBacklog(memory, { trigger, maxun, settings: selected, cursor });
	const backlog = await within((end - begun) * PART_OF_BUDGET, listing);
	if (!backlog) return undefined;
	if (unknownIn(backlog).some((id) => Object.values(ids).includes(id)))
		memory.checkedAt = -Infinity;
	beginWatch(backlog, selected, cursor);
	const started = [...memory.started];
	for (const [, run] of started) cursor.mark(run);
	const due = dueOf(backlog, cursor, memory);
	const read = await readDue(due, memory, reading, end);
	const isSettling = ({ run, items, error }: ReadRun) =>
		!error &&
		items.length === 0 &&
		backlog.latest - (endOf(run) ?? 0) < SETTLING_TIME &&
		Math.abs(Date.now() - (memory.failures.get(run.id) ?? Date.now())) < SETTLING_TIME;
	const open = new Set(read.filter((one) => one.error || isSettling(one)));
	const made = read.filter((one) => !open.has(one));
	const commit = () => {
		noteFailures(read, open, trigger);
		markOthers(backlog, cursor);
		const before = cursor.copy();
		for (const { run } of made) cursor.mark(markedRun(run));
		for (const { id, robotId } of latestFirst(goodRuns).reverse()) {
			if (robotId) baselines[robotId] = id;
		}
		advanceTo(backlog, cursor, isChecked ? [] : unconfirmed(backlog, Object.values(ids)));
		if (read.length === due.length) memory.list = undefined;
		tellPace(trigger, memory, due.length - read.length);
		const items = save(search, cursor, before, made.flatMap(markItems));
		// n8n saves the cursor only with items. Until then, an edited workflow must not start for runs that were ignored.
		if (items.length > 0 || trigger.hasDurableCursor())
			for (const [state] of started) memory.started.delete(state);
		for (const { run, items: own } of made)
			if (own.length === 0) memory.started.set(stateOf(run), markedRun(run));
		return items;
	};
	return { made, commit };
}

/** Robots with names that may have been recorded again. A list of all robots doesn't show which of them are missing. */
function unconfirmed({ entries, active }: Backlog, robotIds: string[]): string[] {
	const shown = new Set([...entries, ...active].map(({ robotId }) => robotId));
	return robotIds.filter((id) => !shown.has(id));
}

/** Saves the cursor. @param before the cursor without the items' runs @returns the items, or an item that makes n8n save */
function save(
	{ trigger, memory, requestedLook, begun }: Look,
	cursor: Cursor,
	before: Cursor,
	items: MarkedItem[],
): MarkedItem[] {
	const isDurable = trigger.hasDurableCursor();
	const isFirst = memory.lookedAt === undefined;
	// n8n stores the watch that a publication's first poll begins, but not in a durable cursor.
	const isStored = isFirst && !isDurable;
	memory.lookedAt = begun;
	// Right after the webhooks are turned on, Maxun may not list a run that ended before.
	if (memory.requestedLook === requestedLook && !isFirst) memory.requestedLook = undefined;
	// n8n may not store the items, and events don't announce these runs again.
	if (items.length > 0) requestLook(memory);
	// Without items, n8n stores only the durable cursor, and `webhook` would reject events until a poll has items.
	const mustBegin = !isStored && !Cursor.stored(trigger).hasBegun;
	const mustSave = mustBegin || (!isDurable && (cursor.isOld || memory.isUnsaved));
	const isSaving = items.length === 0 && mustSave;
	if (isDurable || isSaving) memory.isUnsaved = false;
	cursor.save(trigger, items.length > 0 ? before : isSaving ? cursor : undefined);
	return isSaving ? [savingItem] : items;
}

/** After a long break, the runs that wait become fewer with each poll. */
function tellPace(trigger: TriggerNode, memory: TriggerMemory, left: number): void {
	const isGrowing = memory.left > 0 && left > memory.left;
	memory.left = left;
	if (isGrowing) {
		trigger.tell(
			'pace',
			'More runs end than the trigger can read within the rate limit. Poll more often, or watch fewer robots',
		);
	} else if (left === 0) trigger.tell('pace', '');
}

async function readDue(
	due: Run[],
	{ failures }: TriggerMemory,
	{ maxun, ...rest }: Reading,
	end: number,
): Promise<ReadRun[]> {
	const now = Date.now();
	const part = (end - now) * PART_OF_BUDGET;
	const isLastTry = ({ id }: Run) => now - (failures.get(id) ?? now) >= REST_TIME;
	// A run that must wait longer for the rate limit is left to the next poll.
	const reading = { ...rest, maxun: maxun.with({ maxWait: part * PART_OF_BUDGET }) };
	const read = await readItems(due, reading, { isLastTry, until: now + part, end });
	return read.filter(({ error }) => !mustWait(error));
}

function noteFailures(read: ReadRun[], open: Set<ReadRun>, { memory, warn }: TriggerNode): void {
	const { failures } = memory;
	for (const one of read) {
		const { run, error } = one;
		if (!open.has(one)) failures.delete(run.id);
		if (!open.has(one) || failures.has(run.id)) continue;
		failures.set(run.id, Date.now());
		if (error) warn(`run '${run.id}' could not be read and will be retried: ${error.message}`);
	}
}

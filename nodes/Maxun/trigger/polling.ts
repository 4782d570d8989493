import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { within } from '../http/concurrency';
import { recover, fullTextOf } from '../http/fault';
import { toNodeError } from '../http/nodeError';
import { MINUTE, SECOND } from '../http/time';
import { reportPollError } from '../n8n/internals';
import { pollBudget } from '../n8n/olderVersions';
import type { Run } from '../servers/entities';
import { isName } from '../servers/named';
import { endOf } from '../servers/dates';
import { LONGEST_HOOK, publishingError, turnOff } from './activation';
import { advanceTo, beginWatch, currentBacklog, dueOf, markOthers, unknownIn } from './backlog';
import { Cursor } from './cursor';
import { markItems, savingItem, type MarkedItem } from './emission';
import { mustWait, type Reading } from './event';
import { requestLook, memoryOfPoll, mustLook, REST_TIME, type TriggerMemory } from './memory';
import { markedRun, stateOf } from './processedRuns';
import type { TriggerRecord } from './record';
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

interface Look extends Connected {
	memory: TriggerMemory;
	/** Without the names that have no ID. */
	settings: TriggerSettings;
	/** Both as they were when the poll began. */
	record: TriggerRecord;
	requestedLook?: object;
	isFirst: boolean;
	isReported: boolean;
	/** Whether robots were looked up by name. */
	isChecked: boolean;
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
	const { robotIds, ...others } = withIds(given, trigger.record());
	const settings = { ...others, robotIds: robotIds.filter((id) => !isName(id)) };
	const connected = { trigger, memory, maxun, given, settings, begun, end: begun + budget };
	const search = { ...connected, record, requestedLook, isFirst, isReported, isChecked };
	const found = await findRuns(search);
	if (!isFirst && trigger.memory === memory && (isChecked || memory.hasOpenWebhooks))
		await continueWebhooks(search, found?.made.length ?? 0);
	// A hook has unpublished the workflow in the meantime. n8n 1 would overwrite what the hook has saved.
	return found && trigger.memory === memory ? commit(search, found) : undefined;
}

async function continueWebhooks(search: Look, found: number): Promise<void> {
	const { maxun, begun, end } = search;
	const latest = begun + (end - begun) * PART_OF_BUDGET;
	const until = found > 0 ? Math.min(latest, Date.now() + WHILE_RUNS_WAIT) : latest;
	const patient = maxun.with({ maxWait: Math.max(0, until - Date.now()) });
	await addWebhooks({ ...search, maxun: patient }, until);
}

/** Changes nothing that n8n saves. @returns undefined if no robot is known, or if the poll reaches its time limit */
async function findRuns(search: Look) {
	const { memory, settings, given, begun, end } = search;
	if (settings.robotIds.length === 0 && given.robotIds.length > 0) return undefined;
	const cursor = loadCursor(search);
	const watch = { ...search, cursor };
	const listing = currentBacklog(memory, watch);
	const backlog = await recover(within((end - begun) * PART_OF_BUDGET, listing), {
		notFound: (fault): undefined => {
			// A robot that is selected by name may have been created again.
			if (search.isChecked || !given.robotIds.some(isName)) throw fault;
			memory.checkedAt = undefined;
		},
	});
	if (!backlog) return undefined;
	beginWatch(backlog, watch);
	const started = new Map(memory.started);
	for (const run of started.values()) cursor.mark(run);
	const due = dueOf(backlog, cursor, memory);
	const goodRuns: Run[] = [];
	const read = await readDue(due, search, { baselines: cursor.baselines, goodRuns });
	const isSettling = ({ run, items }: ReadRun) =>
		items.length === 0 &&
		backlog.latest - (endOf(run) ?? 0) < SETTLING_TIME &&
		Math.abs(Date.now() - (memory.failures.get(run.id) ?? Date.now())) < SETTLING_TIME;
	const open = new Set(read.filter((one) => one.error ?? isSettling(one)));
	const made = read.filter((one) => !open.has(one));
	return { cursor, backlog, started, made, open, goodRuns, left: due.length - read.length };
}

type FoundRuns = NonNullable<Awaited<ReturnType<typeof findRuns>>>;

/** The saved cursor, for the robots that the trigger watches now. */
function loadCursor({ trigger, maxun, settings, record }: Look): Cursor {
	const cursor = Cursor.load(trigger, maxun, settings);
	const { ids } = trigger.record().names;
	for (const [name, id] of Object.entries(record.names.ids)) cursor.replace(id, ids[name] ?? id);
	cursor.watchOnly(settings.robotIds);
	return cursor;
}

/** Counts the runs as processed. @returns their items, or an item that makes n8n save */
function commit(search: Look, found: FoundRuns): MarkedItem[] {
	const { trigger, memory } = search;
	const { cursor, backlog, started, made, left } = found;
	noteFailures(search, found);
	markOthers(backlog, cursor);
	const before = cursor.copy();
	for (const { run } of made) cursor.mark(markedRun(run));
	cursor.compareWith(found.goodRuns);
	const named = Object.values(trigger.record().names.ids);
	if (unknownIn(backlog).some((id) => named.includes(id))) memory.checkedAt = undefined;
	advanceTo(backlog, cursor, search.isChecked ? [] : named);
	if (left === 0) memory.list = undefined;
	tellPace(search, left);
	const items = save(search, cursor, before, made.flatMap(markItems));
	// n8n saves the cursor only with items. Until then, an edited workflow must not start for runs that were ignored.
	if (items.length > 0 || trigger.hasDurableCursor())
		for (const state of started.keys()) memory.started.delete(state);
	for (const { run, items: own } of made)
		if (own.length === 0) memory.started.set(stateOf(run), markedRun(run));
	return items;
}

/** Saves the cursor. @param before the cursor without the items' runs @returns the items, or an item that makes n8n save */
function save(search: Look, cursor: Cursor, before: Cursor, items: MarkedItem[]): MarkedItem[] {
	const { trigger, memory, requestedLook, isFirst } = search;
	const isDurable = trigger.hasDurableCursor();
	memory.lookedAt = search.begun;
	// Right after the webhooks are turned on, Maxun may not list a run that ended before.
	if (memory.requestedLook === requestedLook && !isFirst) memory.requestedLook = undefined;
	// n8n may not store the items, and events don't announce these runs again.
	if (items.length > 0) requestLook(memory);
	// n8n stores the watch that a publication's first poll begins, but not in a durable cursor. Without items, n8n stores
	// only the durable cursor, and `webhook` would reject events until a poll has items.
	const mustBegin = (isDurable || !isFirst) && !Cursor.stored(trigger).hasBegun;
	const isChanged = JSON.stringify(trigger.record()) !== JSON.stringify(search.record);
	const mustSave = mustBegin || (!isDurable && (cursor.isOld || memory.isUnsaved));
	const isSaving = items.length === 0 && (mustSave || (isChanged && !isFirst));
	if (isDurable || isSaving) memory.isUnsaved = false;
	cursor.save(trigger, items.length > 0 ? before : isSaving ? cursor : undefined);
	if (isSaving) return [savingItem];
	// n8n stores the record with a publication, but not when it starts with durable cursors.
	if (isChanged && items.length === 0 && isDurable && search.isReported) {
		memory.checkedAt = undefined;
		requestLook(memory);
	}
	return items;
}

/** After a long break, the runs that wait become fewer with each poll. */
function tellPace({ trigger, memory }: Look, left: number): void {
	const isGrowing = memory.left > 0 && left > memory.left;
	memory.left = left;
	if (isGrowing || left === 0) trigger.tell('pace', isGrowing ? TOO_SLOW : '');
}

const TOO_SLOW =
	'More runs end than the trigger can read within the rate limit. Poll more often, or watch fewer robots';

async function readDue(
	due: Run[],
	{ memory, maxun, settings, end }: Look,
	compared: Pick<Reading, 'baselines' | 'goodRuns'>,
): Promise<ReadRun[]> {
	const now = Date.now();
	const part = (end - now) * PART_OF_BUDGET;
	const isLastTry = ({ id }: Run) => now - (memory.failures.get(id) ?? now) >= REST_TIME;
	// A run that must wait longer for the rate limit is left to the next poll.
	const reading = { ...compared, settings, maxun: maxun.with({ maxWait: part * PART_OF_BUDGET }) };
	const read = await readItems(due, reading, { isLastTry, until: now + part, end });
	return read.filter(({ error }) => !mustWait(error));
}

function noteFailures({ memory, trigger }: Look, { made, open }: FoundRuns): void {
	const { failures } = memory;
	for (const { run } of made) failures.delete(run.id);
	for (const { run, error } of open) {
		if (failures.has(run.id)) continue;
		failures.set(run.id, Date.now());
		const failed = `run '${run.id}' could not be read and will be retried`;
		if (error) trigger.warn(`${failed}: ${error.message}`);
	}
}

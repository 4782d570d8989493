import { sleep, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';
import { restRegularly } from '../http/concurrency';
import { MaxunFault } from '../http/fault';
import type { Attempt } from '../runs/attempt';
import { isCalledByMcp, isTool } from '../runs/caller';
import { deadlineOf } from '../runs/poll';
import type { ItemState, PendingRun, RunContext } from '../runs/types';
import { serverKindOf } from '../servers';
import type { MaxunServer } from '../servers/types';
import { connecting } from './connecting';
import { readDocument } from './documents';
import { Names } from './names';
import {
	notSupported,
	type Job,
	type Operation,
	type OperationContext,
	type WaitingJob,
} from './operation';
import { Options, type RequestOptions } from './options';

/** What an entry needs to begin. */
export interface Task<J = Job> {
	job: J;
	options: RequestOptions;
	context: OperationContext;
}

/** One run, or another job, of an input item. An item with several URLs has several entries. */
export interface Entry {
	/** The index of the input item. */
	readonly item: number;
	state: ItemState;
	/** Its task, or why it can't begin. The context is still needed to clean up. */
	readonly task: Task | { problem: unknown; context?: OperationContext };
	/** When Maxun confirmed the start of its run, in epoch milliseconds; undefined after a pause. */
	startedAt?: number;
}

/** Whether an entry has neither items nor an error. */
export const isOpen = ({ state }: Entry) => 'todo' in state || 'run' in state;

/** The states of each item's entries. */
export function statesOf(entries: Entry[]): ItemState[][] {
	const states: ItemState[][] = [];
	for (const { item, state } of entries) (states[item] ??= []).push(state);
	return states;
}

/**
 * Reads all parameters before sending anything, so that invalid ones cost nothing.
 *
 * @param attempt with the states of each item's entries from before a pause or the current attempt
 */
export async function prepareEntries(
	context: IExecuteFunctions,
	operation: Operation,
	{ states, allowed: maxTries, isLast }: Pick<Attempt, 'states' | 'allowed' | 'isLast'>,
	{ hint }: Pick<RunContext, 'hint'>,
): Promise<Entry[]> {
	const kind = serverKindOf(context.getNodeParameter('server', 0, 'cloud'));
	const hasBegun = states?.flat().some((state) => 'since' in state) ?? false;
	const connect = connecting(context, kind, hasBegun);
	const names = new Names();
	const begun = Date.now();
	const tool = { isTool: isTool(context), returnAfter: isCalledByMcp(context) ? MCP_RETURN : 0 };
	const isManual = context.getMode() === 'manual';
	const prepare = async (item: number, saved?: ItemState[]): Promise<Array<Entry['task']>> => {
		if (!operation.servers.includes(kind)) throw notSupported(operation);
		const parameters = parametersOf(context, operation, item);
		const { options } = Options.parse(parameters);
		const { teamId, maxRetries, concurrency, returnAfter = tool.returnAfter } = options;
		const server = await connect();
		const maxun = server.with({ teamId, maxRetries, concurrency });
		const returnAt = tool.isTool && returnAfter > 0 ? begun + returnAfter * 1000 : undefined;
		const shared = {
			hint,
			maxTries,
			isRetried: !isLast,
			concurrency,
			isTool: tool.isTool,
			returnAt,
		};
		const own = contextFor(context, maxun, item, shared);
		const jobs = async () => {
			const given = operation.prepare(parameters, isManual);
			const found = isDone(saved) ? undefined : await names.resolve(parameters, maxun, saved);
			return found ? operation.prepare(found, isManual) : given;
		};
		return await jobs().then(
			(all) =>
				all.map((job) =>
					job instanceof Error ? { problem: job, context: own } : { job, options, context: own },
				),
			(problem: unknown) => [{ problem, context: own }],
		);
	};
	const entries: Entry[] = [];
	const rest = restRegularly(sleep);
	for (const item of context.getInputData().keys()) {
		await rest(); // reading 10,000 items takes seconds
		const saved = states?.[item];
		// The options of the first item are always needed.
		const tasks =
			item > 0 && isDone(saved)
				? []
				: await prepare(item, saved).catch((problem: unknown) => [{ problem }]);
		for (const entry of entriesOf(item, tasks, saved)) entries.push(entry);
	}
	return entries;
}

/** After how many seconds a tool returns to an MCP client without its result. Most clients give up after 60 seconds. */
const MCP_RETURN = 50;

/** Whether an item has all its output. */
const isDone = (states: ItemState[] | undefined) =>
	states?.every((state) => 'items' in state) ?? false;

function entriesOf(item: number, tasks: Array<Entry['task']>, saved?: ItemState[]): Entry[] {
	if (!saved) return tasks.map((task) => ({ item, task, state: { todo: true } }));
	const [first] = tasks;
	const isProblem = first !== undefined && 'problem' in first && tasks.length === 1;
	const problem = { problem: changed(), context: first?.context };
	return saved.map((state, index) => {
		if (isProblem) return { item, state, task: first };
		const task = tasks.length === saved.length ? tasks[index] : problem;
		return { item, state, task: 'run' in state && !waits(task) ? problem : task };
	});
}

/** Whether a task waits for a run. */
const waits = (task: Entry['task']) => 'job' in task && 'waits' in task.job && task.job.waits;

/** The fault for an item whose run can't be continued. */
const changed = () =>
	new MaxunFault(
		'The settings of this item changed while it was waiting',
		'An expression now returns a different value, so the node stopped waiting. Use Run: Get Many to find the run',
		{ mayHaveHappened: true },
	);

const parametersOf = (
	context: IExecuteFunctions,
	{ parameterNames }: Operation,
	itemIndex: number,
): Record<string, unknown> =>
	Object.fromEntries(
		[...parameterNames, 'options'].map((name) => [
			name,
			context.getNodeParameter(name, itemIndex, null) ?? undefined, // hidden fields have no value
		]),
	);

const NO_ITEM: IDataObject = {};

const contextFor = (
	context: IExecuteFunctions,
	maxun: MaxunServer,
	item: number,
	shared: Pick<
		OperationContext,
		'hint' | 'maxTries' | 'isRetried' | 'concurrency' | 'isTool' | 'returnAt'
	>,
): OperationContext => ({
	...shared,
	maxun,
	account: JSON.stringify([context.getNode().credentials, maxun.teamId]),
	timezone: context.getTimezone(),
	item: context.getInputData()[item]?.json ?? NO_ITEM,
	document: async (field) => await readDocument(context, item, field),
	toBinary: async (data, name) => await context.helpers.prepareBinaryData(data, name),
	onCreated: () => undefined,
});

/** An entry that waits for its run, or for the start of its run. */
export interface WaitingEntry extends Entry {
	readonly task: Task<WaitingJob>;
}

export const isWaiting = (entry: Entry): entry is WaitingEntry =>
	isOpen(entry) && 'job' in entry.task && 'start' in entry.task.job;

/** When the time of an entry is up, or when its tool returns, in epoch milliseconds; Infinity if it hasn't begun. */
export function deadline({ state, task: { job, context } }: WaitingEntry): number {
	const { since = Infinity } = 'since' in state ? state : {};
	return deadlineOf({ since, settings: job.settings, context });
}

/** An entry with a run. */
export interface EntryRun extends PendingRun {
	entry: WaitingEntry;
}

/** The entries with a run. */
export const runsOf = (entries: Entry[]): EntryRun[] =>
	entries.filter(isWaiting).flatMap((entry) => {
		const { state, task, startedAt } = entry;
		if (!('run' in state)) return [];
		const { job, context } = task;
		const { run, since } = state;
		return [{ ...run, entry, since, startedAt, context, settings: job.settings }];
	});

import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { restRegularly } from '../http/concurrency';
import { MaxunFault } from '../http/fault';
import type { Attempt } from './attempt';
import type { Hints } from './hints';
import { isCalledByMcp, isTool } from './caller';
import { deadlineOf } from '../runs/timing';
import type { PendingRun } from '../runs/types';
import type { Hint } from '../results/hint';
import type { ItemState } from './state';
import { INITIAL_KIND, serverKindOf } from '../servers';
import { connecting } from './connecting';
import { readDocument } from './inputFile';
import { Names } from './names';
import {
	notSupported,
	type Job,
	type Operation,
	type OperationContext,
	type WaitingJob,
} from '../operations/operation';
import { Options, type RequestOptions } from '../operations/options';

/** One run, or another job, of an input item. An item with several URLs has several entries. */
export interface Entry {
	/** The index of the input item. */
	readonly item: number;
	state: ItemState;
	readonly job: Job;
	/** Undefined if the item can't begin, unless it is needed to clean up. */
	readonly context?: OperationContext;
	/** What the user should know about the items, and how often it applies. */
	readonly hints: Record<string, number>;
}

/** An entry that waits for its run, or for the start of its run. */
export interface WaitingEntry extends Entry {
	readonly job: WaitingJob;
	readonly context: OperationContext;
}

/** Whether an entry has neither items nor an error. */
export const isOpen = ({ state }: Entry) => 'todo' in state || 'run' in state;

export const isWaiting = (entry: Entry): entry is WaitingEntry =>
	isOpen(entry) && 'start' in entry.job && entry.context !== undefined;

/** When the time of an entry is up, or when its tool returns, in epoch milliseconds; Infinity if it hasn't begun. */
export function deadline({ state, job: { settings }, context }: WaitingEntry): number {
	const { since = Infinity } = 'since' in state ? state : {};
	return deadlineOf({ since, settings, context });
}

/** An entry with a run. */
export interface EntryRun extends PendingRun {
	entry: WaitingEntry;
}

/** The entries with a run. */
export const runsOf = (entries: Entry[]): EntryRun[] =>
	entries.filter(isWaiting).flatMap((entry) => {
		const { state, job, context } = entry;
		return 'run' in state
			? [{ ...state.run, entry, since: state.since, context, settings: job.settings }]
			: [];
	});

/** The states of each item's entries. */
export function statesOf(entries: Entry[]): ItemState[][] {
	const states: ItemState[][] = [];
	for (const { item, state } of entries) (states[item] ??= []).push(state);
	return states;
}

/** The options that apply to all items together: those of the first one, or the defaults if they are invalid. */
export function optionsOfFirst(context: IExecuteFunctions): RequestOptions {
	try {
		return Options.parse({ options: context.getNodeParameter('options', 0, {}) }).options;
	} catch {
		return Options.parse({}).options;
	}
}

/**
 * Reads all parameters before sending anything else than a search for a robot's name, so that invalid ones cost nothing.
 *
 * @param fault why nothing can begin
 */
export async function prepareEntries(
	context: IExecuteFunctions,
	operation: Operation,
	{ memory, isLast }: Attempt,
	{ onLeftover }: Hints,
	fault: MaxunFault | undefined,
): Promise<Entry[]> {
	const states = memory?.states;
	const kind = serverKindOf(context.getNodeParameter('server', 0, INITIAL_KIND));
	const hasBegun = states?.flat().some((state) => 'since' in state) ?? false;
	const connection = connecting(context, kind, hasBegun);
	const names = new Names();
	const begun = Date.now();
	const calledAsTool = isTool(context);
	// Most MCP clients give up after 60 seconds.
	const usualReturn = isCalledByMcp(context) ? 50 : 0;
	const isManual = context.getMode() === 'manual';
	const items = context.getInputData();

	const prepare = async (item: number, saved?: ItemState[]): Promise<Entry[]> => {
		if (fault) throw fault;
		if (!operation.servers.includes(kind)) throw notSupported(operation);
		const parameters = parametersOf(context, operation, item);
		const { options } = Options.parse(parameters);
		const { concurrency, maxRetries, returnAfter = usualReturn, teamId } = options;
		const maxun = (await connection).with({ teamId, maxRetries, concurrency });
		const own: ItemContext = {
			maxun,
			onLeftover,
			concurrency,
			account: JSON.stringify([context.getNode().credentials, teamId]),
			isRetried: !isLast,
			isTool: calledAsTool,
			item: items[item].json,
			returnAt: calledAsTool && returnAfter > 0 ? begun + returnAfter * 1000 : undefined,
			timezone: context.getTimezone(),
			document: async (field) => await readDocument(context, item, field),
			toBinary: async (data, name) => await context.helpers.prepareBinaryData(data, name),
			onCreated: () => undefined,
		};
		const jobs = await names
			.resolve(parameters, maxun, saved)
			.then((found) => operation.prepare(found, isManual))
			.catch((problem: unknown): Job[] => [{ problem }]);
		return entriesOf(item, jobs, saved, own);
	};

	const entries: Entry[] = [];
	const rest = restRegularly(sleep);
	for (const item of items.keys()) {
		await rest(); // reading 10,000 items takes seconds
		const saved = states?.[item];
		const isDone = saved?.every((state) => 'items' in state) ?? false;
		const prepared = isDone
			? entriesOf(item, [], saved)
			: await prepare(item, saved).catch((problem: unknown) =>
					entriesOf(item, [{ problem }], saved),
				);
		for (const entry of prepared) entries.push(entry);
	}
	return entries;
}

/** What the entries of an item share. */
type ItemContext = Omit<OperationContext, 'hint'>;

/** The entries of an item. What can't begin at all has one job, whatever was saved. */
function entriesOf(
	item: number,
	jobs: Job[],
	saved: ItemState[] = jobs.map(() => ({ todo: true })),
	shared?: ItemContext,
): Entry[] {
	const [first] = jobs;
	const isProblem = jobs.length === 1 && 'problem' in first && !('start' in first);
	return saved.map((state, index) => {
		const hints: Record<string, number> = {};
		const hint: Hint = (message, count = 1) =>
			void (hints[message] = (hints[message] ?? 0) + count);
		const context = shared && { ...shared, hint };
		if (isProblem) return { item, state, job: first, context, hints };
		const job = jobs.length === saved.length ? jobs[index] : { problem: changed() };
		return { item, state, job, context, hints };
	});
}

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

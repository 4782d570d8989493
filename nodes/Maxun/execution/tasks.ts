import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { restRegularly } from '../http/concurrency';
import { MaxunFault } from '../http/fault';
import { isLeftOut, isObject } from '../http/values';
import type { Attempt } from './attempt';
import { leftover } from './hints';
import { isCalledByMcp, isTool } from './caller';
import type { NodeFailure } from '../http/nodeError';
import { repairLesson } from '../runs/repair';
import type { Lesson, StartedRun, TemporaryRobot } from '../runs/types';
import type { HintArguments, ItemState, StoredState } from './state';
import { INITIAL_KIND, serverKindOf, connectServer, type ServerKind } from '../servers';
import { readLogin } from '../servers/definition';
import { readDocument } from './inputFile';
import type { Names } from './names';
import {
	notSupported,
	type Job,
	type Operation,
	type OperationContext,
	type WaitingJob,
} from '../operations/operation';
import { OPTION_NAMES, Options, type NodeOptions } from '../operations/options';
import { MINUTE, SECOND } from '../http/time';
import type { MaxunServer, RobotLists } from '../servers/types';

/** A run, or other work. An item with several URLs has several tasks. */
export interface Task {
	readonly item: number;
	state: ItemState;
	readonly job: Job;
	/** Undefined if the item can't begin and has nothing to clean up. */
	readonly context?: OperationContext;
	readonly hints: HintArguments[];
	/** Later tasks that share its run. */
	readonly twins: Task[];
	/** Its run is from before a pause. */
	readonly restored?: string;
	failure?: NodeFailure;
}

export interface WaitingTask extends Task {
	readonly job: WaitingJob;
	readonly context: OperationContext;
}

export const isOpen = ({ state, failure }: Task) =>
	(state.todo ?? state.run) !== undefined && failure === undefined;

export const isUntouched = ({ state }: Task) => state.todo === true && state.begunAt === undefined;

export const isWaiting = (task: Task): task is WaitingTask =>
	isOpen(task) && task.job.start !== undefined && task.context !== undefined;

/** What the task learns before its run starts, or, if its run has lost values, before it starts again. */
export function lessonOf({ job, state }: Task): Lesson<OperationContext> | undefined {
	if (!job.settings) return undefined;
	const { isReused, robotId: kept } = state.former ?? state.run ?? {};
	const { repairSelectors, robotId = isReused ? kept : undefined } = job.settings;
	return repairSelectors && robotId ? repairLesson(robotId) : job.lesson;
}

/** The keys of the lessons whose runs are in progress. */
export const keysBeingLearnt = (tasks: Task[]) =>
	new Set(tasks.filter(({ state }) => state.isLesson).map((task) => lessonOf(task)?.key));

/** The robots that exist only for the task. */
export function temporaryRobotsOf({ robot, run, former, toKeep }: ItemState): TemporaryRobot[] {
	const own = robot && !robot.stays ? [robot] : [];
	const unnamed = toKeep?.isNew ? ownRobot({ temporary: 'robot', ...toKeep }) : [];
	return [...own, ...ownRobot(run), ...ownRobot(former), ...unnamed];
}

const ownRobot = ({ temporary, robotId = '' }: Partial<StartedRun> = {}): TemporaryRobot[] =>
	temporary ? [{ kind: temporary, robotId }] : [];

/** Leaves out copies of a task. They get its result. */
export function withTwins(tasks: Task[]): Task[] {
	const firsts = new Map<string, Task>();
	return tasks.filter((task) => {
		const { job, context } = task;
		if (job.key === undefined) return true;
		const key = JSON.stringify([context?.accountKey, job.key]);
		const first = firsts.get(key);
		if (first && isOpen(first) && isUntouched(task)) {
			first.twins.push(task);
			return false;
		}
		firsts.set(key, task);
		return true;
	});
}

export function statesOf(tasks: Task[]): StoredState[][] {
	const states: StoredState[][] = [];
	for (const { item, state, hints } of tasks)
		(states[item] ??= []).push(hints.length > 0 ? { ...state, hints } : state);
	return states;
}

/** The options of the first item whose options are valid. */
export function optionsOfAll(context: IExecuteFunctions): NodeOptions {
	for (const item of context.getInputData().keys()) {
		const { data } = Options.safeParse(parametersOf(context, OPTION_NAMES, item));
		if (data) return data;
	}
	return Options.parse({});
}

/** Only looks up robots by their names, so that invalid parameters don't cost anything. */
export async function prepareTasks(
	context: IExecuteFunctions,
	operation: Operation,
	{ saved: before, isLast }: Attempt,
	names: Names,
	fault: MaxunFault | undefined,
): Promise<Task[]> {
	const states = before?.states;
	const kind = serverKindOf(context.getNodeParameter('server', 0, INITIAL_KIND));
	const hasBegun = states?.flat().some(({ begunAt }) => begunAt !== undefined);
	const connection = connecting(context, kind, Date.now() + (hasBegun ? 5 * MINUTE : 0));
	connection.catch(() => undefined); // Each item that needs the connection reports the error.
	const calledAsTool = isTool(context);
	const isManual = context.getMode() === 'manual';
	const mode = { isManual, keeps: !isManual && !calledAsTool };
	const contextOf = itemContexts(context, calledAsTool, isLast);
	const prepare = async (item: number, saved?: StoredState[]): Promise<Task[]> => {
		if (fault) throw fault;
		if (!operation.servers.includes(kind)) throw notSupported(operation);
		const wanted = [...operation.parameterNames, ...OPTION_NAMES];
		const parameters = parametersOf(context, wanted, item, calledAsTool);
		const options = Options.parse(parameters);
		const shared = contextOf(item, options, await connection);
		const jobs = await names
			.resolve(parameters, shared.maxun)
			.then((found) => operation.prepare(found, mode))
			.catch((problem: unknown): Job[] => [{ problem }]);
		return itemTasks(item, jobs, saved, shared);
	};
	const tasks: Task[] = [];
	const rest = restRegularly(sleep);
	for (const item of context.getInputData().keys()) {
		await rest(); // Reading the parameters of 10,000 items takes seconds.
		const saved = states?.[item];
		const prepared = await prepare(item, saved).catch((problem: unknown) =>
			itemTasks(item, [{ problem }], saved),
		);
		for (const task of prepared) tasks.push(task);
	}
	return tasks;
}

type ItemContext = Omit<OperationContext, 'hint' | 'onLeftover'>;

function itemContexts(context: IExecuteFunctions, calledAsTool: boolean, isLastAttempt: boolean) {
	const begun = Date.now();
	const ofAll = {
		isLastAttempt,
		isTool: calledAsTool,
		timezone: context.getTimezone(),
		usual: new Map<string, Promise<number | undefined>>(),
		lists: new Map<string, Promise<RobotLists>>(),
		marks: new Set<string>(),
		toBinary: async (data: Buffer, name: string) =>
			await context.helpers.prepareBinaryData(data, name),
	};
	// Most MCP clients give up after 60 seconds.
	const usualReturn = isCalledByMcp(context) ? 50 : 0;
	const items = context.getInputData();
	return (item: number, options: NodeOptions, connected: MaxunServer): ItemContext => {
		const { concurrency, maxRetries, returnAfter = usualReturn, teamId } = options;
		return {
			...ofAll,
			maxun: connected.with({ teamId, maxRetries, concurrency }),
			concurrency,
			accountKey: JSON.stringify([context.getNode().credentials, teamId]),
			item: items[item].json,
			returnAt: calledAsTool && returnAfter > 0 ? begun + returnAfter * 1000 : undefined,
			login: async () => await readLogin(context, item),
			document: async (field) => await readDocument(context, item, field),
		};
	};
}

/** An item that can't begin has one task, whatever was saved. */
function itemTasks(
	item: number,
	jobs: Job[],
	saved: StoredState[] = jobs.map(() => ({ todo: true })),
	shared?: ItemContext,
): Task[] {
	const [first] = jobs;
	const isSame = jobs.length === saved.length;
	return saved.map(({ hints = [], ...state }, index) => {
		const context = shared && {
			...shared,
			hint: (...hint: HintArguments) => void hints.push(hint),
			onLeftover: (reason: string) => void hints.push(leftover(reason)),
		};
		const job = first.problem ? first : isSame ? jobs[index] : { problem: changed() };
		return { item, state, job, context, hints, restored: state.run?.runId, twins: [] };
	});
}

const changed = () =>
	new MaxunFault(
		'The settings of this item changed while it was waiting',
		'An expression now returns a different value, so the node stopped waiting. Use Run: Get Many to find the run',
		{ mayHaveHappened: true },
	);

/** A tool may leave out a locator. In a workflow, a locator without a value is a wrong expression. */
const parametersOf = (
	context: IExecuteFunctions,
	names: string[],
	itemIndex: number,
	isTool = false,
): Record<string, unknown> =>
	Object.fromEntries(
		names.map((name) => {
			const value: unknown = context.getNodeParameter(name, itemIndex, null);
			const isAbsent = isTool && isObject(value) && '__rl' in value && isLeftOut(value.value);
			return [name, isAbsent ? undefined : (value ?? undefined)]; // Hidden fields have no value.
		}),
	);

/** Tries again until a time if n8n's database can't be read, because runs that have begun are paid for. */
const connecting = async (
	context: IExecuteFunctions,
	kind: ServerKind,
	until: number,
): Promise<MaxunServer> =>
	await connectServer(context, kind).catch(async (error: unknown) => {
		// n8n's own errors have a `level`. They would occur again.
		const isLasting = !(error instanceof Error) || error instanceof MaxunFault || 'level' in error;
		if (isLasting || Date.now() >= until) throw error;
		await sleep(3 * SECOND);
		context.getExecutionCancelSignal()?.throwIfAborted();
		return await connecting(context, kind, until);
	});

import { NodeOperationError } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { ZodError } from 'zod';
import { MaxunFault, fullTextOf } from '../http/fault';
import { toNodeError, type NodeFailure } from '../http/nodeError';
import { firstOf } from '../http/text';
import { RunFault } from '../results/runFault';
import type { Item } from '../results/types';
import type { Done, HintArguments } from './state';
import { isCanceled, isTool, returnsFailures } from './caller';
import { NOT_REPAIRED } from '../runs/repair';
import type { Learning } from './learning';
import { isOpen, lessonOf, type Task } from './tasks';
import { messageForModel } from './modelMessage';

export class ItemOutput {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly properties: INodeProperties[],
		private readonly continueOnFail: boolean,
		private readonly learning: Learning,
	) {}

	async write(task: Task, work: () => Promise<Item[]>): Promise<void> {
		await work().then(
			(items) => this.set(task, items),
			(error: unknown) => this.fail(task, error),
		);
	}

	set(task: Task, items: Item[], run: Omit<Done, 'items'> = {}): void {
		task.state = { items: items.map((item) => paired(item, task.item)), ...run };
		for (const twin of task.twins.filter(isOpen)) this.set(twin, items);
	}

	/** The node fails, unless the item becomes an error item, or is one of several pages. */
	fail(task: Task, cause: unknown, continues = false): void {
		const { context } = this;
		if (isCanceled(context)) throw cause;
		if (!continues && this.returnToFormer(task, fullTextOf(cause))) return;
		const error = this.withLessonRun(task, cause);
		const failure = toNodeError(context.getNode(), error, task.item, this.properties);
		// A model gets only the message.
		if (isTool(context)) failure.message = messageForModel(error, failure);
		const { message, description } = failure;
		const reason = shortReason(error) ?? message;
		const data = error instanceof RunFault ? error.data : undefined;
		const shown = { message, description: description ?? undefined, reason, data };
		const isLast = forbidsRetry(error) ? true : undefined;
		task.failure = failure;
		if (!continues) task.state = { error: shown, isLast };
		else if (task.state.run) task.state = { ...task.state, begunAt: Date.now() };
		if (this.policyOf(task) === 'fail') throw failure;
		for (const twin of task.twins.filter(isOpen)) this.fail(twin, cause, continues);
	}

	/** A failed repair is harmless, because the previous run still has the other values. */
	returnToFormer(task: Task, reason?: string): boolean {
		const { state, job, context } = task;
		if (!state.former || !job.start) return false;
		if (lessonOf(task) === job.lesson) return false;
		const { changes } = this.learning.of(task)?.repaired ?? {};
		if (reason !== undefined)
			context?.hint(changes === undefined ? NOT_REPAIRED : `${DATA_KEPT}. ${changes}`, 1, reason);
		task.state = { run: state.former, begunAt: Date.now(), isFinal: true };
		return true;
	}

	itemsOf(tasks: Task[]): INodeExecutionData[] {
		return tasks.flatMap((task) => {
			const { state, item } = task;
			if (state.items) return state.items;
			const json = this.jsonOfFailure(task);
			return json ? [{ json, pairedItem: { item } }] : [];
		});
	}

	hintsOf(tasks: Task[]): HintArguments[] {
		const failed = tasks.filter((task) => this.isLeftOut(task));
		const noun = tasks.length === 1 ? 'page' : 'pages';
		return failed.flatMap(({ state, job, item }): HintArguments[] => {
			const reason = state.error?.reason ?? '';
			const subject = job.settings?.subject || `item ${item}`;
			return [[`${failed.length} of ${tasks.length} ${noun} failed`, 1, `${subject} (${reason})`]];
		});
	}

	sentencesOn(tasks: Task[]): string[] {
		const runs = tasks.flatMap(({ state }) => {
			if (state.run) return state.run.temporary ? [] : state.run.runId;
			return state.runId ?? [];
		});
		const started = `${runs.length} other ${runs.length === 1 ? 'run has' : 'runs have'} started: ${firstOf(runs, 20)}. To get their data, use Run: Get`;
		const failed = this.hintsOf(tasks);
		const pages = failed.map(([, , subject = '']) => subject);
		// The node's error already mentions it, for example that too many runs would start.
		const messages = tasks.map(({ state }) => state.error?.message);
		const isSameForAll = new Set(messages).size === 1;
		return [
			...(runs.length > 0 ? [started] : []),
			...(failed.length > 1 && !isSameForAll ? [`${failed[0][0]}: ${firstOf(pages, 10)}`] : []),
		];
	}

	/** The node fails at the end if all pages failed, or if n8n should retry. */
	failureOf(tasks: Task[], isLast: boolean): NodeFailure | undefined {
		const again = isLast ? undefined : tasks.find(mayRetry);
		const isAnyLeft = tasks.some((task) => !this.isLeftOut(task));
		const failed = again ?? (isAnyLeft ? undefined : tasks[0]);
		if (!failed) return undefined;
		const { failure, state, item } = failed;
		if (failure || !state.error) return failure;
		const { message, description } = state.error;
		return new NodeOperationError(this.context.getNode(), message, {
			description,
			itemIndex: item,
		});
	}

	/** The user has also paid for the run that read the page. */
	private withLessonRun(task: Task, error: unknown): unknown {
		if (!(error instanceof MaxunFault)) return error;
		const { former } = task.state;
		const { runId } = this.learning.of(task) ?? {};
		const { changes, repairSelectors } = task.job.settings ?? {};
		const advice = changes && !repairSelectors ? ". Turn on 'Repair Selectors'" : '';
		const found = former
			? error.adding(`Run ${former.runId} of a kept robot did not find any rows${advice}`)
			: error;
		const lesson = `Run ${runId} read the page first to find the rows`;
		return runId === undefined ? found : found.adding(lesson);
	}

	private policyOf({
		job,
		state,
	}: Task): 'fail' | 'errorItem' | 'message' | 'pageItem' | 'leaveOut' {
		const { context } = this;
		if (this.continueOnFail || returnsFailures(context)) return 'errorItem';
		const { settings } = job;
		if (settings?.subject === undefined || settings.onFailure === 'error') {
			// After an error or an item with the field `error`, n8n runs a tool again, which would start a second run.
			const isRepeated = isTool(context) && context.getNode().retryOnFail === true;
			return isRepeated && state.isLast ? 'message' : 'fail';
		}
		return settings.onFailure === 'return' ? 'pageItem' : 'leaveOut';
	}

	private isLeftOut(task: Task): boolean {
		return task.state.error !== undefined && this.policyOf(task) === 'leaveOut';
	}

	private jsonOfFailure(task: Task): IDataObject | undefined {
		const { error } = task.state;
		if (!error) return undefined;
		const { message, description, data } = error;
		const policy = this.policyOf(task);
		// With other fields, the item would not reach the error output.
		if (policy === 'errorItem') {
			return returnsFailures(this.context)
				? { error: message }
				: { error: message, message: data ?? description };
		}
		if (policy === 'message') return { message };
		// A model can't read hints.
		if (policy === 'leaveOut' && !isTool(this.context)) return undefined;
		const more = policy === 'pageItem' ? { message: description } : {};
		return { ...task.job.settings?.origin, error: message, ...more };
	}
}

const DATA_KEPT =
	'The robot was repaired, but its next run failed, so the output is the data of its previous run';

const mayRetry = ({ state, failure }: Task): boolean =>
	state.error ? !state.isLast : failure !== undefined;

/** For a list of pages. Includes what may remain in Maxun. */
function shortReason(error: unknown): string | undefined {
	if (error instanceof RunFault) return error.short;
	return error instanceof MaxunFault && error.mayHaveHappened ? error.text : undefined;
}

/** Whether another attempt would also fail, or could do something twice. */
const forbidsRetry = (error: unknown): boolean =>
	error instanceof ZodError || (error instanceof MaxunFault && error.mayHaveHappened);

/** Spread syntax would be slow for tens of thousands of rows. */
function paired({ json, binary }: Item, item: number): INodeExecutionData {
	return binary ? { json, binary, pairedItem: { item } } : { json, pairedItem: { item } };
}

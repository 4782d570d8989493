import { NodeOperationError } from 'n8n-workflow';
import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { ZodError } from 'zod';
import { MaxunFault } from '../http/fault';
import { toNodeError, type NodeFailure } from '../http/nodeError';
import { firstOf } from '../http/text';
import { DataCheckFault } from '../results/dataChecks';
import type { Item } from '../results/types';
import type { HintArguments } from './state';
import { PageFault } from '../runs/pageFault';
import { isCanceled, isTool, returnsFailures } from './caller';
import { isFinal, waitSettingsOf, type Entry } from './entries';
import { messageForModel } from './modelMessage';

/** Writes the results of entries, and handles errors as the node and each entry require. */
export class ItemOutput {
	/**
	 * @param properties the operation's fields, whose names appear in messages
	 * @param continueOnFail whether an item that fails becomes an error item
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly properties: INodeProperties[],
		private readonly continueOnFail: boolean,
	) {}

	/** Writes the items that `work` returns for an entry, or its error. */
	async write(entry: Entry, work: () => Promise<Item[]>): Promise<void> {
		await work().then(
			(items) => this.set(entry, items),
			(error: unknown) => this.fail(entry, error),
		);
	}

	/** Sets an entry's items. @param runId the run that they belong to, if it remains in Maxun */
	set(entry: Entry, items: Item[], runId?: string): void {
		const { item: index, hints } = entry;
		entry.state = { items: items.map((item) => paired(item, index)), runId, hints };
	}

	/**
	 * Sets an entry's error. The node fails, unless the item becomes an error item, or is one of several pages.
	 *
	 * @param continues whether the next attempt continues to wait for the run
	 * @throws the error itself if the execution was canceled, so that no further item begins
	 */
	fail(entry: Entry, error: unknown, continues = false): void {
		const { context } = this;
		if (isCanceled(context)) throw error;
		const failure = toNodeError(context.getNode(), error, entry.item, this.properties);
		// A model gets only the message.
		if (isTool(context)) failure.message = messageForModel(error, failure);
		const { message, description } = failure;
		const reason = reasonOf(error) ?? message;
		const data = error instanceof DataCheckFault ? error.data : undefined;
		const shown = { message, description: description ?? undefined, reason, data };
		const final = isLasting(error) ? true : undefined;
		entry.failure = failure;
		if (!continues) entry.state = { error: shown, hints: entry.hints, final };
		else if ('run' in entry.state) entry.state = { ...entry.state, begunAt: Date.now() };
		if (this.policyOf(entry) === 'fail') throw failure;
	}

	/** The items of all entries in input order, including error items. */
	itemsOf(entries: Entry[]): INodeExecutionData[] {
		return entries.flatMap((entry) => {
			const { state, item } = entry;
			if ('items' in state) return state.items;
			const json = this.jsonOfFailure(entry);
			return json ? [{ json, pairedItem: { item } }] : [];
		});
	}

	/** A hint for each page that failed and has no item, with its reason. */
	hintsOf(entries: Entry[]): HintArguments[] {
		const failed = entries.filter((entry) => this.isLeftOut(entry));
		const noun = entries.length === 1 ? 'page' : 'pages';
		return failed.flatMap(({ state, job, item }): HintArguments[] => {
			const reason = 'error' in state ? state.error.reason : '';
			const subject = waitSettingsOf(job)?.subject || `item ${item}`;
			return [
				[`${failed.length} of ${entries.length} ${noun} failed`, 1, `${subject} (${reason})`],
			];
		});
	}

	/** What the node's error doesn't mention: the runs that remain in Maxun, and the pages that failed. */
	sentencesOn(entries: Entry[]): string[] {
		const runs = entries.flatMap(({ state }) => {
			if ('run' in state) return state.run.temporary ? [] : state.run.runId;
			return 'items' in state ? (state.runId ?? []) : [];
		});
		const started = `${runs.length} other ${runs.length === 1 ? 'run has' : 'runs have'} started: ${firstOf(runs, 20)}. To get their data, use Run: Get`;
		const failed = this.hintsOf(entries);
		const pages = failed.map(([, , subject = '']) => subject);
		// The node's error already mentions it, for example that too many runs would start.
		const messages = entries.map(({ state }) => ('error' in state ? state.error.message : ''));
		const isSameForAll = new Set(messages).size === 1;
		return [
			...(runs.length > 0 ? [started] : []),
			...(failed.length > 1 && !isSameForAll ? [`${failed[0][0]}: ${firstOf(pages, 10)}`] : []),
		];
	}

	/**
	 * The error that fails the node after all entries have ended: if all pages failed, or if n8n should retry.
	 *
	 * @param isRetried whether n8n retries the node
	 */
	failureOf(entries: Entry[], isRetried: boolean): NodeFailure | undefined {
		const again = isRetried ? entries.find(mayRetry) : undefined;
		const isAnyLeft = entries.some((entry) => !this.isLeftOut(entry));
		const failed = again ?? (isAnyLeft ? undefined : entries[0]);
		if (!failed) return undefined;
		const { failure, state, item } = failed;
		if (failure || !('error' in state)) return failure;
		// The entry failed before a pause.
		const { message, description } = state.error;
		return new NodeOperationError(this.context.getNode(), message, {
			description,
			itemIndex: item,
		});
	}

	private policyOf({ job, state }: Entry): 'fail' | 'errorItem' | 'pageItem' | 'leaveOut' {
		const { context } = this;
		if (this.continueOnFail || returnsFailures(context)) return 'errorItem';
		const settings = waitSettingsOf(job);
		if (settings?.subject === undefined || settings.onFailure === 'error') {
			// If the node throws an error, n8n runs it again, and a tool would start a second run.
			const isRepeated = isTool(context) && context.getNode().retryOnFail === true;
			return isRepeated && 'error' in state && state.final ? 'errorItem' : 'fail';
		}
		return settings.onFailure === 'return' ? 'pageItem' : 'leaveOut';
	}

	/** Whether the failure appears only in a hint, or in the node's error if all entries have failed. */
	private isLeftOut(entry: Entry): boolean {
		return 'error' in entry.state && this.policyOf(entry) === 'leaveOut';
	}

	private jsonOfFailure(entry: Entry): IDataObject | undefined {
		if (!('error' in entry.state)) return undefined;
		const { message, description, data } = entry.state.error;
		const policy = this.policyOf(entry);
		// Only these two fields: with others, the item would not reach the error output.
		if (policy === 'errorItem') {
			return returnsFailures(this.context)
				? { error: message }
				: { error: message, message: data ?? description };
		}
		// A model can't read hints.
		if (policy === 'leaveOut' && !isTool(this.context)) return undefined;
		const more = policy === 'pageItem' ? { message: description } : {};
		return { ...waitSettingsOf(entry.job)?.origin, error: message, ...more };
	}
}

/** Whether another attempt may succeed. */
const mayRetry = (entry: Entry): boolean =>
	'error' in entry.state ? !isFinal(entry) : entry.failure !== undefined;

/** Why an entry failed, for a list of pages. Includes what may remain in Maxun. */
function reasonOf(error: unknown): string | undefined {
	if (error instanceof PageFault) return error.short;
	return error instanceof MaxunFault && error.mayHaveHappened ? error.text : undefined;
}

/** Whether another attempt would fail, too, or could do something twice. */
const isLasting = (error: unknown): boolean =>
	error instanceof ZodError || (error instanceof MaxunFault && error.mayHaveHappened);

/** The item paired with its input. Spread syntax would be slow for tens of thousands of rows. */
function paired({ json, binary }: Item, item: number): INodeExecutionData {
	return binary ? { json, binary, pairedItem: { item } } : { json, pairedItem: { item } };
}

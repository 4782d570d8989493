import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import { isCanceled, isTool, returnsFailures } from './caller';
import { skippedPage } from '../runs/pageFault';
import type { StartedRun } from '../runs/types';
import type { Item } from '../results/types';
import type { Entry } from './entries';
import { toNodeError } from '../http/nodeError';
import { messageForModel } from './modelMessage';

/** Writes the results of entries, and handles errors according to the node's settings. */
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

	/** Whether an item that fails doesn't fail the node. */
	get continues(): boolean {
		return this.continueOnFail || returnsFailures(this.context);
	}

	/** Writes the items that `work` returns for an entry, or its error. */
	async write(entry: Entry, work: () => Promise<Item[]>): Promise<void> {
		await work().then(
			(items) => this.set(entry, items),
			(error: unknown) => this.fail(entry, error),
		);
	}

	/** Sets the items of an entry. @param empty the page whose run succeeded without data */
	set(entry: Entry, items: Item[], empty?: string): void {
		const { item: index, hints } = entry;
		entry.state = { items: items.map((item) => paired(item, index)), empty, hints };
	}

	/**
	 * Sets the error of an entry. Either the item becomes an error item, or the node fails.
	 *
	 * @param continuing the run for which the next attempt waits again
	 * @throws the error itself if the execution was canceled, so that no further item begins
	 */
	fail(entry: Entry, error: unknown, continuing?: StartedRun): void {
		const { context } = this;
		const { job } = entry;
		if (isCanceled(context)) throw error;
		const skipped = 'settings' in job ? skippedPage(job.settings, error) : undefined;
		if (skipped !== undefined) {
			entry.state = { items: [], skipped };
			return;
		}
		const failure = toNodeError(context.getNode(), error, entry.item, this.properties);
		// A model gets only the message.
		if (isTool(context)) failure.message = messageForModel(error, failure);
		const { message, description } = failure;
		const final = error instanceof MaxunFault && error.mayHaveHappened ? true : undefined;
		const shown = { message, description: description ?? undefined };
		entry.state = { error: shown, continuing, final };
		if (!this.continues) throw failure;
	}

	/** The items of all entries in the order of the input, with an error item for each that failed. */
	itemsOf(entries: Entry[]): INodeExecutionData[] {
		const lists = entries.map(({ state, item }) => {
			if ('items' in state) return state.items;
			if (!('error' in state)) return [];
			const { message, description } = state.error;
			// Only these two fields: an item with others would not reach the error output.
			const json: IDataObject = returnsFailures(this.context)
				? { error: message }
				: { error: message, message: description };
			return [{ json, pairedItem: { item } }];
		});
		return lists.flat();
	}
}

/** The item paired with its input. Without spread syntax, which is slow for tens of thousands of rows. */
function paired({ json, binary }: Item, item: number): INodeExecutionData {
	return binary ? { json, binary, pairedItem: { item } } : { json, pairedItem: { item } };
}

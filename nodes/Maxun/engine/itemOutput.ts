import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { MaxunFault } from '../http/fault';
import { isCancelled, isTool, returnsFailures } from '../runs/caller';
import { SkippedPage } from '../runs/skippedPage';
import type { Item } from '../runs/types';
import { toNodeError } from './errors';
import { messageForModel } from './modelMessage';

/**
 * The node's output, by input item. Handles errors according to the node's settings.
 *
 * An item with several runs has several entries: `arrange` makes room for them. The indexes in all other methods are
 * those of entries.
 */
export class ItemOutput {
	items: INodeExecutionData[][];
	/** The entries that have their output, except those that failed. */
	readonly done = new Set<number>();
	/** The failed items that a retry could do twice. */
	readonly unrepeatable = new Set<number>();
	/** What items have left in Maxun. They name it, but n8n shows only the first error of a node that fails. */
	readonly remainders: string[] = [];
	/** The skipped pages, with the reasons. */
	readonly skipped = new Set<string>();
	/** The pages whose runs succeeded without data. */
	readonly withoutData = new Set<string>();
	/** Number of entries of each input item. */
	counts: number[];
	/** The input item of each entry. */
	private sources: number[];

	/**
	 * @param properties the operation's fields, whose names appear in messages
	 * @param continueOnFail whether an item that fails becomes an error item
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly properties: INodeProperties[],
		private readonly continueOnFail: boolean,
	) {
		this.items = context.getInputData().map(() => []);
		this.counts = this.items.map(() => 1);
		this.sources = [...this.items.keys()];
	}

	/** Makes room for the entries of each input item. Discards earlier output. */
	arrange(counts: number[]): void {
		this.counts = counts;
		this.sources = counts.flatMap((count, item) => Array.from({ length: count }, () => item));
		this.items = this.sources.map(() => []);
	}

	/**
	 * Runs `work` for an item. If it fails, either the item becomes an error item or the node fails.
	 *
	 * @throws the error itself if the execution was cancelled, so that no further item begins
	 */
	async attempt<T>(itemIndex: number, work: () => Promise<T>): Promise<T | undefined> {
		return await work().catch((error: unknown) => {
			const { context } = this;
			if (error instanceof MaxunFault) {
				if (error.remainder) this.remainders.push(error.remainder);
				if (error.unrepeatable) this.unrepeatable.add(itemIndex);
			}
			if (isCancelled(context)) throw error;
			if (error instanceof SkippedPage) return void this.skip(itemIndex, error);
			const item = this.sources[itemIndex];
			const failure = toNodeError(context.getNode(), error, item, this.properties);
			// A model gets only the message.
			if (isTool(context)) failure.message = messageForModel(error, failure);
			const isReturned = returnsFailures(context);
			if (!this.continueOnFail && !isReturned) throw failure;
			// Only these two fields: an item with others would not reach the error output.
			const json: IDataObject = isReturned
				? { error: failure.message }
				: { error: failure.message, message: failure.description };
			this.items[itemIndex] = [{ json, pairedItem: { item } }];
			return undefined;
		});
	}

	/** Writes the items that `work` returns for an input item. */
	async write(itemIndex: number, work: () => Promise<Item[]>): Promise<void> {
		const items = await this.attempt(itemIndex, work);
		if (!items) return;
		this.restore(
			itemIndex,
			items.map((item) => paired(item, this.sources[itemIndex])),
		);
	}

	/** Writes the output that an item already had. */
	restore(itemIndex: number, items: INodeExecutionData[]): void {
		this.items[itemIndex] = items;
		this.done.add(itemIndex);
	}

	private skip(itemIndex: number, { url, reason }: SkippedPage): void {
		this.skipped.add(`${url} (${reason})`);
		this.restore(itemIndex, []);
	}
}

/** The item paired with its input. Without spread syntax, which is slow for tens of thousands of rows. */
function paired({ json, binary }: Item, item: number): INodeExecutionData {
	return binary ? { json, binary, pairedItem: { item } } : { json, pairedItem: { item } };
}

import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import type { Item } from '../runs/types';
import { isTool } from '../runs/caller';
import { toNodeError } from './errors';

/** What the node returns, by input item. Handles what goes wrong with an item as the node's settings say. */
export class ItemOutput {
	readonly items: INodeExecutionData[][];

	/** @param properties the operation's fields, whose names appear in messages */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly properties: INodeProperties[],
	) {
		this.items = context.getInputData().map(() => []);
	}

	/** Does work for an item. If it fails, the item becomes an error item if the node may continue; else the node fails. */
	async attempt<T>(itemIndex: number, work: () => Promise<T>): Promise<T | undefined> {
		return await work().catch((error: unknown) => {
			const { context } = this;
			const failure = toNodeError(context.getNode(), error, itemIndex, this.properties);
			// A model gets only the message.
			if (isTool(context) && failure.description) failure.message += `. ${failure.description}`;
			if (!context.continueOnFail()) throw failure;
			// Only these two fields: an item with others would not reach the error output.
			const json: IDataObject = { error: failure.message, details: failure.description };
			this.items[itemIndex] = [{ json, pairedItem: { item: itemIndex } }];
			return undefined;
		});
	}

	/** Writes the items that work for an input item returns. */
	async write(itemIndex: number, work: () => Promise<Item[]>): Promise<void> {
		const items = await this.attempt(itemIndex, work);
		if (items) this.items[itemIndex] = items.map((item) => paired(item, itemIndex));
	}
}

/** The item with its input. Written out, because spreading tens of thousands of rows takes longer than parsing them. */
function paired({ json, binary }: Item, item: number): INodeExecutionData {
	return binary ? { json, binary, pairedItem: { item } } : { json, pairedItem: { item } };
}

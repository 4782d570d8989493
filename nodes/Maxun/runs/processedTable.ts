import type { IExecuteFunctions } from 'n8n-workflow';
import { inTurn } from '../http/concurrency';

/** How many entries fit into MySQL with n8n 1. */
export const FEWEST_ENTRIES = 2_000;

/** A node's entries in the table of n8n's _Remove Duplicates_ node, which all processes share. */
export class ProcessedTable {
	/** n8n forgot the oldest entries, because the table had no room for all. */
	isFull = false;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly maxEntries: number,
	) {}

	/** Returns the entries that were already recorded. @param stays whether they may replace the oldest entries */
	async add(entries: string[], stays = true): Promise<Set<unknown>> {
		const { helpers } = this.context;
		const addTo = async (maxEntries: number) =>
			await helpers.checkProcessedAndRecord(entries, 'node', { mode: 'entries', maxEntries });
		// If two processes add the first entries at the same time, one of them fails.
		const again = async () => await addTo(this.maxEntries + (stays ? 0 : entries.length));
		const fewer = async () => {
			const added = await addTo(FEWEST_ENTRIES);
			this.isFull = true;
			return added;
		};
		const adding = async () => await again().catch(again).catch(fewer);
		return new Set((await inTurn(this.key, adding)).processed);
	}

	async remove(entries: string[]): Promise<void> {
		if (entries.length === 0) return;
		const { helpers } = this.context;
		const removing = async () =>
			await helpers.removeProcessed(entries, 'node', { mode: 'entries' });
		await inTurn(this.key, removing);
	}

	async clear(): Promise<void> {
		await this.context.helpers.clearAllProcessedItems('node', { mode: 'entries' });
	}

	private get key(): string {
		return `${this.context.getWorkflow().id} ${this.context.getNode().id}`;
	}
}

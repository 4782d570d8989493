import type { IExecuteFunctions } from 'n8n-workflow';
import { inTurn } from '../http/concurrency';

const MODE = { mode: 'entries' } as const;

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

	/**
	 * @param excessOf which entries to remove at once @param stays whether they may replace the oldest entries
	 * @returns the entries that were already recorded
	 */
	async add(
		entries: string[],
		excessOf: (recorded: Set<unknown>) => string[] = () => [],
		stays = true,
	): Promise<Set<unknown>> {
		const { helpers } = this.context;
		const addTo = async (maxEntries: number) =>
			await helpers.checkProcessedAndRecord(entries, 'node', { ...MODE, maxEntries });
		// If two processes add the first entries at the same time, one of them fails.
		const again = async () => await addTo(this.maxEntries + (stays ? 0 : entries.length));
		const fewer = async () => {
			const added = await addTo(FEWEST_ENTRIES);
			this.isFull = true;
			return added;
		};
		const key = `${this.context.getWorkflow().id} ${this.context.getNode().id}`;
		return await inTurn(key, async () => {
			const { processed } = await again().catch(again).catch(fewer);
			const recorded = new Set<unknown>(processed);
			const excess = excessOf(recorded);
			// What remains takes up room. Only an execution that n8n 1 starts again would use it.
			if (excess.length > 0)
				await helpers.removeProcessed(excess, 'node', MODE).catch(() => undefined);
			return recorded;
		});
	}

	async clear(): Promise<void> {
		await this.context.helpers.clearAllProcessedItems('node', MODE);
	}
}

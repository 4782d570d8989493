import { createHash } from 'node:crypto';
import { DataDeduplicationService } from 'n8n-core';
import type {
	DeduplicationItemTypes,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
	IDataDeduplicator,
	IDeduplicationOutput,
	Workflow,
} from 'n8n-workflow';

export type ProcessedData = Map<string, string[]>;

interface Database {
	data: ProcessedData;
	access: () => Promise<unknown>;
}

const databases = new WeakMap<object, Database>();

/** Lets a workflow's nodes read and write a database's entries. */
export function useProcessedData(
	workflow: Workflow,
	data: ProcessedData,
	access: Database['access'] = async () => await new Promise(setImmediate),
): void {
	databases.set(workflow, { data, access });
}

const hashOf = (value: DeduplicationItemTypes) =>
	createHash('md5').update(String(value)).digest('base64');

/**
 * n8n's deduplication in mode `entries` and scope `node`, like n8n's DeduplicationHelper: it reads all entries, and
 * writes all of them later. If two processes write the first entries, one fails.
 */
class Deduplicator implements IDataDeduplicator {
	async checkProcessedAndRecord(
		items: DeduplicationItemTypes[],
		scope: string,
		context: ICheckProcessedContextData,
		{ mode, maxEntries = Infinity }: ICheckProcessedOptions,
	): Promise<IDeduplicationOutput> {
		const { data, nodeId, access } = databaseOf(context, mode, scope);
		await access();
		const isFirst = !data.has(nodeId);
		const entries = [...(data.get(nodeId) ?? [])];
		const known = new Set(entries);
		const output: IDeduplicationOutput = { new: [], processed: [] };
		for (const item of items) {
			const isKnown = known.has(hashOf(item));
			output[isKnown ? 'processed' : 'new'].push(item);
			if (!isKnown) entries.push(hashOf(item));
		}
		await access();
		if (isFirst && data.has(nodeId)) throw new Error('UNIQUE constraint failed: processed_data');
		data.set(nodeId, maxEntries === Infinity ? entries : entries.slice(-maxEntries));
		return output;
	}

	async removeProcessed(
		items: DeduplicationItemTypes[],
		scope: string,
		context: ICheckProcessedContextData,
		{ mode }: ICheckProcessedOptions,
	): Promise<void> {
		const { data, nodeId, access } = databaseOf(context, mode, scope);
		await access();
		const removed = new Set(items.map(hashOf));
		const entries = (data.get(nodeId) ?? []).filter((entry) => !removed.has(entry));
		await access();
		data.set(nodeId, entries);
	}

	async clearAllProcessedItems(scope: string, context: ICheckProcessedContextData): Promise<void> {
		const { data, nodeId } = databaseOf(context, 'entries', scope);
		data.delete(nodeId);
	}

	async getProcessedDataCount(): Promise<number> {
		throw new Error('Not there');
	}
}

function databaseOf({ workflow, node }: ICheckProcessedContextData, mode: string, scope: string) {
	const database = databases.get(workflow);
	if (!database || !node) throw new Error('The database is not there');
	if (mode !== 'entries' || scope !== 'node') throw new Error(`Not there: ${mode}, ${scope}`);
	return { ...database, nodeId: node.id };
}

await DataDeduplicationService.init(new Deduplicator());

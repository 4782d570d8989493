import type { IDataObject, Workflow } from 'n8n-workflow';
import type { ProcessedData } from './deduplication.mts';

/**
 * A workflow's data in n8n's database: its static data, and the entries of n8n's deduplication. Every call gets a copy
 * of all static data, and a changed copy replaces all of it, without a merge.
 */
export class StaticData {
	private stored: string;

	saves = 0;

	/** Durable poll cursors, serialized, by node ID. */
	readonly cursors = new Map<string, string>();

	constructor(
		initial: IDataObject = {},
		readonly processed: ProcessedData = new Map(),
	) {
		this.stored = JSON.stringify(initial);
	}

	load(): IDataObject {
		return JSON.parse(this.stored);
	}

	/** Stores a call's data if the call changed it, like n8n, which marks changes on the observed object. */
	save({ staticData }: Workflow): void {
		if (staticData.__dataChanged !== true) return;
		this.stored = JSON.stringify(staticData);
		this.saves++;
	}

	/** Replaces the data, like a slower writer. */
	replace(data: IDataObject): void {
		this.stored = JSON.stringify(data);
	}

	reloaded(): StaticData {
		const copy = new StaticData(this.load(), new Map(this.processed));
		for (const [id, cursor] of this.cursors) copy.cursors.set(id, cursor);
		return copy;
	}
}

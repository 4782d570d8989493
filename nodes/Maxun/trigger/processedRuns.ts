import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { FEWEST_ENTRIES, ProcessedTable } from '../runs/processedTable';

/**
 * How many entries n8n remembers for each trigger, two for each run. n8n reads and writes all of them for each
 * execution, which takes about 6 ms.
 */
const ENTRIES = 7_500;

/** How many runs to record at once, so that their entries always fit. */
const AT_ONCE = FEWEST_ENTRIES / 8;

/**
 * How many milliseconds to wait before looking for a record again. n8n usually reads and writes the whole table in less
 * time.
 */
const WRITING_TIME = 100;

/** How often to record runs whose records other processes overwrite. */
const ATTEMPTS = 10;

/**
 * The runs that have started the workflow, in the table of n8n's _Remove Duplicates_ node, which all processes share.
 *
 * n8n reads the whole table before it writes it, so processes overwrite each other's records. After recording, a
 * process looks again. The first process that still finds its own mark on its records wins.
 */
export class ProcessedRuns {
	private readonly table: ProcessedTable;

	constructor(private readonly context: IExecuteFunctions) {
		this.table = new ProcessedTable(context, ENTRIES);
	}

	/**
	 * Records runs. Never throws: runs that n8n can't record may start the workflow twice, which does less harm than
	 * losing them.
	 *
	 * @returns the runs that no other execution has recorded. If this execution is started again, it gets the same runs:
	 * n8n 1 starts an execution again if its worker stops
	 */
	async record(runIds: string[], warn: (message: string) => void): Promise<string[]> {
		const all = [...new Set(runIds)];
		const recorded: string[] = [];
		for (let at = 0; at < all.length; at += AT_ONCE) {
			recorded.push(...(await this.recordSome(all.slice(at, at + AT_ONCE), warn)));
		}
		return recorded;
	}

	private async recordSome(runIds: string[], warn: (message: string) => void): Promise<string[]> {
		const own: string[] = [];
		let open = runIds;
		try {
			for (let attempt = 1; attempt <= ATTEMPTS && open.length > 0; attempt++) {
				if (attempt > 1) await sleep(WRITING_TIME);
				const known = await this.table.add(open.flatMap((id) => [id, this.ownMark(id)]));
				const recorded = open.filter((id) => known.has(id));
				const others = recorded.filter((id) => !known.has(this.ownMark(id)));
				own.push(...recorded.filter((id) => !others.includes(id)));
				open = open.filter((id) => !known.has(id));
				await this.table.remove(others.map(this.ownMark));
			}
			if (open.length > 0) throw new Error('other executions have overwritten its record');
		} catch (error) {
			warn(`a run may start the workflow twice: ${String(error)}`);
		}
		return [...own, ...open];
	}

	private readonly ownMark = (runId: string) => `${runId} ${this.context.getExecutionId()}`;
}

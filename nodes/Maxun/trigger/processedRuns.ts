import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { inTurn } from '../http/concurrency';

/**
 * How many entries n8n remembers for each trigger, two for each run: the run, and the run with its execution. n8n reads
 * and writes all of them for each execution, which takes about 4 ms.
 */
const ENTRIES = 5_000;

/** Room for runs that are only looked up, so that they displace none. */
const MOST_ENTRIES = 2 * ENTRIES;

/** How many entries fit into MySQL in n8n 1. */
const FEWEST_ENTRIES = 2_000;

/** After how many milliseconds to look for a record again. n8n usually takes less time to read and then write all. */
const WRITING_TIME = 100;

/** How often to record runs that other processes overwrite. */
const ATTEMPTS = 10;

/**
 * The runs that have started the workflow, in the table of n8n's _Remove Duplicates_ node, which all processes share.
 *
 * n8n reads the whole table before it writes it, so processes overwrite each other's records. After recording, a process
 * looks again. The first one whose records are still there with its own mark has won.
 */
export class ProcessedRuns {
	constructor(private readonly context: IExecuteFunctions) {}

	/**
	 * Records runs. Never throws: runs that n8n can't record may start the workflow twice, which does less harm than losing
	 * them.
	 *
	 * @returns those that no other execution has recorded. A repetition of this execution gets the same ones: n8n 1 repeats
	 * an execution from the start if its worker stops
	 */
	async record(runIds: string[], warn: (message: string) => void): Promise<string[]> {
		const own: string[] = [];
		let foreign: string[] = [];
		let open = [...new Set(runIds)];
		try {
			for (let attempt = 1; attempt <= ATTEMPTS && open.length > 0; attempt++) {
				if (attempt > 1) await sleep(WRITING_TIME);
				const { recorded, marked } = await this.look(open);
				// Another process can restore a mark that was removed, so it counts only before others have recorded the run.
				const confirmed = marked.filter((id) => !foreign.includes(id));
				own.push(...confirmed);
				const others = recorded.filter((id) => !confirmed.includes(id));
				// `unknown` records a run for a moment, so it counts as processed only if it still is the next time.
				const processed = others.filter((id) => foreign.includes(id));
				foreign = others;
				await this.remove(others.map(this.ownMark));
				open = open.filter((id) => !confirmed.includes(id) && !processed.includes(id));
			}
		} catch (error) {
			warn(`a run may start the workflow twice: ${String(error)}`);
			open = open.filter((id) => !foreign.includes(id));
		}
		return [...own, ...open];
	}

	/** The runs that no execution has recorded. n8n can only look and record at once, so this undoes it. */
	async unknown(runIds: string[]): Promise<string[]> {
		const known = new Set(await this.add(runIds, MOST_ENTRIES));
		const added = runIds.filter((id) => !known.has(id));
		await this.remove(added);
		return added;
	}

	/** Records runs with the mark of this execution. @returns which were recorded before, and which with this mark */
	private async look(runIds: string[]): Promise<{ recorded: string[]; marked: string[] }> {
		const known = new Set(await this.add(runIds.flatMap((id) => [id, this.ownMark(id)])));
		const recorded = runIds.filter((id) => known.has(id));
		return { recorded, marked: recorded.filter((id) => known.has(this.ownMark(id))) };
	}

	private readonly ownMark = (runId: string) => `${runId} ${this.context.getExecutionId()}`;

	/** Adds what isn't recorded yet. @returns the rest */
	private async add(entries: string[], most = ENTRIES): Promise<unknown[]> {
		const { helpers } = this.context;
		const addTo = async (maxEntries: number) =>
			await helpers.checkProcessedAndRecord(entries, 'node', { mode: 'entries', maxEntries });
		const { processed } = await inTurn(
			this.key,
			async () =>
				// If two processes add the first entries at the same time, one fails. So do too many entries.
				await addTo(most).catch(async () => await addTo(FEWEST_ENTRIES)),
		);
		return processed;
	}

	private async remove(entries: string[]): Promise<void> {
		if (entries.length === 0) return;
		const { helpers } = this.context;
		await inTurn(
			this.key,
			async () => await helpers.removeProcessed(entries, 'node', { mode: 'entries' }),
		);
	}

	private get key(): string {
		return `${this.context.getWorkflow().id} ${this.context.getNode().id}`;
	}
}

import { mapConcurrently } from '../http/concurrency';
import { deleteTemporary, remainders } from './temporary';
import type { Notices, Outcome, PendingRun } from './types';
import { waitForRuns, type WaitLimits } from './wait';

/** The runs that an execution waits for. Only this class adds or removes them. */
export class PendingRuns {
	private readonly runs = new Set<PendingRun>();
	/** Called when a run has its outcome. */
	private readonly waiting = new Map<PendingRun, () => void>();
	/** The wait that `waitFor` calls share. */
	private polling?: Promise<void>;
	/** When a run was last added or ended, in epoch milliseconds. */
	private progress = 0;
	private latestEnd = 0;
	/** Ends all `waitFor` calls with an error. */
	private rejectAll: (error: unknown) => void = () => undefined;
	private readonly failure = new Promise<never>((_, reject) => (this.rejectAll = reject));

	/** @param onOutcome receives the outcome of each run once, after its removal */
	constructor(
		private readonly onOutcome: (run: PendingRun, outcome: Outcome) => Promise<void>,
		readonly notices: Notices,
	) {
		this.failure.catch(() => undefined); // perhaps nothing waits
	}

	get all(): PendingRun[] {
		return [...this.runs];
	}

	get size(): number {
		return this.runs.size;
	}

	/** When a run last got its outcome, in epoch milliseconds; 0 if none has. */
	get lastEnd(): number {
		return this.latestEnd;
	}

	/** Adds a run. A run that has already ended gets its outcome immediately. */
	async add(run: PendingRun): Promise<void> {
		this.runs.add(run);
		this.progress = Date.now();
		if (run.ended) await this.finish(run, { ended: run.ended });
	}

	/** Waits until all runs have an outcome, or a limit is reached. */
	async wait(limits?: WaitLimits): Promise<void> {
		await waitForRuns(this.runs, async (run, outcome) => await this.finish(run, outcome), limits);
	}

	/**
	 * Waits until a run has its outcome. Several calls at a time share their polls.
	 *
	 * @param patience gives up when no run was added or ended for so many milliseconds
	 * @returns whether the run has its outcome
	 */
	async waitFor(run: PendingRun, patience: number): Promise<boolean> {
		const outcome = new Promise<void>((resolve) => this.waiting.set(run, resolve));
		while (this.runs.has(run) && Date.now() < this.progress + patience) {
			this.polling ??= this.poll(this.progress + patience);
			await Promise.race([this.polling, outcome, this.failure]);
		}
		this.waiting.delete(run);
		return !this.runs.has(run);
	}

	/** Ends all `waitFor` calls with an error, because the node fails. */
	giveUp(error: unknown): void {
		this.rejectAll(error);
	}

	/** Removes all runs. The resumed execution adds them again. */
	release(): PendingRun[] {
		const { all } = this;
		this.runs.clear();
		return all;
	}

	/** Deletes the temporary robots of runs without an outcome, after the execution was cancelled or failed. */
	async discard(): Promise<void> {
		const runs = this.release();
		if (runs.length === 0) return;
		const left = await mapConcurrently(runs, runs[0].context.concurrency, deleteTemporary);
		remainders(left).forEach(this.notices.remains);
	}

	private async poll(until: number): Promise<void> {
		await this.wait({ until });
		this.polling = undefined; // not after a rejection, which all calls get
	}

	private async finish(run: PendingRun, outcome: Outcome): Promise<void> {
		if (!this.runs.delete(run)) return; // released during the poll
		await this.onOutcome(run, outcome);
		this.latestEnd = Date.now();
		this.progress = this.latestEnd;
		this.waiting.get(run)?.();
	}
}

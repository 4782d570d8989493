import { mapConcurrently } from '../http/concurrency';
import { deleteTemporary, remainders } from './temporary';
import type { Notices, Outcome, PendingRun } from './types';
import { waitForRuns, type WaitLimits } from './wait';

/** The runs that an execution waits for. Only this class adds or removes them. */
export class PendingRuns {
	private readonly runs = new Set<PendingRun>();

	/** @param onOutcome receives the outcome of each run once, after its removal */
	constructor(
		private readonly onOutcome: (run: PendingRun, outcome: Outcome) => Promise<void>,
		readonly notices: Notices,
	) {}

	get all(): PendingRun[] {
		return [...this.runs];
	}

	get size(): number {
		return this.runs.size;
	}

	/** Adds a run. A run that has already ended gets its outcome immediately. */
	async add(run: PendingRun): Promise<void> {
		this.runs.add(run);
		if (run.ended) await this.finish(run, { ended: run.ended });
	}

	/** Waits until all runs have an outcome, or a limit is reached. */
	async wait(limits?: WaitLimits): Promise<void> {
		await waitForRuns(this.all, async (run, outcome) => await this.finish(run, outcome), limits);
	}

	/**
	 * Adds a run and waits until it has an outcome or a limit is reached, regardless of the others.
	 *
	 * @returns whether the run has an outcome
	 */
	async addAndWait(run: PendingRun, limits?: WaitLimits): Promise<boolean> {
		await this.add(run);
		const remaining = this.runs.has(run) ? [run] : [];
		await waitForRuns(remaining, async (...args) => await this.finish(...args), limits);
		return !this.runs.has(run);
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

	private async finish(run: PendingRun, outcome: Outcome): Promise<void> {
		this.runs.delete(run);
		await this.onOutcome(run, outcome);
	}
}

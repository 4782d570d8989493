import { deleteTemporary } from './temporary';
import type { Outcome, PendingRun } from './types';
import { waitForRuns, type WaitLimits } from './wait';

/** The runs that an execution waits for. Nothing else adds or removes one. */
export class PendingRuns {
	private readonly runs = new Set<PendingRun>();

	/** @param onOutcome gets the outcome of each run once, after the run was removed */
	constructor(
		private readonly onOutcome: (run: PendingRun, outcome: Outcome) => Promise<void>,
		private readonly onHint: (message: string) => void,
	) {}

	get all(): PendingRun[] {
		return [...this.runs];
	}

	get size(): number {
		return this.runs.size;
	}

	/** Shows a hint beside the output of the execution that waits. */
	hint(message: string): void {
		this.onHint(message);
	}

	/** Adds a run. One that has ended already gets its outcome at once. */
	async add(run: PendingRun): Promise<void> {
		this.runs.add(run);
		if (run.ended) await this.finish(run, { ended: run.ended });
	}

	/** Waits until all runs have an outcome, or for as long as the limits say. */
	async wait(limits?: WaitLimits): Promise<void> {
		await waitForRuns(this.all, async (run, outcome) => await this.finish(run, outcome), limits);
	}

	/** Adds a run and waits until it has an outcome, whatever the others do. */
	async addAndWait(run: PendingRun): Promise<void> {
		await this.add(run);
		const remaining = this.runs.has(run) ? [run] : [];
		await waitForRuns(remaining, async (...args) => await this.finish(...args));
	}

	/** Removes all runs, which the execution takes up again after a pause. */
	release(): PendingRun[] {
		const { all } = this;
		this.runs.clear();
		return all;
	}

	/** Deletes the temporary robots of runs without an outcome: the execution was cancelled or has failed. */
	async discard(): Promise<void> {
		await Promise.all(this.all.map(deleteTemporary));
	}

	private async finish(run: PendingRun, outcome: Outcome): Promise<void> {
		this.runs.delete(run);
		await this.onOutcome(run, outcome);
	}
}

import { mapConcurrently, type Workers } from '../http/concurrency';
import type { PendingRuns } from '../runs/pendingRuns';
import type { PendingRun } from '../runs/types';
import { beginRun } from './beginRun';
import type { ItemOutput } from './itemOutput';
import type { Task } from './tasks';

/** Maximum number of simultaneous runs that take turns, if the user sets none. The service has its own limit. */
const MOST_RUNS = 50;

/** Whether the next run starts when another one has ended. */
export const takesTurns = ({ context, job }: Task) =>
	'start' in job && (context.maxun.runs.oneAtATime || job.inTurn === true);

function maxRunsOf({ context, job }: Task): number {
	const maxRuns = 'start' in job ? job.maxRuns : undefined;
	return maxRuns ?? (context.maxun.runs.oneAtATime ? 1 : MOST_RUNS);
}

/** Runs that take turns: the next one starts when another one has ended. */
export class Turns {
	/** Runs from before a pause, then the tasks. */
	private readonly queue: Array<PendingRun | Task> = [];
	private readonly notStarted: Task[] = [];
	private isTimeUp = false;
	/** Whether Maxun refuses further copies of a robot. */
	private isLimited = false;

	/** @param patience how many milliseconds to wait for a start, or for the end of any run */
	constructor(
		private readonly runs: PendingRuns,
		private readonly output: ItemOutput,
		private readonly patience: number,
	) {}

	/**
	 * Starts the runs, until no run has ended for so long.
	 *
	 * @param first a task that takes turns
	 * @returns the tasks whose runs have not started
	 */
	async take(tasks: Task[], first: Task): Promise<Task[]> {
		const { runs } = this;
		// Robots of runs that ended during a pause are used first.
		if (runs.size > 0) await runs.wait({ until: 0, atOnce: true });
		const earlier = runs.all;
		this.queue.push(...earlier, ...tasks);
		const maxRuns = maxRunsOf(first);
		const { oneAtATime } = first.context.maxun.runs;
		await mapConcurrently(
			this.queue,
			Math.max(maxRuns, earlier.length),
			async (next, _, workers) => {
				const working = 'job' in next ? this.run(next, workers) : this.waitFor(next);
				await working.catch((error: unknown) => {
					runs.giveUp(error);
					throw error;
				});
			},
			// Only a first run shows whether the service has a free slot for a second one.
			oneAtATime ? maxRuns : earlier.length + 1,
		);
		return this.notStarted;
	}

	private async run(task: Task, workers: Workers): Promise<void> {
		const { itemIndex, context, job, since = Date.now() } = task;
		const { runs, output, patience } = this;
		context.maxun.throwIfCancelled();
		if ('run' in job) return await output.write(itemIndex, async () => await job.run(context));
		if (this.isTimeUp) return void this.notStarted.push(task);
		const { lastEnd } = runs;
		const mayWait = () => runs.size > 0;
		const run = await beginRun(task, job, output, { since, patience, lastEnd, mayWait });
		if (run === 'postponed') {
			this.isTimeUp = true;
			this.notStarted.push({ ...task, since });
		} else if (run === 'limited') {
			// The page follows when the copy of another page is free.
			this.isLimited = true;
			workers.remove();
			this.queue.push(task);
		} else if (run) {
			await runs.add(run);
			// A run that begins immediately shows that there may be a free slot for another one.
			if (run.response?.status !== 'queued' && !this.isLimited) workers.add();
			await this.waitFor(run);
		}
	}

	private async waitFor(run: PendingRun): Promise<void> {
		const hasEnded = await this.runs.waitFor(run, this.patience);
		this.isTimeUp ||= !hasEnded;
	}
}

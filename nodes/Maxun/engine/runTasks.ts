import { mapConcurrently } from '../http/concurrency';
import type { PendingRuns } from '../runs/pendingRuns';
import { beginRun } from './beginRun';
import type { ItemOutput } from './itemOutput';
import type { Operation } from './operation';
import type { Task } from './tasks';
import { takesTurns, Turns } from './turns';

/**
 * Runs the operation for all items, or starts their runs.
 *
 * @param patience how many milliseconds to wait for each start, and for the end of runs that take turns. After that, no
 *   further run starts
 * @returns the items whose runs have not started
 */
export async function runTasks(
	tasks: Task[],
	operation: Operation,
	runs: PendingRuns,
	output: ItemOutput,
	patience = Infinity,
): Promise<Task[]> {
	const [first] = tasks;
	if (!first) return [];
	const inTurn = tasks.find(takesTurns);
	if (inTurn) return await new Turns(runs, output, patience).take(tasks, inTurn);
	const atOnce = operation.parallel ? first.options.concurrency : 1;
	const notStarted: Task[] = [];
	await mapConcurrently(tasks, atOnce, async (task) => {
		const { itemIndex, context, job, since = Date.now() } = task;
		context.maxun.throwIfCancelled();
		if ('run' in job) return await output.write(itemIndex, async () => await job.run(context));
		const run = await beginRun(task, job, output, { since, patience });
		if (typeof run === 'string') notStarted.push({ ...task, since });
		else if (run) await runs.add(run);
	});
	return notStarted;
}

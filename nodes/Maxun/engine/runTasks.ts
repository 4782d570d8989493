import { mapConcurrently } from '../http/concurrency';
import { PAUSE_AFTER } from '../runs/pause/pausing';
import type { PendingRuns } from '../runs/pendingRuns';
import type { Item, PendingRun, StartedRun } from '../runs/types';
import { notPaused } from '../runs/wait';
import { StartTimedOut } from '../servers/startTimedOut';
import type { ItemOutput } from './itemOutput';
import type { Operation, OperationContext, WaitingJob } from './operation';
import type { Task } from './tasks';

/** Runs the operation for all items, or starts their runs. */
export async function runTasks(
	tasks: Task[],
	operation: Operation,
	runs: PendingRuns,
	output: ItemOutput,
): Promise<void> {
	const [first] = tasks;
	if (!first) return;
	const { oneAtATime } = first.context.maxun.runs;
	const parallel = operation.parallel ? first.options.concurrency : 1;
	const atOnce = oneAtATime && 'start' in first.job ? (first.job.maxRuns ?? 1) : parallel;
	await mapConcurrently(tasks, atOnce, async (task) => {
		const { itemIndex, context, job } = task;
		context.maxun.throwIfCancelled();
		if ('run' in job) return await output.write(itemIndex, async () => await job.run(context));
		const since = Date.now();
		const running = begin(task, job, since, output).then(async (run) => {
			if (run) await (oneAtATime ? runs.addAndWait(run) : runs.add(run));
		});
		await running.finally(() => {
			const isLong = oneAtATime && Date.now() - since > PAUSE_AFTER * 1000;
			if (isLong) context.hint(notPaused('self-hosted servers cannot resume it'));
		});
	});
}

/** Starts a run. @returns undefined if the item already has its output */
async function begin(
	{ itemIndex, context }: Task,
	job: WaitingJob,
	since: number,
	output: ItemOutput,
): Promise<PendingRun | undefined> {
	const { settings } = job;
	const started = await output.attempt(itemIndex, async () => await startOrReport(job, context));
	if (!started || !('items' in started)) {
		return started && { ...started, itemIndex, context, settings, since };
	}
	await output.write(itemIndex, async () => started.items);
	return undefined;
}

/** Starts a run. @returns items instead, if the run doesn't start in time and the settings allow that */
async function startOrReport(
	{ start, settings }: WaitingJob,
	context: OperationContext,
): Promise<StartedRun | { items: Item[] }> {
	return await start(context).catch((error: unknown) => {
		if (!(error instanceof StartTimedOut) || settings.onTimeout !== 'return') throw error;
		const { robotId, runStatus: status, text: note } = error;
		return { items: [{ json: { robotId, status, timedOut: true, note } }] };
	});
}

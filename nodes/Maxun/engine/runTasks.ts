import { mapConcurrently } from '../http/concurrency';
import type { PendingRuns } from '../runs/pendingRuns';
import type { Item, PendingRun, StartedRun } from '../runs/types';
import { deadlineOf } from '../runs/wait';
import { StartPostponed, StartTimedOut } from '../servers/startTimedOut';
import type { StartOptions } from '../servers/types';
import type { ItemOutput } from './itemOutput';
import type { Operation, OperationContext, WaitingJob } from './operation';
import type { Task } from './tasks';

/**
 * Runs the operation for all items, or starts their runs.
 *
 * @param patience how many milliseconds to wait for each start and each run on a server that runs one robot at a time.
 *   After that, no further run starts
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
	const { oneAtATime } = first.context.maxun.runs;
	const parallel = operation.parallel ? first.options.concurrency : 1;
	const atOnce = oneAtATime && 'start' in first.job ? (first.job.maxRuns ?? 1) : parallel;
	const notStarted: Task[] = [];
	let isTimeUp = false;
	await mapConcurrently(tasks, atOnce, async (task) => {
		const { itemIndex, context, job } = task;
		context.maxun.throwIfCancelled();
		if ('run' in job) return await output.write(itemIndex, async () => await job.run(context));
		if (isTimeUp) return void notStarted.push(task);
		const { since = Date.now() } = task;
		const run = await begin(task, job, since, patience, output);
		if (run === 'postponed') {
			isTimeUp = true;
			notStarted.push({ ...task, since });
		} else if (run && !oneAtATime) {
			await runs.add(run);
		} else if (run) {
			const hasEnded = await runs.addAndWait(run, { until: Date.now() + patience });
			isTimeUp ||= !hasEnded;
		}
	});
	return notStarted;
}

/**
 * How long to wait for a turn to start, in milliseconds, even if runs should pause sooner. Otherwise, executions that
 * resume together would leave the queue before the server could start more than one of them.
 */
const SHORTEST_START = 20_000;

/** Starts a run. @returns undefined if the item already has its output */
async function begin(
	{ itemIndex, context }: Task,
	job: WaitingJob,
	since: number,
	patience: number,
	output: ItemOutput,
): Promise<PendingRun | 'postponed' | undefined> {
	const { settings } = job;
	const until = deadlineOf({ since, settings });
	const limit = Date.now() + Math.max(patience, SHORTEST_START);
	const startBy = limit < until ? limit : undefined;
	const started = await output.attempt(
		itemIndex,
		async () => await startOrReport(job, startingWithin({ until, startBy }, context)),
	);
	if (started === 'postponed') return started;
	if (!started || !('items' in started)) {
		return started && { ...started, itemIndex, context, settings, since };
	}
	await output.write(itemIndex, async () => started.items);
	return undefined;
}

/** The same context, with limits for starts. */
const startingWithin = (
	limits: Pick<StartOptions, 'until' | 'startBy'>,
	{ maxun, ...context }: OperationContext,
): OperationContext => ({
	...context,
	maxun: {
		...maxun,
		runs: {
			...maxun.runs,
			start: async (robotId, options) => await maxun.runs.start(robotId, { ...options, ...limits }),
		},
	},
});

/** Starts a run. @returns items instead, if the run doesn't start in time and the settings allow that */
async function startOrReport(
	{ start, settings }: WaitingJob,
	context: OperationContext,
): Promise<StartedRun | { items: Item[] } | 'postponed'> {
	return await start(context).catch((error: unknown) => {
		if (error instanceof StartPostponed) return 'postponed';
		if (!(error instanceof StartTimedOut) || settings.onTimeout !== 'return') throw error;
		const { robotId, runStatus: status, text: note } = error;
		return { items: [{ json: { robotId, status, timedOut: true, note } }] };
	});
}

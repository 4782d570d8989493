import { mapConcurrently, type Workers } from '../http/concurrency';
import { CopyLimitReached } from '../runs/duplicates';
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
	const isInTurn = takeTurns(first);
	const atOnce = isInTurn ? maxRunsOf(first) : parallel;
	const notStarted: Task[] = [];
	let isTimeUp = false;
	const waitFor = async (run: PendingRun) => {
		const hasEnded = await runs.waitFor(run, patience);
		isTimeUp ||= !hasEnded;
	};
	const inputs: Array<PendingRun | Task> = [];
	let isLimited = false;
	const work = async (task: Task, workers: Workers) => {
		const { itemIndex, context, job } = task;
		context.maxun.throwIfCancelled();
		if ('run' in job) return await output.write(itemIndex, async () => await job.run(context));
		if (isTimeUp) return void notStarted.push(task);
		const { since = Date.now() } = task;
		const run = await begin(task, job, since, patience, output, () => runs.size > 0);
		if (run === 'limited') {
			// Another page's copy becomes free later.
			isLimited = true;
			workers.remove();
			inputs.push(task);
		} else if (run === 'postponed') {
			isTimeUp = true;
			notStarted.push({ ...task, since });
		} else if (run) {
			await runs.add(run);
			if (!isInTurn) return;
			// A run that begins immediately shows that the service has a free slot for another one.
			if (run.response?.status !== 'queued' && !isLimited) workers.add();
			await waitFor(run);
		}
	};
	const initial = isInTurn && !oneAtATime ? 1 : atOnce;
	// The free robots of runs that ended during a pause are used first.
	if (isInTurn && runs.size > 0) await runs.wait({ until: 0, atOnce: true });
	const earlier = isInTurn ? runs.all : [];
	inputs.push(...earlier, ...tasks);
	await mapConcurrently(
		inputs,
		Math.max(atOnce, earlier.length),
		async (next, _, workers) => {
			const working = 'job' in next ? work(next, workers) : waitFor(next);
			await working.catch((error: unknown) => {
				runs.giveUp(error);
				throw error;
			});
		},
		initial + earlier.length,
	);
	return notStarted;
}

/** Whether the next run starts when another one has ended. */
export const takeTurns = ({ context, job }: Task) =>
	'start' in job && (context.maxun.runs.oneAtATime || job.inTurn === true);

/** Maximum number of simultaneous runs that take turns, if the user sets none. The service has its own limit. */
const MOST_RUNS = 50;

function maxRunsOf({ context, job }: Task): number {
	const maxRuns = 'start' in job ? job.maxRuns : undefined;
	return maxRuns ?? (context.maxun.runs.oneAtATime ? 1 : MOST_RUNS);
}

/**
 * How long to wait for a turn to start, in milliseconds, even if runs should pause sooner. Otherwise, executions that
 * resume together would leave the queue before the server could start more than one of them.
 */
const SHORTEST_START = 20_000;

/**
 * Starts a run.
 *
 * @param mayWait whether a start that needs another copy of a robot can wait for one
 * @returns undefined if the item already has its output
 */
async function begin(
	{ itemIndex, context }: Task,
	job: WaitingJob,
	since: number,
	patience: number,
	output: ItemOutput,
	mayWait: () => boolean,
): Promise<PendingRun | 'postponed' | 'limited' | undefined> {
	const { settings } = job;
	const until = deadlineOf({ since, settings });
	const limit = Date.now() + Math.max(patience, SHORTEST_START);
	const startBy = limit < until ? limit : undefined;
	const started = await output.attempt(
		itemIndex,
		async () => await startOrReport(job, startingWithin({ until, startBy }, context), mayWait),
	);
	if (started === 'postponed' || started === 'limited') return started;
	if (!started || !('items' in started)) {
		return started && { ...started, itemIndex, context, settings, since, confirmedAt: Date.now() };
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
	mayWait: () => boolean,
): Promise<StartedRun | { items: Item[] } | 'postponed' | 'limited'> {
	return await start(context).catch((error: unknown) => {
		if (error instanceof CopyLimitReached && mayWait()) return 'limited';
		if (error instanceof StartPostponed) return 'postponed';
		if (!(error instanceof StartTimedOut) || settings.onTimeout !== 'return') throw error;
		const { robotId, runStatus: status, text: note } = error;
		return { items: [{ json: { robotId, status, timedOut: true, note } }] };
	});
}

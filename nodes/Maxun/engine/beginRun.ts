import { CopyLimitReached } from '../runs/duplicates';
import type { Item, PendingRun, StartedRun } from '../runs/types';
import { deadlineOf } from '../runs/wait';
import { StartPostponed, StartTimedOut } from '../servers/startTimedOut';
import type { StartOptions } from '../servers/types';
import type { ItemOutput } from './itemOutput';
import type { OperationContext, WaitingJob } from './operation';
import type { Task } from './tasks';

/** When a run should have started. */
interface Limits {
	/** When the node first tried to start it, in epoch milliseconds. */
	since: number;
	/** How many milliseconds the start may take now. */
	patience: number;
	/** When a run of the execution last ended, in epoch milliseconds; 0 if none has. */
	lastEnd?: number;
	/** Whether it can wait for the copy of a robot that another run uses. */
	mayWait?: () => boolean;
}

/**
 * How long to wait for a turn to start, in milliseconds, even if runs should pause sooner. Otherwise, executions that
 * resume together would leave the queue before the server could start more than one of them.
 */
const SHORTEST_START = 20_000;

/**
 * How long the browser of an ended run may take to free its slot, in milliseconds. The execution doesn't pause
 * meanwhile, because a pause takes longer.
 */
const CLOSING = 60_000;

/**
 * Starts a run.
 *
 * @returns why it has not started; undefined if the item already has its output
 */
export async function beginRun(
	{ itemIndex, context }: Task,
	job: WaitingJob,
	output: ItemOutput,
	{ since, patience, lastEnd = 0, mayWait = () => false }: Limits,
): Promise<PendingRun | 'postponed' | 'limited' | undefined> {
	const { settings } = job;
	const until = deadlineOf({ since, settings });
	const limit = Math.max(Date.now() + Math.max(patience, SHORTEST_START), lastEnd + CLOSING);
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

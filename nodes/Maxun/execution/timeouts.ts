import { MINUTE } from '../http/time';
import { median } from '../results/statistics';
import type { Lesson, PendingRun, WaitSettings } from '../runs/types';
import type { OperationContext } from '../operations/operation';
import { isWaiting, lessonOf, type Task, type WaitingTask } from './tasks';

export interface TaskRun extends PendingRun {
	task: WaitingTask;
	context: OperationContext;
	lesson?: Lesson<OperationContext>;
	/** When Maxun began to work on it, in epoch milliseconds. */
	begunAt: number;
}

/**
 * Until Maxun works on a run, its timeout begins again with each of the execution's other runs. If the robot's other
 * pages needed much less time, a page that hangs times out earlier, so that it doesn't hold up the others.
 */
export class Timeouts {
	private pageLimits?: Map<string, number>;

	constructor(
		private readonly tasks: Task[],
		private readonly lastActivity: number,
	) {}

	/** In epoch milliseconds; Infinity if the timeout hasn't begun. */
	timeoutOf(task: WaitingTask): number {
		const { state, job } = task;
		if (state.begunAt === undefined) return Infinity;
		const start = state.isWorking ? state.begunAt : Math.max(state.begunAt, this.lastActivity);
		return start + (this.pageLimitOf(task) ?? job.settings.timeoutMinutes * MINUTE);
	}

	/** The timeout begins when Maxun begins to work on the run. @returns as `timeoutOf` */
	noteStatus(task: WaitingTask, status: string): number {
		const { state } = task;
		if (state.run && !state.isWorking && !NOT_YET.includes(status))
			task.state = { ...state, begunAt: Date.now(), isWorking: true };
		return this.timeoutOf(task);
	}

	deadlineOf(task: WaitingTask): number {
		return Math.min(this.timeoutOf(task), task.context.returnAt ?? Infinity);
	}

	get runs(): TaskRun[] {
		return this.tasks.filter(isWaiting).flatMap((task) => {
			const { state, context, job } = task;
			if (!state.run) return [];
			const { begunAt, run } = state;
			const lesson = state.isLesson && lessonOf(task);
			const { fileName } = run;
			return [
				{
					...run,
					fields: fileName === undefined ? job.fields(context.item) : { fileName },
					task,
					begunAt,
					context,
					settings: lesson ? settingsOf(lesson, job.settings) : job.settings,
					timeoutAt: this.timeoutOf(task),
					pageLimit: this.pageLimitOf(task),
					lesson,
				},
			];
		});
	}

	/** In milliseconds, if it is shorter than the timeout. */
	private pageLimitOf({ state, job: { settings } }: WaitingTask): number | undefined {
		if (!settings.isOneOfPages || !state.isWorking || state.isLesson) return undefined;
		this.pageLimits ??= pageLimitsOf(this.tasks);
		const limit = this.pageLimits.get(settings.robotId ?? '') ?? Infinity;
		return limit < settings.timeoutMinutes * MINUTE ? limit : undefined;
	}
}

/** A page that can't be read fails the lesson. */
const settingsOf = (
	{ subject }: Lesson<OperationContext>,
	{ timeoutMinutes, delayBeforeStart }: WaitSettings,
): WaitSettings => ({
	subject,
	timeoutMinutes,
	delayBeforeStart,
	output: 'raw',
	onFailure: 'error',
	onTimeout: 'error',
});

/** Maxun isn't working on these runs yet, or they could not be read. */
const NOT_YET = ['queued', 'scheduled', 'unknown'];

/** How many pages must be completed before they limit the others. */
const ENOUGH = 3;
const SHORTEST_LIMIT = 2 * MINUTE;

/** Ten times the median of a robot's completed pages, but at least two minutes. */
function pageLimitsOf(tasks: Task[]): Map<string, number> {
	const taken = new Map<string, number[]>();
	for (const { state, job } of tasks) {
		const { robotId = '' } = job.settings ?? {};
		if (state.took === undefined) continue;
		if (!taken.get(robotId)?.push(state.took)) taken.set(robotId, [state.took]);
	}
	return new Map(
		[...taken]
			.filter(([, times]) => times.length >= ENOUGH)
			.map(([robotId, times]) => [robotId, Math.max(10 * (median(times) ?? 0), SHORTEST_LIMIT)]),
	);
}

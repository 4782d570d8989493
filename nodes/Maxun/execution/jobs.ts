import { mapConcurrently } from '../http/concurrency';
import { MaxunFault } from '../http/fault';
import { MINUTE, SECOND } from '../http/time';
import type { Captured } from '../results/captured';
import { isUsable } from '../results/verdict';
import { SHORTEST_PAUSE } from '../n8n/internals';
import { pollRuns } from './poll';
import { pollInterval } from '../runs/start';
import { notStarted, runContinues } from '../runs/early';
import { isWorthKeeping, itemsOfEnded, resultOf, type RunItems } from '../runs/runResult';
import { deleteRobot, LimitReached } from '../runs/temporary';
import type { Lesson, StartedRun, WaitEnd } from '../runs/types';
import { Busy } from '../servers/busy';
import type { Run } from '../servers/entities';
import { beginTask, giveUp } from './begin';
import {
	isOpen,
	isUntouched,
	isWaiting,
	keysBeingLearnt,
	lessonOf,
	temporaryRobotsOf,
	type Task,
	type WaitingTask,
} from './tasks';
import type { ItemOutput } from './itemOutput';
import type { Budget } from './budget';
import type { Learning } from './learning';
import { Timeouts, type TaskRun } from './timeouts';
import type { Job, OperationContext } from '../operations/operation';

export class Jobs {
	/** In epoch milliseconds, after a rejected start; 0 if a run has ended since. */
	private nextStart = 0;

	private readonly begun = Date.now();

	/** Runs that have ended since then. */
	private ended = 0;

	/** `lastActivity` is when a run last started or ended, in epoch milliseconds. */
	constructor(
		readonly tasks: Task[],
		private readonly output: ItemOutput,
		private readonly learning: Learning,
		private readonly budget: Budget,
		private readonly parallel: boolean,
		public lastActivity = Date.now(),
	) {}

	get isDone(): boolean {
		return !this.tasks.some(isOpen);
	}

	/** In epoch milliseconds; Infinity if there is none. */
	get nextDeadline(): number {
		const { timeouts } = this;
		const future = this.waiting
			.map((task) => timeouts.deadlineOf(task))
			.filter((time) => time > Date.now()); // A run that can't be read now may be late already.
		return future.reduce((next, time) => Math.min(next, time), Infinity);
	}

	/** Whether a pause during long work doesn't lose time, because the started runs fill it. */
	get isLongWork(): boolean {
		const worked = Date.now() - this.begun;
		const active = this.waiting.filter(({ state }) => state.run).length;
		return worked >= LONG_WORK && (active * worked) / this.ended >= SHORTEST_PAUSE;
	}

	async poll(): Promise<void> {
		await pollRuns(
			this.timeouts.runs,
			async (run, outcome) => await this.finish(run, outcome),
			({ task }, status) => this.timeouts.noteStatus(task, status),
		);
	}

	async startWhatFits(): Promise<void> {
		const { timeouts } = this;
		for (const task of this.waiting) {
			const isOverdue = task.state.todo && Date.now() >= timeouts.deadlineOf(task);
			if (isOverdue) await giveUp(task, this.output, Date.now() < timeouts.timeoutOf(task));
		}
		const todo = this.startable;
		const [first] = todo;
		if (!first?.context || Date.now() < this.nextStart) return;
		const pace = paceOf(first.job, first.context, this.parallel);
		let free = pace.slots - this.waiting.filter(takesSlot).length;
		const heldRobot = this.holdsRobot;
		const refused: Array<{ task: Task; busy: Busy }> = [];
		await mapConcurrently(todo, pace.atOnce, async (task) => {
			const holdsSlot = takesSlot(task);
			if ((free <= 0 && !holdsSlot) || !task.state.todo) return;
			if (refused.some(({ busy }) => busy.stopsOthers)) return;
			if (!holdsSlot) free--;
			const fault = await this.begin(task, pace.delay);
			if (!takesSlot(task)) free++;
			if (fault instanceof Busy) refused.push({ task, busy: fault });
			else if (concernsAll(fault)) this.stopStarting(task, fault);
		});
		// If a start fails, its robot is deleted. By then, this robot may have caused another start to be rejected.
		const isOwnLimit = heldRobot || this.holdsRobot;
		for (const { task, busy } of refused) this.postpone(task, busy, isOwnLimit);
	}

	/** Rejects if the execution is canceled in the meantime. */
	async sleep(): Promise<void> {
		const [first] = this.waiting;
		if (!first) return;
		const isPolling = this.waiting.some(({ state }) => state.run);
		const next = isPolling ? Date.now() + pollInterval(this.idle) : this.nextStart;
		await first.context.maxun.sleep(Math.min(next, this.nextDeadline) - Date.now());
	}

	private get timeouts(): Timeouts {
		return new Timeouts(this.tasks, this.lastActivity);
	}

	private get waiting(): WaitingTask[] {
		return this.tasks.filter(isWaiting);
	}

	private get idle(): number {
		return Date.now() - this.lastActivity;
	}

	/** Robots are deleted when their runs end. The robot of a run that failed is kept for the next attempt. */
	private get holdsRobot(): boolean {
		return this.waiting.some((task) => temporaryRobotsOf(task.state).length > 0);
	}

	/** Tasks that can start. Of several tasks with the same lesson, only the first starts. */
	private get startable(): Task[] {
		const keys = keysBeingLearnt(this.tasks);
		return this.tasks.filter((task) => {
			if (!task.state.todo) return false;
			const lesson = this.learning.neededFor(task);
			if (!lesson) return true;
			const isFirst = !keys.has(lesson.key);
			keys.add(lesson.key);
			return isFirst;
		});
	}

	private async finish(run: TaskRun, outcome: WaitEnd): Promise<void> {
		const { task, lesson, context, settings, robotId, runId, known } = run;
		const took = Date.now() - run.begunAt;
		const { former } = task.state;
		if (isGone(run, outcome) && this.mayReplace(run)) return this.startAgain(task, former);
		if (lesson) return await this.finishLesson(run, lesson, outcome);
		if ('early' in outcome) {
			// The temporary robot is kept, because it contains the data.
			const continuing = { status: outcome.early, runId, robotId };
			return this.output.set(task, runContinues(context.maxun, continuing, settings));
		}
		if ('ended' in outcome && (await this.mustLearn(run, outcome.ended))) return;
		const result = await resultOf(run, outcome, async (captured) => await this.read(run, captured));
		if (!('fault' in outcome)) this.noteActivity();
		this.nextStart = 0;
		if ('error' in result) return this.output.fail(task, result.error, result.continues);
		const { items, verdict } = result;
		const stays = isWorthKeeping(settings, verdict);
		const isBetter = stays || isUsable(verdict);
		if (!isBetter && this.output.returnToFormer(task, AFTER_REPAIR)) return;
		const toKeep = stays ? { robotId, runId, known, isNew: run.isReused !== true } : undefined;
		const shown = { runId: run.temporary ? undefined : runId, verdict, took: verdict && took };
		this.output.set(task, items, { ...shown, toKeep });
		if (former?.temporary)
			await deleteRobot(context, { kind: former.temporary, robotId: former.robotId });
	}

	/** Reads a run for all tasks that share it. Their input items may differ. */
	private async read(run: TaskRun, captured: Captured): Promise<RunItems> {
		const context = { ...run.context, hint: () => {} };
		for (const twin of run.task.twins) {
			const { job, context: { item = {} } = {} } = twin;
			const fields = job.fields?.(item);
			const making = async () => (await itemsOfEnded({ ...run, context, fields }, captured)).items;
			// A twin fails together with its first task, and the node throws that task's error.
			await this.output.write(twin, making).catch(() => undefined);
		}
		return await itemsOfEnded(run, captured);
	}

	/** A kept robot is replaced once, by one more run. */
	private mayReplace({ isReused, task }: TaskRun): boolean {
		return !isReused || (this.mayRepeat(task) && this.learning.keptRobots.replace(task));
	}

	/** Whether the task may start again, with what it has to learn first. */
	private mayRepeat(task: Task): boolean {
		const again = { ...task, state: { todo: true, former: task.state.run } as const };
		const later = this.tasks.map((other) => (other === task ? again : other));
		return this.budget.refusal(later, this.learning) === undefined;
	}

	/** Whether the run shows that the task has to learn something, before it starts again. */
	private async mustLearn(run: TaskRun, ended: Run): Promise<boolean> {
		const { task } = run;
		const former = await this.learning.asFormer(run, ended);
		if (!former) return false;
		if (!this.mayRepeat(task)) {
			run.context.hint(NO_RUN_LEFT);
			return false;
		}
		this.startAgain(task, former);
		return true;
	}

	private async finishLesson(
		run: TaskRun,
		lesson: Lesson<OperationContext>,
		outcome: WaitEnd,
	): Promise<void> {
		const { task, context } = run;
		const { former } = task.state;
		if ('early' in outcome) {
			await deleteRobot(context, { kind: 'robot', robotId: run.robotId }, run.runId);
			return this.output.set(task, notStarted(task.job.settings, READING));
		}
		const { runId } = run;
		const result = await resultOf(run, outcome, async (page) => ({
			items: [],
			learnt: { runId, ...(await lesson.learn(page, context)) },
		}));
		this.noteActivity();
		if ('error' in result) return this.failLesson(task, lesson, result);
		const { selectors, repaired } = this.learning.add(lesson, result.learnt);
		task.state = { todo: true, former };
		if (!selectors && !repaired) this.useFormer(lesson);
	}

	/** All tasks with the same lesson would fail. */
	private failLesson(
		task: WaitingTask,
		lesson: Lesson,
		{ error, continues }: { error: unknown; continues: boolean },
	): void {
		const others = this.tasks.filter(
			(other) => other !== task && this.learning.neededFor(other)?.key === lesson.key,
		);
		if (!continues && lesson !== task.job.lesson) this.learning.add(lesson);
		this.output.fail(task, error, continues);
		for (const other of others) this.output.fail(other, error);
	}

	/** Nothing was repaired, so the runs that lack values count. */
	private useFormer(lesson: Lesson): void {
		const waiting = this.tasks.filter((task) => lessonOf(task)?.key === lesson.key);
		for (const task of waiting) this.output.returnToFormer(task);
	}

	private startAgain(task: Task, former?: StartedRun): void {
		task.state = { todo: true, former };
		this.noteActivity();
	}

	private noteActivity(): void {
		this.ended++;
		this.lastActivity = Date.now();
		this.nextStart = 0;
	}

	/** Returns why the task can't start at all, or can't start yet. */
	private async begin(task: Task, delay: number): Promise<unknown> {
		const { output, learning, timeouts } = this;
		// A kept robot may be gone, so that its page has to be read again.
		const refusal = this.budget.refusal(this.tasks, learning);
		const fault = await beginTask(task, output, learning, { delay, timeouts, refusal });
		const { run, isFinal, runId } = task.state;
		if (run) this.lastActivity = Date.now();
		const lesson = isFinal && lessonOf(task);
		if (lesson && !this.learning.of(task)) {
			// At most one repair per robot and execution.
			this.learning.add(lesson);
			this.useFormer(lesson);
		}
		const isStarted = (run && !isFinal) || runId;
		if (isStarted || (fault instanceof MaxunFault && fault.mayHaveHappened))
			this.budget.state.started++;
		return fault;
	}

	/** Maxun would also reject these tasks. Started runs continue. */
	private stopStarting({ context: refused }: Task, fault: MaxunFault): void {
		for (const task of this.waiting) {
			if (isUntouched(task) && task.context.accountKey === refused?.accountKey) {
				this.output.fail(task, fault.with({ message: `Not started: ${fault.message}` }));
			}
		}
	}

	/** Waits, unless the plan's limit is reached even without this execution's robots. */
	private postpone(task: Task, busy: Busy, isOwnLimit: boolean): void {
		// A busy server can't start a run sooner.
		const soonest = busy.stopsOthers ? 3 * SECOND : 0;
		this.nextStart = Date.now() + Math.max(pollInterval(this.idle), soonest);
		if (busy instanceof LimitReached && !isOwnLimit) {
			this.output.fail(task, busy);
			this.stopStarting(task, busy);
		} else if (task.state.todo) task.state = { ...task.state, busy: busy.text };
	}
}

/** An agent that Maxun is still building also counts. */
const takesSlot = ({ state }: Task) =>
	state.run !== undefined || temporaryRobotsOf(state).length > 0;

/**
 * After a pause, n8n may have been killed once the run was read and its temporary robot deleted. Another execution may
 * have replaced a kept robot. Then the page has to be read again, because its data is lost.
 */
const isGone = ({ task, runId, temporary, isReused }: TaskRun, outcome: WaitEnd) =>
	(isReused || (temporary !== undefined && task.restored === runId)) &&
	'fault' in outcome &&
	outcome.fault.isNotFound;

const AFTER_REPAIR = 'the run after the repair has no values';

const NO_RUN_LEFT =
	"The page has changed, but the node did not look for the values again, because that needs more runs than 'Max Runs per Execution' allows";

const READING = 'Reading the page takes longer than the tool may wait. Use selectors';

/** Whether the reason is the account's key, credits, role or plan. */
const concernsAll = (error: unknown): error is MaxunFault =>
	error instanceof MaxunFault && error.isMaxuns && [401, 402, 403].includes(error.status ?? 0);

/** n8n loses what an execution has read if it is killed before the next pause. */
const LONG_WORK = 10 * MINUTE;

/** `slots` are simultaneous runs, and `delay` is in milliseconds. */
function paceOf(job: Job, { concurrency, maxun }: OperationContext, parallel: boolean) {
	const usual = { slots: Infinity, atOnce: parallel ? concurrency : 1, delay: 0 };
	if (!job.settings) return usual;
	const { maxRuns, maxQueued = Infinity, delayBeforeStart } = job.settings;
	// Overlapping starts can hang the server.
	if (maxun.features.has('oneAtATime')) {
		return { slots: maxRuns ?? 1, atOnce: 1, delay: delayBeforeStart * 1000 };
	}
	// Maxun Cloud queues more runs than it has browsers.
	return { ...usual, slots: maxQueued };
}

import { mapConcurrently } from '../http/concurrency';
import { forCleanup } from '../http/context';
import { MaxunFault } from '../http/fault';
import { SECOND } from '../http/time';
import { pollRuns } from './poll';
import { pollInterval } from '../runs/start';
import { repairAfter } from '../runs/repair';
import { resultOf } from '../runs/runResult';
import { deleteRobot, LimitReached } from '../runs/temporary';
import type { Repaired, WaitEnd } from '../runs/types';
import { Busy } from '../servers/busy';
import { beginTask, failIfImpossible, giveUp } from './begin';
import {
	isOpen,
	isUntouched,
	isWaiting,
	temporaryRobotOf,
	type Task,
	type WaitingTask,
} from './tasks';
import type { ItemOutput } from './itemOutput';
import { isReadWell } from './readPages';
import { Timeouts, type TaskRun } from './timeouts';
import type { Job, OperationContext } from '../operations/operation';

export class Jobs {
	/** In epoch milliseconds, after a rejected start; 0 if a run has ended since. */
	private nextStart = 0;

	started = 0;

	/** `lastActivity` is when a run last started or ended, in epoch milliseconds. */
	constructor(
		private readonly tasks: Task[],
		private readonly output: ItemOutput,
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

	async failImpossible(): Promise<void> {
		await mapConcurrently(this.tasks, CLEANUPS, async (task) => {
			await failIfImpossible(task, this.output);
		});
	}

	async poll(): Promise<void> {
		await pollRuns(
			this.timeouts.runs,
			async (run, outcome) => await this.finish(run, outcome),
			({ task }, status) => {
				noteWork(task, status);
				return this.timeouts.timeoutOf(task);
			},
		);
	}

	async startWhatFits(): Promise<void> {
		const { timeouts } = this;
		const isOverdue = (task: WaitingTask) =>
			'todo' in task.state && Date.now() >= timeouts.deadlineOf(task);
		await mapConcurrently(this.waiting.filter(isOverdue), 1, async (task) => {
			await giveUp(task, this.output, Date.now() < timeouts.timeoutOf(task));
		});
		const todo = this.tasks.filter(({ state }) => 'todo' in state);
		const [first] = todo;
		if (!first?.context || Date.now() < this.nextStart) return;
		const pace = paceOf(first.job, first.context, this.parallel);
		let free = pace.slots - this.waiting.filter(takesSlot).length;
		const heldRobot = this.holdsRobot;
		const refused: Array<{ task: Task; busy: Busy }> = [];
		await mapConcurrently(todo, pace.atOnce, async (task) => {
			const holdsSlot = takesSlot(task);
			if ((free <= 0 && !holdsSlot) || !('todo' in task.state)) return;
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
		const isPolling = this.waiting.some(({ state }) => 'run' in state);
		const next = isPolling ? Date.now() + pollInterval(this.idle) : this.nextStart;
		await first.context.maxun.sleep(Math.min(next, this.nextDeadline) - Date.now());
	}

	async discard(isCanceled: boolean): Promise<void> {
		// All deletions share the time for cleanup, which begins now.
		const options = isCanceled ? forCleanup() : {};
		const held = this.tasks.flatMap(({ state, context, failure }) => {
			const robot = temporaryRobotOf(state);
			if (!robot || !context) return [];
			if ('run' in state && failure && !isCanceled) {
				context.onLeftover(`Run: Get can return run ${state.run.runId}`);
				return [];
			}
			const maxun = context.maxun.with(options);
			const runId = 'run' in state ? state.run.runId : undefined;
			return [{ context: { ...context, maxun }, robot, runId }];
		});
		await mapConcurrently(held, CLEANUPS, async ({ context, robot, runId }) => {
			await deleteRobot(context, robot, runId);
		});
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

	/** Robots are deleted when their runs end. The robot of a run that failed stays for the next attempt. */
	private get holdsRobot(): boolean {
		return this.waiting.some(({ state }) => temporaryRobotOf(state) !== undefined);
	}

	private async finish(run: TaskRun, outcome: WaitEnd): Promise<void> {
		const { task } = run;
		const took = Date.now() - run.begunAt;
		const repaired = await repairAfter(run, 'ended' in outcome ? outcome.ended : undefined);
		if (repaired) return await this.startAgain(run, repaired);
		const result = await resultOf(run, outcome);
		if (!('fault' in outcome)) this.lastActivity = Date.now();
		this.nextStart = 0;
		const runId = run.temporary ? undefined : run.runId;
		if ('items' in result) {
			const ended = 'ended' in outcome && {
				took,
				isRead: isReadWell(outcome.ended, task.job.settings, result.items),
			};
			this.output.set(task, result.items, { runId, ...ended });
		} else this.output.fail(task, result.error, result.continues);
	}

	private async startAgain(
		{ task, context, temporary, robotId }: TaskRun,
		repaired: Repaired,
	): Promise<void> {
		if (temporary) await deleteRobot(context, { kind: temporary, robotId });
		task.state = { todo: true, repaired };
		this.lastActivity = Date.now();
		this.nextStart = 0;
	}

	/** Returns why the task can't start at all, or can't start yet. */
	private async begin(task: Task, delay: number): Promise<unknown> {
		const fault = await beginTask(task, this.output, delay, this.timeouts);
		if ('run' in task.state) this.lastActivity = Date.now();
		const isStarted = 'run' in task.state || ('items' in task.state && task.state.runId);
		if (isStarted || (fault instanceof MaxunFault && fault.mayHaveHappened)) this.started++;
		return fault;
	}

	/** Maxun would reject these tasks, too. Started runs continue. */
	private stopStarting({ context: refused }: Task, fault: MaxunFault): void {
		for (const task of this.waiting) {
			if (isUntouched(task) && task.context.accountKey === refused?.accountKey) {
				this.output.fail(task, fault.with({ message: `Not started: ${fault.message}` }));
			}
		}
	}

	/** Unless the plan's limit is reached even without this execution's robots. */
	private postpone(task: Task, busy: Busy, isOwnLimit: boolean): void {
		// A busy server can't start a run sooner.
		const soonest = busy.stopsOthers ? 3 * SECOND : 0;
		this.nextStart = Date.now() + Math.max(pollInterval(this.idle), soonest);
		if (busy instanceof LimitReached && !isOwnLimit) {
			this.output.fail(task, busy);
			this.stopStarting(task, busy);
		} else if ('todo' in task.state) task.state = { ...task.state, busy: busy.text };
	}
}

/** An agent that Maxun is still building counts, too. */
const takesSlot = ({ state }: Task) => 'run' in state || temporaryRobotOf(state) !== undefined;

/** Because of the account's key, credits, role or plan. */
const concernsAll = (error: unknown): error is MaxunFault =>
	error instanceof MaxunFault && error.isMaxuns && [401, 402, 403].includes(error.status ?? 0);

const CLEANUPS = 10;

/** The timeout begins when Maxun begins to work on a run. */
function noteWork(task: WaitingTask, status: string): void {
	const { state } = task;
	if (!('run' in state) || state.isWorking || NOT_YET.includes(status)) return;
	task.state = { ...state, begunAt: Date.now(), isWorking: true };
}

/** Maxun isn't working on these runs yet, or they could not be read. */
const NOT_YET = ['queued', 'scheduled', 'unknown'];

/** `slots` are simultaneous runs, and `delay` is in milliseconds. */
function paceOf(job: Job, { concurrency, maxun }: OperationContext, parallel: boolean) {
	const usual = { slots: Infinity, atOnce: parallel ? concurrency : 1, delay: 0 };
	if (!('settings' in job)) return usual;
	const { maxRuns, maxQueued = Infinity, delayBeforeStart } = job.settings;
	// Overlapping starts can hang such a server.
	if (maxun.features.has('oneAtATime')) {
		return { slots: maxRuns ?? 1, atOnce: 1, delay: delayBeforeStart * 1000 };
	}
	// Maxun Cloud queues more runs than it has browsers.
	return { ...usual, slots: maxQueued };
}

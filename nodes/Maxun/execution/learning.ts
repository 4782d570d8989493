import { recover } from '../http/fault';
import { hashOf } from '../http/hash';
import { capturedInTurns, type Captured } from '../results/captured';
import { isUsable, verdictOf } from '../results/verdict';
import { canRepair, lostIn, NOT_REPAIRED, undoUseless } from '../runs/repair';
import { USUAL_SHARE } from '../runs/changes';
import type { Learnt, Lesson, StartedRun } from '../runs/types';
import type { Run } from '../servers/entities';
import type { OperationContext } from '../operations/operation';
import type { KeptRobots } from './keptRobots';
import type { ExecutionState, HintArguments } from './state';
import { lessonOf, type Task } from './tasks';
import type { TaskRun } from './timeouts';

/**
 * What the tasks of an execution learn from pages before their runs start, or start again. Tasks with the same lesson
 * share it, so each page is read once. n8n stores it during a pause, and the next attempt continues with it.
 */
export class Learning {
	constructor(
		readonly learnt: ExecutionState['learnt'],
		readonly keptRobots: KeptRobots,
		private readonly nodeId: string,
	) {}

	get hints(): HintArguments[] {
		return Object.values(this.learnt).flatMap(({ hints }) => hints);
	}

	/** The node's ID is part of the hash, so that a typed text can't be looked up. */
	keyOf({ key }: Pick<Lesson, 'key'>): string {
		return hashOf(`${this.nodeId} ${key}`, 16);
	}

	/** What must still be read from a page before the task's run can start. */
	neededFor(task: Task): Lesson<OperationContext> | undefined {
		const { state, job } = task;
		if (!state.todo) return undefined;
		const { former } = state;
		const lesson = job.lesson || former ? lessonOf(task) : undefined;
		const known = lesson && this.of(task);
		if (known) return known.at > (former?.startedAt ?? -1) ? undefined : lesson;
		const robot = this.keptRobots.of(task);
		return robot && !robot.isBroken && !former ? undefined : lesson;
	}

	/** The task's selectors that were found in this execution. */
	of(task: Task): Learnt | undefined {
		const lesson = lessonOf(task);
		return lesson && this.learnt[this.keyOf(lesson)];
	}

	add(lesson: Lesson, learnt: Omit<Learnt, 'at'> = { hints: [] }): Learnt {
		return (this.learnt[this.keyOf(lesson)] = { ...learnt, at: Date.now() });
	}

	/**
	 * The run, if it shows that its task has to learn something. Its robot has lost values that an earlier run has, or a
	 * kept robot doesn't find rows, for example because of a new password. Also undoes a repair that didn't help.
	 */
	async asFormer(run: TaskRun, ended: Run): Promise<StartedRun | undefined> {
		const { task, context, settings, startedAt } = run;
		const { job, state } = task;
		// A canceled run says nothing about the page.
		if (ended.status === 'aborted') return undefined;
		if (context.returnAt !== undefined || !state.run) return undefined;
		const { keeping, ifNoData, lists } = settings;
		const known = this.of(task);
		const mayRepair = lessonOf(task) !== job.lesson && !state.isFinal;
		const isLearnt = known ? known.at > startedAt : run.known !== undefined;
		// A page that may be empty doesn't prove anything.
		const isShown = isLearnt && (ifNoData ?? 'error') === 'error' && !keeping?.isAutomatic;
		const mayLearn = isShown && (job.lesson ?? keeping?.mayBeOutdated);
		if (!mayRepair && !mayLearn) return undefined;
		const captured = await capturedInTurns(ended);
		const losing = async () => mayRepair && (await this.hasLost(run, captured, known));
		const isLost = await recover(losing(), {
			any: ({ message }) => context.hint(known?.repaired?.changes ?? NOT_REPAIRED, 1, message),
		});
		if (isLost) return state.run;
		if (!mayLearn || isUsable(verdictOf(captured, lists))) return undefined;
		// If a list can't be repaired, it is found again, or a new robot reads it.
		const isNext = job.lesson !== undefined || this.keptRobots.replace(task);
		return isNext ? { ...state.run, isReused: undefined } : undefined;
	}

	private async hasLost(run: TaskRun, captured: Captured, known?: Learnt): Promise<boolean> {
		const { task, context, startedAt, settings } = run;
		const { robotId = run.robotId } = settings;
		const share = settings.keeping && USUAL_SHARE;
		if (!known) return await canRepair(context, robotId, captured, share);
		const { repaired } = known;
		if (!repaired) return false;
		const lists = repaired.lists.map(({ before }) => before);
		if (startedAt < known.at) return !repaired.isUndone && lostIn(lists, captured).length > 0;
		const isFirstAfter = task.state.former !== undefined;
		if (isFirstAfter) await undoUseless(run, repaired, captured);
		if (isFirstAfter && !repaired.isUndone) context.hint(repaired.changes);
		return false;
	}
}

import { ZodError } from 'zod';
import { remainingAgent, lateAgent } from '../runs/agentReady';
import { agentIsBuilt, inProgress, notStarted } from '../runs/early';
import { itemsOfUnstarted, unread, unreadRun } from '../runs/runResult';
import { deleteRobot } from '../runs/temporary';
import type { Learnt, Lesson, StartedRun, TemporaryRobot } from '../runs/types';
import { capturedInTurns } from '../results/captured';
import { resultItems } from '../results/outcome';
import type { OperationContext } from '../operations/operation';
import type { Item } from '../results/types';
import { mapConcurrently } from '../http/concurrency';
import { recover, type MaxunFault } from '../http/fault';
import { Busy } from '../servers/busy';
import { leftover } from './hints';
import { CLEANUPS } from './leftovers';
import { isOpen, isWaiting, type Task, type WaitingTask } from './tasks';
import type { ItemOutput } from './itemOutput';
import type { Learning } from './learning';
import type { Timeouts } from './timeouts';

export async function failImpossible(tasks: Task[], output: ItemOutput): Promise<void> {
	await mapConcurrently(tasks, CLEANUPS, async (task) => {
		const problem = isOpen(task) ? await problemOf(task) : undefined;
		if (problem === undefined) return;
		const { state, context } = task;
		if (!state.run) {
			await clear(task);
			return output.fail(task, problem);
		}
		// n8n's own error names the fields, so the node keeps it.
		const isKept = problem instanceof ZodError;
		if (isKept && state.run.temporary) task.hints.push(leftover(unreadRun(state.run)));
		const error = isKept ? problem : unread(problem, state.run);
		output.fail(task, error, context?.isLastAttempt === false);
	});
}

async function problemOf({ job, state, context }: Task): Promise<unknown> {
	if (job.problem !== undefined) return job.problem;
	if (!job.check || !state.todo || !context) return undefined;
	return await job.check(context).then(
		() => undefined,
		(error: unknown) => error,
	);
}

/** A tool that has to return early doesn't wait. @returns why the task can't start at all, or can't start yet */
export async function beginTask(
	task: Task,
	output: ItemOutput,
	learning: Learning,
	{ delay, timeouts, refusal }: { delay: number; timeouts: Timeouts; refusal?: MaxunFault },
): Promise<unknown> {
	const { job, context } = task;
	if (!context || !task.state.todo) return undefined;
	context.maxun.throwIfCanceled();
	if (!isWaiting(task)) {
		if (!job.run) return undefined;
		const working = async () => (await inTime(context, job.run(context))) ?? inProgress();
		await output.write(task, working);
		return undefined;
	}
	await context.maxun.sleep(delay);
	const { begunAt = Date.now() } = task.state;
	task.state = { ...task.state, begunAt };
	const maxun = context.maxun.with({
		maxWait: Math.max(timeouts.deadlineOf(task) - Date.now(), 0),
	});
	try {
		if (refusal) throw refusal;
		await startTask(task, { ...context, maxun }, output, learning);
	} catch (error) {
		if (error instanceof Busy) return error;
		await clear(task);
		output.fail(task, error);
		return error;
	}
	return undefined;
}

/** Starts the task's own run, or the run that reads the page first. */
async function startTask(
	task: WaitingTask,
	context: OperationContext,
	output: ItemOutput,
	learning: Learning,
): Promise<void> {
	const { job } = task;
	const lesson = learning.neededFor(task);
	const { robot } = task.state;
	if (robot && (robot.isLesson ?? false) !== (lesson !== undefined)) {
		await clear(task);
		task.state = { ...task.state, robot: undefined, todo: true };
	}
	const known = learning.keptRobots.of(task);
	const learnt = learning.of(task);
	if (!lesson && learnt?.rows) return await returnRows(task, context, output, learnt);
	const starting = startInTime(task, { ...context, learnt, known }, lesson);
	const started = await recover(starting, {
		notFound: (fault): undefined => {
			if (!learning.keptRobots.forget(task)) throw fault;
		},
	});
	if (!started) return;
	if (Array.isArray(started)) return output.set(task, started);
	const { response, ...run } = started;
	const { former } = task.state;
	const begunAt = Date.now();
	if (lesson) task.state = { run, begunAt, former, isLesson: true };
	else if (job.waits) task.state = { run, begunAt, former };
	else output.set(task, [{ json: response ?? {} }], { runId: run.runId });
}

/** The run that read the page for the examples is the only run. */
async function returnRows(
	task: WaitingTask,
	context: OperationContext,
	output: ItemOutput,
	{ rows = [], runId = '' }: Learnt,
): Promise<void> {
	const captured = await capturedInTurns({ id: runId, status: 'success', data: rows });
	const { items, verdict } = await resultItems(context, captured, task.job.settings);
	output.set(task, items, { verdict });
}

/** If the tool returns before Maxun responds, deletes the robot later. An agent, which takes minutes to build, is kept. */
async function startInTime(
	task: WaitingTask,
	context: OperationContext,
	lesson: Lesson<OperationContext> | undefined,
): Promise<StartedRun | Item[]> {
	const { state, job } = task;
	const { begunAt, robot, former } = state;
	const isLesson = lesson !== undefined;
	let planned: TemporaryRobot | undefined;
	let made = robot;
	let isLate = false;
	const own: OperationContext = {
		...context,
		robot,
		onNamed: (kind, name) => (planned = { kind, robotId: name }),
		onCreated: (created) => {
			made = created;
			if (isLate) throw new Error('The tool has returned');
			task.state = { todo: true, begunAt, robot: { ...created, isLesson }, former };
		},
	};
	const starting = lesson ? lesson.start(own, job.settings.timeoutMinutes) : job.start(own);
	const started = await inTime(context, starting);
	if (started) return started;
	isLate = true;
	const known = made ?? planned;
	if (!known) return inProgress(job.settings);
	if (known.kind === 'agent') return agentIsBuilt(known.robotId);
	const discard = async () => made && (await deleteRobot(context, made));
	starting.finally(discard).catch(() => undefined);
	return notStarted(job.settings, 'Maxun did not respond in time');
}

async function inTime<T>(
	{ returnAt, maxun }: OperationContext,
	work: Promise<T>,
): Promise<T | undefined> {
	if (returnAt === undefined) return await work;
	return (await Promise.race([work, maxun.sleep(returnAt - Date.now())])) ?? undefined;
}

/** For a run that has not started in time. `isEarly` means that its tool returns before the timeout. */
export async function giveUp(
	task: WaitingTask,
	output: ItemOutput,
	isEarly: boolean,
): Promise<void> {
	const { state } = task;
	const { settings } = task.job;
	if (!state.todo) return;
	const { robot, busy } = state;
	if (isEarly && robot?.kind === 'agent') return output.set(task, agentIsBuilt(robot.robotId));
	if (output.returnToFormer(task, busy ?? 'it did not start in time')) return;
	if (robot?.stays && robot.kind === 'agent') {
		const late = lateAgent(robot.robotId, settings.timeoutMinutes, busy);
		return output.fail(task, remainingAgent(late, robot.robotId));
	}
	await clear(task);
	await output.write(task, async () =>
		isEarly ? notStarted(settings, busy) : itemsOfUnstarted(settings, busy),
	);
}

async function clear({ state, context }: Task): Promise<void> {
	const { robot } = state;
	if (robot && !robot.stays && context) await deleteRobot(context, robot);
}

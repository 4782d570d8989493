import { agentIsBuilt, inProgress, notStarted } from '../runs/early';
import { itemsOfUnstarted, unread } from '../runs/runResult';
import { deleteRobot } from '../runs/temporary';
import type { StartedRun, TemporaryRobot } from '../runs/types';
import type { OperationContext } from '../operations/operation';
import type { Item } from '../results/types';
import { Busy } from '../servers/busy';
import { isOpen, isWaiting, temporaryRobotOf, type Task, type WaitingTask } from './tasks';
import type { ItemOutput } from './itemOutput';
import type { Timeouts } from './timeouts';

export async function failIfImpossible(task: Task, output: ItemOutput): Promise<void> {
	const problem = isOpen(task) ? await problemOf(task) : undefined;
	if (problem === undefined) return;
	const { state, context } = task;
	if (!('run' in state)) {
		await clear(task);
		output.fail(task, problem);
	} else output.fail(task, unread(problem, state.run), context?.isLastAttempt === false);
}

async function problemOf({ job, state, context }: Task): Promise<unknown> {
	if ('problem' in job) return job.problem;
	if (!('check' in job) || !('todo' in state) || !context) return undefined;
	return await job.check(context).then(
		() => undefined,
		(error: unknown) => error,
	);
}

/** A tool that has to return early doesn't wait. @returns why the task can't start at all, or can't start yet */
export async function beginTask(
	task: Task,
	output: ItemOutput,
	delay: number,
	timeouts: Timeouts,
): Promise<unknown> {
	const { job, context } = task;
	if (!context || !('todo' in task.state)) return undefined;
	context.maxun.throwIfCanceled();
	if (!isWaiting(task)) {
		if (!('run' in job)) return undefined;
		const working = async () => (await inTime(context, job.run(context))) ?? inProgress();
		await output.write(task, working);
		return undefined;
	}
	await context.maxun.sleep(delay);
	const { begunAt = Date.now() } = task.state;
	task.state = { ...task.state, begunAt };
	const { maxun } = context;
	const maxWait = Math.max(timeouts.deadlineOf(task) - Date.now(), 0);
	try {
		const started = await startInTime(task, { ...context, maxun: maxun.with({ maxWait }) });
		if (Array.isArray(started)) return void output.set(task, started);
		const { response, ...run } = started;
		const { repaired } = task.state;
		if (task.job.waits) task.state = { run: { ...run, repaired }, begunAt: Date.now() };
		else output.set(task, [{ json: response ?? {} }], { runId: run.runId });
	} catch (error) {
		if (error instanceof Busy) return error;
		await clear(task);
		output.fail(task, error);
		return error;
	}
	return undefined;
}

/** If the tool returns before Maxun responds, deletes the robot later. An agent stays: building it takes minutes. */
async function startInTime(
	task: WaitingTask,
	context: OperationContext,
): Promise<StartedRun | Item[]> {
	const { state, job } = task;
	const { begunAt, robot, repaired } = 'todo' in state ? state : {};
	let planned: TemporaryRobot | undefined;
	let made = robot;
	let isLate = false;
	const starting = job.start({
		...context,
		robot,
		onNamed: (kind, name) => (planned = { kind, robotId: name }),
		onCreated: (created) => {
			made = created;
			if (isLate) throw new Error('The tool has returned');
			task.state = { todo: true, begunAt, robot: created, repaired };
		},
	});
	const started = await inTime(context, starting);
	if (started) return started;
	isLate = true;
	const known = made ?? planned;
	if (!known) return inProgress(job.settings);
	if (known.kind === 'agent') return agentIsBuilt(known.robotId);
	const discard = async () => made && (await deleteRobot(context, made));
	starting.then(discard, discard).catch(() => undefined);
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
	if (!('todo' in state)) return;
	const { robot, busy } = state;
	if (isEarly && robot?.kind === 'agent') {
		return output.set(task, agentIsBuilt(robot.robotId));
	}
	await clear(task);
	await output.write(task, async () =>
		isEarly ? notStarted(settings, busy) : itemsOfUnstarted(settings, busy),
	);
}

async function clear({ state, context }: Task): Promise<void> {
	const robot = temporaryRobotOf(state);
	if (robot && context) await deleteRobot(context, robot);
}

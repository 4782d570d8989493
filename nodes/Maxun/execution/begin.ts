import { agentIsBuilt, inProgress, notStarted } from '../runs/early';
import { itemsOfUnstarted } from '../runs/runResult';
import { deleteRobot } from '../runs/temporary';
import { returnsEarly } from '../runs/timing';
import type { StartedRun, TemporaryRobot } from '../runs/types';
import type { OperationContext } from '../operations/operation';
import type { Item } from '../results/types';
import { Busy } from '../servers/busy';
import {
	deadline,
	isOpen,
	isWaiting,
	temporaryRobotOf,
	type Entry,
	type WaitingEntry,
} from './entries';
import type { ItemOutput } from './itemOutput';

/** Fails an entry that can't begin. Deletes the robot that was created for its run. */
export async function failIfImpossible(entry: Entry, output: ItemOutput): Promise<void> {
	const problem = isOpen(entry) ? await problemOf(entry) : undefined;
	if (problem === undefined) return;
	const continues = 'run' in entry.state && entry.context?.isRetried;
	if (!continues) await clear(entry);
	output.fail(entry, problem, continues);
}

/** Why an entry can't begin; undefined if it can, or if it has begun. */
async function problemOf({ job, state, context }: Entry): Promise<unknown> {
	if ('problem' in job) return job.problem;
	if (!('check' in job) || !('todo' in state) || !context) return undefined;
	const checking = Promise.resolve(job.check?.(context));
	return await checking.then(
		() => undefined,
		(error: unknown) => error,
	);
}

/**
 * Does the work of an entry, or starts its run. If that fails, deletes the robot that was created for it. A tool that
 * has to return early doesn't wait for Maxun's response.
 *
 * @param delay milliseconds before a start
 * @param lastActivity when a run of the execution last started or ended, in epoch milliseconds
 * @returns why it can't start at all, or can't start yet
 */
export async function begin(
	entry: Entry,
	output: ItemOutput,
	delay: number,
	lastActivity: number,
): Promise<unknown> {
	const { job, context } = entry;
	if (!context || !('todo' in entry.state)) return undefined;
	context.maxun.throwIfCanceled();
	if (!isWaiting(entry)) {
		if (!('run' in job)) return undefined;
		const working = async () => (await inTime(context, job.run(context))) ?? inProgress();
		await output.write(entry, working);
		return undefined;
	}
	await context.maxun.sleep(delay);
	const { begunAt = Date.now() } = entry.state;
	entry.state = { ...entry.state, begunAt };
	const { maxun } = context;
	const maxWait = Math.max(deadline(entry, lastActivity) - Date.now(), 0);
	try {
		const started = await startInTime(entry, { ...context, maxun: maxun.with({ maxWait }) });
		if (Array.isArray(started)) return void output.set(entry, started);
		const { response, ...run } = started;
		if (entry.job.waits) entry.state = { run, begunAt: Date.now() };
		else output.set(entry, [{ json: response ?? {} }], run.runId);
	} catch (error) {
		if (error instanceof Busy) return error;
		await clear(entry);
		output.fail(entry, error);
		return error;
	}
	return undefined;
}

/**
 * Starts an entry's run. If the tool has to return before Maxun responds, the robot that Maxun is creating is deleted
 * later. An agent is kept, because building it takes minutes.
 *
 * @returns the run, or what the tool returns without it
 */
async function startInTime(
	entry: WaitingEntry,
	context: OperationContext,
): Promise<StartedRun | Item[]> {
	const { state, job } = entry;
	const { begunAt, robot } = 'todo' in state ? state : {};
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
			entry.state = { todo: true, begunAt, robot: created };
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

/** The result of work; undefined if the tool has to return earlier. */
async function inTime<T>(
	{ returnAt, maxun }: OperationContext,
	work: Promise<T>,
): Promise<T | undefined> {
	if (returnAt === undefined) return await work;
	return (await Promise.race([work, maxun.sleep(returnAt - Date.now())])) ?? undefined;
}

/** Sets the result of an entry whose run has not started in time, and deletes the robot that was created for it. */
export async function giveUp(entry: WaitingEntry, output: ItemOutput): Promise<void> {
	const { state, context } = entry;
	const { settings } = entry.job;
	if (!('todo' in state)) return;
	const { begunAt: timeoutStart = Infinity, robot, busy } = state;
	const isEarly = returnsEarly({ timeoutStart, settings, context });
	if (isEarly && robot?.kind === 'agent') {
		return output.set(entry, agentIsBuilt(robot.robotId));
	}
	await clear(entry);
	await output.write(entry, async () =>
		isEarly ? notStarted(settings, busy) : itemsOfUnstarted(settings, busy),
	);
}

async function clear({ state, context }: Entry): Promise<void> {
	const robot = temporaryRobotOf(state);
	if (robot && context) await deleteRobot(context, robot);
}

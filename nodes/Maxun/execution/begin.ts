import { agentIsBuilt, notStarted } from '../runs/early';
import { returnsEarly } from '../runs/timing';
import { itemsOfUnstarted } from '../runs/runResult';
import { deleteRobot } from '../runs/temporary';
import type { TemporaryRobot } from '../runs/types';
import { Busy } from '../servers/busy';
import { deadline, isOpen, isWaiting, type Entry, type WaitingEntry } from './entries';
import type { ItemOutput } from './itemOutput';

/** Fails an entry that can't begin. Deletes the robot that was created for its run. */
export async function failIfImpossible(entry: Entry, output: ItemOutput): Promise<void> {
	const { state } = entry;
	const problem = isOpen(entry) ? await problemOf(entry) : undefined;
	if (problem === undefined) return;
	const continuing = 'run' in state ? state.run : undefined;
	await clear(entry);
	output.fail(entry, problem, continuing);
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
 * Does the work of an entry, or starts its run. If that fails, deletes the robot that was created for it.
 *
 * @param delay milliseconds before a start
 * @returns why it can't start yet
 */
export async function begin(
	entry: Entry,
	output: ItemOutput,
	delay: number,
): Promise<Busy | undefined> {
	const { job, context } = entry;
	if (!context || !('todo' in entry.state)) return undefined;
	context.maxun.throwIfCanceled();
	if ('run' in job) await output.write(entry, async () => await job.run(context));
	if (!isWaiting(entry)) return undefined;
	await context.maxun.sleep(delay);
	const { since = Date.now(), robot } = entry.state;
	entry.state = { ...entry.state, since };
	const onCreated = (created: TemporaryRobot) => {
		entry.state = { todo: true, since, robot: created };
	};
	const maxun = context.maxun.with({ maxWait: Math.max(deadline(entry) - Date.now(), 0) });
	const starting = entry.job.start({ ...context, maxun, robot, onCreated });
	try {
		const { response, ...run } = await starting;
		if (entry.job.waits) entry.state = { run, since: run.since ?? since };
		else output.set(entry, [{ json: response ?? {} }]);
	} catch (error) {
		if (error instanceof Busy) return error;
		await clear(entry);
		output.fail(entry, error);
	}
	return undefined;
}

/** The result of an entry whose run has not started in time. Deletes the robot that was created for it. */
export async function giveUp(entry: WaitingEntry, output: ItemOutput): Promise<void> {
	const { state, context } = entry;
	const { settings } = entry.job;
	if (!('todo' in state)) return;
	const { since = Infinity, robot, busy } = state;
	const isEarly = returnsEarly({ since, settings, context });
	if (isEarly && robot?.kind === 'agent') {
		return output.set(entry, agentIsBuilt(robot.robotId));
	}
	await clear(entry);
	await output.write(entry, async () =>
		isEarly ? notStarted(settings.robotId) : itemsOfUnstarted(settings, busy),
	);
}

/** Deletes the robot that was created for the run of an entry. */
async function clear({ state, context }: Entry): Promise<void> {
	const robot = 'robot' in state ? state.robot : undefined;
	if (robot && context) await deleteRobot(context, robot);
}

/** Whether the time of an entry has passed before its run started. */
export const isOverdue = (entry: WaitingEntry) =>
	'todo' in entry.state && Date.now() >= deadline(entry);

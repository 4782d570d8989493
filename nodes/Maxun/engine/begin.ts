import { MaxunFault } from '../http/fault';
import { agentIsBuilt, notStarted } from '../runs/early';
import { returnsEarly } from '../runs/poll';
import { SkippedPage } from '../runs/skippedPage';
import { deleteRobot } from '../runs/temporary';
import type { Item, Leftover } from '../runs/types';
import { Busy } from '../servers/busy';
import { deadline, isOpen, type Entry, type WaitingEntry } from './entries';
import type { ItemOutput } from './itemOutput';

/** Fails an entry that can't begin. Deletes the robot that was created for its run. @param fault why nothing can begin */
export async function failIfImpossible(
	entry: Entry,
	output: ItemOutput,
	fault?: MaxunFault,
): Promise<void> {
	if (!isOpen(entry)) return;
	const { state, task } = entry;
	const reason = fault ?? ('problem' in task ? task.problem : undefined);
	if (reason === undefined) return;
	const continuing = 'run' in state ? state.run : undefined;
	output.fail(entry, reason, { continuing, leftover: await clear(entry) });
}

/**
 * Starts the run of an entry. If that fails, deletes the robot that was created for it.
 *
 * @returns why it can't start yet
 */
export async function begin(entry: WaitingEntry, output: ItemOutput): Promise<Busy | undefined> {
	const { job, context } = entry.task;
	if (!('todo' in entry.state)) return undefined;
	const { since = Date.now(), robot } = entry.state;
	entry.state = { ...entry.state, since };
	const onCreated: typeof context.onCreated = (created) => {
		entry.state = { todo: true, since, robot: created };
	};
	const maxun = context.maxun.within(Math.max(deadline(entry) - Date.now(), 0));
	const starting = job.start({ ...context, maxun, robot, onCreated });
	const started = await starting.catch(async (error: unknown) => {
		await fail(entry, error, output);
	});
	if (!started || started instanceof Busy) return started || undefined;
	const { response, ...run } = started;
	if (job.waits) {
		entry.startedAt = Date.now();
		entry.state = { run, since: run.since ?? since };
	} else output.set(entry, [{ json: response ?? {} }]);
	return undefined;
}

/** The result of an entry whose run has not started in time. Deletes the robot that was created for it. */
export async function giveUp(entry: WaitingEntry, output: ItemOutput): Promise<void> {
	const { job, context } = entry.task;
	if (!('todo' in entry.state)) return;
	const { waitFor, onTimeout, onFailure, page, robotId } = job.settings;
	const { since = Infinity, robot, busy } = entry.state;
	if (returnsEarly({ since, settings: job.settings, context })) {
		if (robot?.kind === 'agent') return output.set(entry, agentIsBuilt(robot.robotId));
		return output.set(entry, notStarted(robotId), { leftover: await clear(entry) });
	}
	const late = `was not started within ${waitFor} ${waitFor === 1 ? 'minute' : 'minutes'}`;
	const note = [busy, "Increase 'Timeout (Minutes)', or wait until other runs finish"]
		.filter(Boolean)
		.join('. ');
	if (onFailure === 'skip') return await fail(entry, new SkippedPage(page ?? '', late), output);
	const subject = page ?? (robotId === undefined ? 'The robot' : `Robot ${robotId}`);
	if (onTimeout === 'error') {
		return await fail(entry, new MaxunFault(`${subject} ${late}`, note), output);
	}
	const items: Item[] = [{ json: { robotId, status: 'not started', timedOut: true, note } }];
	output.set(entry, items, { leftover: await clear(entry) });
}

const fail = async (entry: WaitingEntry, error: unknown, output: ItemOutput) =>
	output.fail(entry, error, { leftover: await clear(entry) });

/** Deletes the robot that was created for the run of an entry. @returns it if it remains in Maxun */
async function clear({ state, task: { context } }: Entry): Promise<Leftover | undefined> {
	const robot = 'robot' in state ? state.robot : undefined;
	const created = Date.now(); // perhaps a moment ago, so Maxun may not find it yet
	return robot && context && (await deleteRobot(context.maxun, robot, { created }));
}

/** Whether the time of an entry has passed before its run started. */
export const isOverdue = (entry: WaitingEntry) =>
	'todo' in entry.state && Date.now() >= deadline(entry);

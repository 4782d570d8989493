import { MaxunFault } from '../http/fault';
import { agentIsBuilt, notStarted } from '../runs/early';
import { deadlineOf, returnsEarly } from '../runs/poll';
import { SkippedPage } from '../runs/skippedPage';
import { deleteRobot, sentenceOf } from '../runs/temporary';
import type { Item } from '../runs/types';
import { Busy } from '../servers/busy';
import type { WaitingEntry } from './entries';
import type { ItemOutput } from './itemOutput';

/**
 * Starts the run of an entry. If that fails, deletes the robot that was created for it.
 *
 * @returns why it can't start yet
 */
export async function begin(entry: WaitingEntry, output: ItemOutput): Promise<Busy | undefined> {
	const { job, context } = entry.task;
	if (!('todo' in entry.state)) return undefined;
	const { since = Date.now(), tries, robot } = entry.state;
	entry.state = { ...entry.state, since };
	const onCreated: typeof context.onCreated = (created) => {
		entry.state = { todo: true, since, tries, robot: created };
	};
	const left = deadlineOf({ since, settings: job.settings, context }) - Date.now();
	const maxun = context.maxun.within(Math.max(left, 0));
	const starting = job.start({ ...context, maxun, robot, onCreated });
	const started = await starting.catch(async (error: unknown) => {
		if (error instanceof MaxunFault) await fail(entry, error, output);
		else output.fail(entry, error);
		return undefined;
	});
	if (!started || started instanceof Busy) return started;
	if (!job.waits) {
		output.set(entry, [{ json: started.response ?? {} }]);
		return undefined;
	}
	entry.startedAt = Date.now();
	// The response can be large.
	const run = { ...started, response: undefined };
	entry.state = { run, since: started.since ?? since, tries };
	return undefined;
}

/** The result of an entry whose run has not started in time. Deletes the robot that was created for it. */
export async function giveUp(entry: WaitingEntry, output: ItemOutput): Promise<void> {
	const { job, context } = entry.task;
	const { waitFor, onTimeout, onFailure, page, robotId } = job.settings;
	const { since = Infinity } = 'since' in entry.state ? entry.state : {};
	if (returnsEarly({ since, settings: job.settings, context })) return await leave(entry, output);
	const late = `was not started within ${waitFor} ${waitFor === 1 ? 'minute' : 'minutes'}`;
	const reason = 'busy' in entry.state ? entry.state.busy : undefined;
	const note = [reason, "Increase 'Timeout (Minutes)', or wait until other runs finish"]
		.filter(Boolean)
		.join('. ');
	if (onFailure === 'skip') return await fail(entry, new SkippedPage(page ?? '', late), output);
	const subject = page ?? (robotId === undefined ? 'The robot' : `Robot ${robotId}`);
	if (onTimeout === 'error') {
		return await fail(entry, new MaxunFault(`${subject} ${late}`, note), output);
	}
	const items: Item[] = [{ json: { robotId, status: 'not started', timedOut: true, note } }];
	const leftover = await clear(entry);
	output.set(entry, items, { leftover });
}

/** The result of an entry whose tool returns before its run has started. Keeps an agent that is being built. */
async function leave(entry: WaitingEntry, output: ItemOutput): Promise<void> {
	const robot = 'robot' in entry.state ? entry.state.robot : undefined;
	if (robot?.kind === 'agent') return output.set(entry, agentIsBuilt(robot.robotId));
	const leftover = await clear(entry);
	output.set(entry, notStarted(entry.task.job.settings.robotId), { leftover });
}

async function fail(
	entry: WaitingEntry,
	error: MaxunFault | SkippedPage,
	output: ItemOutput,
): Promise<void> {
	const leftover = await clear(entry);
	const isNamed = leftover !== undefined && error instanceof MaxunFault;
	output.fail(entry, isNamed ? error.adding(sentenceOf([leftover])) : error, { leftover });
}

/** Deletes the robot that was created for the run of an entry. @returns it if it remains in Maxun */
async function clear({ state, task }: WaitingEntry) {
	const robot = 'robot' in state ? state.robot : undefined;
	const created = Date.now(); // perhaps a moment ago, so Maxun may not find it yet
	return robot && (await deleteRobot(task.context.maxun, robot, { created }));
}

/** Whether the time of an entry has passed before its run started. */
export const isOverdue = ({ state, task: { job, context } }: WaitingEntry) =>
	'todo' in state &&
	Date.now() >= deadlineOf({ since: state.since ?? Infinity, settings: job.settings, context });

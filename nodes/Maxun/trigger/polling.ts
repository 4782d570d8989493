import { NodeOperationError } from 'n8n-workflow';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { toNodeError } from '../http/nodeError';
import { reportPollError } from '../n8n/internals';
import { pollBudget, sleep } from '../n8n/olderVersions';
import type { Item } from '../results/types';
import type { Run } from '../servers/entities';
import { withRobotIds } from '../servers/named';
import { findBacklog, type Backlog } from './backlog';
import { Cursor } from './cursor';
import { failureIn, RETRY_TIME, type Reading } from './event';
import { listLatest, MOST_TESTED, readRuns, readUntilItems, type ReadRun } from './runList';
import { pollingProperties, readPollingSettings } from './settings';
import { readTriggerNode, startsWithN8n, type TriggerNode } from './triggerNode';

/** Maximum number of runs per poll. The next poll continues with the others. */
const RUNS_PER_POLL = 100;

/** The part of n8n's limit for a poll after which the poll reads no further run. The rest is for those being read. */
const PART_OF_BUDGET = 0.5;

/** What a process keeps of a trigger between two polls. It only saves requests. */
interface Progress {
	isPolling: boolean;
	/** A list that takes longer than n8n allows for a poll, or has more runs than fit into one. */
	backlog?: Promise<Backlog>;
	/** The cursor's signature and the settings that the list is for. */
	identity?: string;
	/** When runs could first not be read, in epoch milliseconds. n8n discards what a failed poll saves. */
	failures: Map<string, number>;
}

const progresses = new Map<string, Progress>();

/** One poll. @returns the runs that have ended since the previous one; null if there are none, or its time is up */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const trigger = readTriggerNode(context, context.getMode() === 'manual');
	const progress = progresses.get(trigger.key) ?? { isPolling: false, failures: new Map() };
	progresses.set(trigger.key, progress);
	// The next poll must not overlap a poll that takes longer than the interval.
	if (progress.isPolling) return null;
	progress.isPolling = true;
	const nodeErrorOf = (error: unknown) => toNodeError(trigger.node, error, 0, pollingProperties);
	const report = (error: unknown) => reportPollError(context, nodeErrorOf(error));
	return await pollOnce(trigger, progress, report, pollBudget(context))
		.catch((error: unknown) => {
			// If the first poll fails a few times when n8n starts, for example while Maxun is down, n8n deactivates the trigger.
			if (!startsWithN8n(context)) throw nodeErrorOf(error);
			if (!report(error)) trigger.warn(`A poll failed: ${String(error)}`);
			return null;
		})
		.finally(() => (progress.isPolling = false));
}

/**
 * @param report shows an error in n8n, but doesn't prevent the workflow from being published; returns whether n8n shows it
 * @param budget how long the poll may take, in milliseconds
 */
async function pollOnce(
	trigger: TriggerNode,
	progress: Progress,
	report: (error: unknown) => boolean,
	budget: number,
): Promise<INodeExecutionData[][] | null> {
	const begun = Date.now();
	const given = readPollingSettings(trigger);
	const maxun = await trigger.connect({ teamId: given.teamId });
	const settings = await withRobotIds(given, maxun);
	if (trigger.isTest) return [await itemsOfLatest({ trigger, maxun, settings })];
	const cursor = Cursor.load(trigger, maxun, settings);
	const identity = JSON.stringify([cursor.signature, settings]);
	if (progress.identity !== identity) Object.assign(progress, { identity, backlog: undefined });
	cursor.watchOnly(settings.robotIds);
	progress.backlog ??= findBacklog({ trigger, maxun, settings, cursor });
	const backlog = await within(budget, progress.backlog).catch((error: unknown) => {
		progress.backlog = undefined;
		throw error;
	});
	if (!backlog) return null;
	const { failures } = progress;
	const due = dueOf(backlog, cursor, failures);
	const end = begun + budget;
	const reading = readRuns(due, { trigger, maxun, settings }, limitsOf(failures, end));
	const read = await within(end - Date.now(), reading);
	if (!read) return null;
	const made = read.filter(({ error }) => !error);
	const [failure] = noteFailures(read, failures, trigger);
	for (const { run } of made) cursor.mark(run);
	backlog.commit(cursor);
	cursor.save(trigger);
	const isMore = dueOf(backlog, cursor, failures).some(({ id }) => !failures.has(id));
	if (!isMore) progress.backlog = undefined;
	if (made.length === 0 && failure) {
		if (!report(failure)) throw failure;
		return null;
	}
	const items = made.flatMap((run) => run.items).flatMap((item) => shownItem(item, report));
	return items.length > 0 ? [items] : null;
}

/** @param end when n8n ends the poll, in epoch milliseconds */
const limitsOf = (failures: Progress['failures'], end: number) => ({
	isLastTry: ({ id }: Run) => Date.now() - (failures.get(id) ?? Infinity) >= RETRY_TIME,
	until: Date.now() + (end - Date.now()) * PART_OF_BUDGET,
});

/** Notes runs that could not be read, and logs them. @returns the errors of those that could not be read for the first time */
function noteFailures(
	read: ReadRun[],
	failures: Progress['failures'],
	{ warn }: TriggerNode,
): Error[] {
	return read.flatMap(({ run: { id }, error }) => {
		if (!error || failures.has(id)) return [];
		failures.set(id, Date.now());
		warn(`run '${id}' could not be read and will be retried: ${error.message}`);
		return error;
	});
}

/** Reports an item that must fail its execution. If n8n can't show that, the item starts the workflow. */
function shownItem(item: Item, report: (error: unknown) => boolean): Item[] {
	const failure = failureIn(item);
	if (failure === undefined) return [item];
	return report(new Error(failure)) ? [] : [{ json: item.json }];
}

/** The result of work; undefined if it takes longer. */
async function within<T>(milliseconds: number, work: Promise<T>): Promise<T | undefined> {
	if (milliseconds === Infinity) return await work;
	return await Promise.race([work, sleep(milliseconds).then(() => undefined)]);
}

/** The unprocessed runs for one poll. Those that could not be read before come last, so that they don't displace others. */
function dueOf({ missed }: Backlog, cursor: Cursor, failures: Progress['failures']): Run[] {
	const open = missed.filter((run) => !cursor.isProcessed(run));
	for (const id of failures.keys()) if (!open.some((run) => run.id === id)) failures.delete(id);
	const hasFailed = ({ id }: Run) => failures.has(id);
	const due = [...open.filter((run) => !hasFailed(run)), ...open.filter(hasFailed)];
	return due.slice(0, RUNS_PER_POLL);
}

/** In the editor: the items of the latest run that would have started the workflow. */
async function itemsOfLatest(
	reading: Reading & { trigger: TriggerNode },
): Promise<INodeExecutionData[]> {
	const { trigger, maxun, settings } = reading;
	const { matching } = await listLatest(maxun, settings);
	const [latest] = await readUntilItems(matching.slice(0, MOST_TESTED), reading);
	if (latest?.error) throw latest.error;
	if (latest && latest.items.length > 0) {
		return latest.items.flatMap((item) => shownItem(item, () => false));
	}
	const message = "No run that has ended matches this trigger's settings";
	throw new NodeOperationError(trigger.node, message, {
		description: 'Run one of the robots, or change the events, robots or options. Then test again',
	});
}

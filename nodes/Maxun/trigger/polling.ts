import { NodeOperationError } from 'n8n-workflow';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { toNodeError } from '../engine/errors';
import type { MaxunFault } from '../http/fault';
import { reportPollError } from '../n8n/internals';
import { pollBudget, sleep } from '../n8n/olderVersions';
import type { Item } from '../runs/types';
import type { Run } from '../servers/entities';
import { attemptAll, noteFailure } from './attempts';
import { byEnd, findBacklog, readLatest, readListed, watchExistingFromNow } from './backlog';
import { connectTrigger, type EventConnection } from './connection';
import { itemsOfEvent, mismatchOf } from './event';
import { pollingProperties, readPollingSettings, type PollingSettings } from './settings';
import { endOf } from '../servers/runEnd';
import { markOf } from './state/ledger';
import { loadPollingState, type PollingState, type Search } from './state/pollingState';
import { readTriggerNode, type TriggerNode } from './triggerNode';

/** Maximum number of runs per poll. The next poll continues with the others. */
const RUNS_PER_POLL = 100;

/** Milliseconds after which one unreadable run ends a poll, because the server may refuse all of them. */
const READING_TIME = 60_000;

/**
 * The part of n8n's limit for a poll after which the poll reads no further run. The rest is for runs that are being
 * read.
 */
const PART_OF_BUDGET = 0.5;

/** One poll. @returns the runs that have ended since the previous one; null if there are none, or its time is up */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const trigger = readTriggerNode(context, context.getMode() === 'manual');
	const { key, node } = trigger;
	// The next poll must not overlap a poll that takes longer than the interval.
	if (running.has(key)) return null;
	running.add(key);
	const toBinary: EventConnection['toBinary'] = async (data, name) =>
		await context.helpers.prepareBinaryData(data, name);
	const nodeErrorOf = (error: unknown) => toNodeError(node, error, 0, pollingProperties);
	const report = (error: unknown) => reportPollError(context, nodeErrorOf(error));
	return await pollOnce(trigger, { toBinary, report }, pollBudget(context))
		.catch((error: unknown) => {
			if (!startsWithN8n(context)) throw nodeErrorOf(error);
			if (!report(error)) trigger.warn(`A poll failed: ${String(error)}`);
			return null;
		})
		.finally(() => running.delete(key));
}

/** The triggers that are polling in this process. */
const running = new Set<string>();

/**
 * Whether n8n activated the trigger when it started or changed its leader. If the first poll then failed a few times, for
 * example because Maxun is down, n8n would deactivate the trigger.
 */
const startsWithN8n = (context: IPollFunctions) =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

/** What a poll uses besides its trigger. */
interface PollTools extends Pick<EventConnection, 'toBinary'> {
	/** Shows an error in n8n, but doesn't prevent the workflow from being published. @returns whether n8n shows it */
	report(error: unknown): boolean;
}

/** @param budget how long the poll may take, in milliseconds */
async function pollOnce(
	trigger: TriggerNode,
	{ toBinary, report }: PollTools,
	budget: number,
): Promise<INodeExecutionData[][] | null> {
	const settings = readPollingSettings(trigger);
	const { teamId } = settings;
	const connection = { ...(await connectTrigger(trigger, { teamId })), toBinary };
	if (trigger.isTest) return [await itemsOfLatest(trigger, settings, connection)];
	const state = loadPollingState(trigger);
	const search = await startOrContinue(state, budget, async () => {
		const until = Date.now() + budget * PART_OF_BUDGET;
		return await searchRuns(settings, connection, state, until);
	});
	if (search === undefined) return null;
	const outcome = commit(search, connection, state);
	if ('fault' in outcome) {
		if (!report(outcome.fault)) throw outcome.fault;
		return null;
	}
	state.save(trigger);
	return outcome.items.length > 0 ? [outcome.items] : null;
}

/**
 * Searches, or continues the search of the previous poll.
 *
 * @param budget how long this poll may take, in milliseconds
 * @returns undefined if the search takes longer. The next poll continues it
 */
async function startOrContinue(
	state: PollingState,
	budget: number,
	start: () => Promise<Search>,
): Promise<Search | undefined> {
	const searching = state.unfinished ?? start();
	state.unfinished = undefined;
	if (budget === Infinity) return await searching;
	const ended = new AbortController();
	const timeUp = sleep(budget, ended.signal).then(
		() => undefined,
		() => undefined,
	);
	const search = await Promise.race([searching, timeUp]).finally(() => ended.abort());
	// The next poll throws what the search throws.
	if (search === undefined) state.unfinished = searching;
	return search;
}

/**
 * Finds and reads unprocessed runs.
 *
 * @param until when to leave runs to the next poll, in epoch milliseconds
 */
async function searchRuns(
	{ robotIds, ...settings }: PollingSettings,
	connection: EventConnection,
	{ ledger, failures }: PollingState,
	until: number,
): Promise<Search> {
	await watchExistingFromNow(connection, ledger, robotIds);
	const watched = robotIds.filter((robotId) => ledger.isWatched(robotId));
	const criteria = { ...settings, robotIds: watched };
	const backlog = await findBacklog(connection, ledger, criteria);
	const missedMarks = new Set(backlog.missed.map(({ id }) => markOf(id)));
	failures.keepIf((mark) => missedMarks.has(mark));
	const due = failures.failedLast(backlog.missed).slice(0, RUNS_PER_POLL);
	const deadline = Date.now() + READING_TIME;
	const makeItems = async (listed: Run, isLastTry: boolean): Promise<Item[]> => {
		const run = await readListed(listed, watched, connection.maxun, isLastTry);
		const isWanted = mismatchOf(run, criteria) === undefined;
		return isWanted ? await itemsOfEvent(run, criteria, connection, isLastTry) : [];
	};
	const attempts = await attemptAll(due, failures, deadline, makeItems, until);
	return { backlog, attempts: attempts.sort((a, b) => byEnd(a.run, b.run)) };
}

/**
 * Marks runs as processed, and records those that could not be read.
 *
 * @returns the items, the earliest end first, or a fault if none of the runs could be read
 */
function commit(
	{ backlog, attempts }: Search,
	{ warn }: EventConnection,
	{ ledger, failures }: PollingState,
): { items: INodeExecutionData[] } | { fault: MaxunFault } {
	const items = attempts.flatMap((attempt) => {
		const { run } = attempt;
		if ('items' in attempt) {
			ledger.markProcessed(run);
			failures.delete(run.id);
			return attempt.items;
		}
		noteFailure(run, attempt.fault.message, attempt.isLastTry, { failures, ledger, warn });
		return [];
	});
	const [first] = attempts;
	const isFailed = attempts.every((attempt) => 'fault' in attempt && !attempt.isLastTry);
	if (first && 'fault' in first && isFailed) return { fault: first.fault };
	const next = backlog.missed.find((run) => !ledger.isProcessed(run));
	ledger.advance(Math.min(backlog.completeUntil, next ? (endOf(next) ?? 0) - 1 : Infinity));
	return { items };
}

/** In the editor: the items of the latest run that would have started the workflow. */
async function itemsOfLatest(
	{ node }: TriggerNode,
	settings: PollingSettings,
	connection: EventConnection,
): Promise<INodeExecutionData[]> {
	const run = await readLatest(connection.maxun, settings);
	if (run) return await itemsOfEvent(run, settings, connection);
	throw new NodeOperationError(node, 'No finished run would start the workflow', {
		description: 'Run one of the robots, or change the events, robots or options. Then test again',
	});
}

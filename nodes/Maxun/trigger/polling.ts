import { NodeOperationError } from 'n8n-workflow';
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { toNodeError } from '../engine/errors';
import { recover } from '../http/fault';
import { pollBudget } from '../n8n/olderVersions';
import type { Item } from '../runs/types';
import type { Run } from '../servers/entities';
import { attemptAll, noteFailure, type Attempt } from './attempts';
import { byEnd, findBacklog, readLatest, robotIdsOf, watchExistingFromNow } from './backlog';
import { connectTrigger, type EventConnection } from './connection';
import { itemsOfEvent, mismatchOf } from './event';
import { pollingProperties, readPollingSettings, type PollingSettings } from './settings';
import { Failures, SavedFailures } from './state/failures';
import { endOf, Ledger, SavedLedger } from './state/ledger';
import { saveChanges } from './state/staticData';
import { readTriggerNode, type TriggerNode } from './triggerNode';

/** Maximum number of runs per poll. The next poll continues with the others. */
const RUNS_PER_POLL = 100;

/** Milliseconds after which one unreadable run ends a poll, because the server may refuse all of them. */
const READING_TIME = 60_000;

/** The part of n8n's limit for a poll after which it starts no further run. The rest is for runs that are being read. */
const PART_OF_BUDGET = 0.5;

/** The state of a polling trigger. */
interface PollingState {
	ledger: Ledger;
	failures: Failures;
}

/** One poll. @returns the runs that have ended since the previous one; null if there are none */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const trigger = readTriggerNode(context, context.getMode() === 'manual');
	const { key, node } = trigger;
	// The next poll must not overlap a poll that takes longer than the interval.
	if (running.has(key)) return null;
	running.add(key);
	const mayFail = isFirstAfterStart(context.getActivationMode(), key);
	const toBinary: EventConnection['toBinary'] = async (data, name) =>
		await context.helpers.prepareBinaryData(data, name);
	const until = Date.now() + pollBudget(context) * PART_OF_BUDGET;
	return await pollOnce(trigger, toBinary, until)
		.catch((error: unknown) => {
			if (!mayFail) throw toNodeError(node, error, 0, pollingProperties);
			trigger.warn(`The first poll failed: ${String(error)}`);
			return null;
		})
		.finally(() => running.delete(key));
}

/** The triggers that are polling in this process. */
const running = new Set<string>();

/** The failures by trigger, because a failed poll saves nothing. */
const failuresByTrigger = new Map<string, Failures>();

function failuresOf({ key }: TriggerNode): Failures {
	const failures = failuresByTrigger.get(key) ?? new Failures();
	failuresByTrigger.set(key, failures);
	return failures;
}

/** The triggers that have polled since n8n started. */
const polledSinceStart = new Set<string>();

/**
 * Whether this is a trigger's first poll after n8n starts or changes its leader. If that poll failed a few times, for
 * example because Maxun is down, n8n would deactivate the trigger. So only later polls show errors.
 */
function isFirstAfterStart(activation: string, key: string): boolean {
	if (activation !== 'init' && activation !== 'leadershipChange') return false;
	const entry = `${activation} ${key}`;
	const isFirst = !polledSinceStart.has(entry);
	polledSinceStart.add(entry);
	return isFirst;
}

async function pollOnce(
	trigger: TriggerNode,
	toBinary: EventConnection['toBinary'],
	until: number,
): Promise<INodeExecutionData[][] | null> {
	const settings = readPollingSettings(trigger);
	const { robotIds, teamId } = settings;
	const connection = { ...(await connectTrigger(trigger, { teamId })), toBinary };
	if (trigger.isTest) return [await itemsOfLatest(trigger, settings, connection)];
	const data = trigger.staticData();
	const [ledger, failures] = [new Ledger(), failuresOf(trigger)];
	ledger.merge(SavedLedger.parse(data.ledger));
	failures.merge(SavedFailures.parse(data.failures));
	await watchExistingFromNow(connection, ledger, robotIds);
	const watched = robotIds.filter((robotId) => ledger.isWatched(robotId));
	const state = { ledger, failures };
	const items = await newItems({ ...settings, robotIds: watched }, connection, state, until);
	saveChanges(data, { ledger: ledger.toSaved(), failures: failures.toSaved() });
	return items.length > 0 ? [items] : null;
}

/**
 * The items of unprocessed runs, which then count as processed.
 *
 * @throws MaxunFault if none of them could be read
 */
async function newItems(
	settings: PollingSettings,
	connection: EventConnection,
	state: PollingState,
	until: number,
): Promise<INodeExecutionData[]> {
	const { ledger, failures } = state;
	const { runs } = connection.maxun;
	const { missed, completeUntil } = await findBacklog(connection, ledger, settings);
	failures.keepOnly(missed.map(({ id }) => id));
	const due = failures.failedLast(missed).slice(0, RUNS_PER_POLL);
	const deadline = Date.now() + READING_TIME;
	const makeItems = async (listed: Run, isLastTry: boolean): Promise<Item[]> => {
		const run = await recover(runs.get(listed.id, robotIdsOf(listed, settings.robotIds)), {
			notFound: () => undefined,
		});
		const isWanted = run && mismatchOf(run, settings) === undefined;
		return isWanted ? await itemsOfEvent(run, settings, connection, isLastTry) : [];
	};
	const attempts = await attemptAll(due, failures, deadline, makeItems, until);
	const items = commit(
		attempts.sort((a, b) => byEnd(a.run, b.run)),
		connection,
		state,
	);
	const next = missed.find((run) => !ledger.isProcessed(run));
	ledger.advance(Math.min(completeUntil, next ? (endOf(next) ?? 0) - 1 : Infinity));
	return items;
}

/**
 * Marks runs as processed, and records those that could not be read.
 *
 * @returns the items, the earliest end first
 * @throws MaxunFault if none of the runs could be read
 */
function commit(
	attempts: Attempt[],
	{ warn }: EventConnection,
	{ ledger, failures }: PollingState,
): INodeExecutionData[] {
	const items = attempts.flatMap((attempt) => {
		if ('items' in attempt) {
			ledger.markProcessed(attempt.run);
			return attempt.items;
		}
		const { run, fault, isLastTry } = attempt;
		noteFailure(run, fault.message, isLastTry, { failures, ledger, warn });
		return [];
	});
	const [first] = attempts;
	const processed = attempts.filter(({ run }) => ledger.isProcessed(run));
	if (first && 'fault' in first && processed.length === 0) throw first.fault;
	for (const { run } of processed) failures.delete(run.id);
	return items;
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

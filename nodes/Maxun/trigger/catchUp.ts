import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { recover } from '../http/fault';
import type { Delivery } from '../servers/deliveryBody';
import type { Run } from '../servers/entities';
import { findBacklog, readListed, type Backlog } from './backlog';
import { noteRunFailure, type DeliveryContext } from './deliveryContext';
import { mismatchOf } from './event';
import { endOf, exactEndOf } from '../servers/runEnd';
import type { TriggerState } from './state/triggerState';

/** Maximum number of missed runs per delivery. */
export const RUNS_PER_DELIVERY = 50;

/** How long a run's own event may take to arrive, in milliseconds. */
const DELIVERY_TIME = 60_000;

/**
 * How long after its end Maxun may announce a run, in milliseconds: its last attempt starts 43 minutes after the first. The
 * rest is for clocks that differ.
 */
const ANNOUNCED_TIME = 75 * 60_000;

/** A delivery that other runs may start the workflow with. */
interface SearchingDelivery extends Delivery {
	/** Whether its own run is known. */
	isKnown: boolean;
}

/**
 * The missed runs; undefined if a search isn't possible or needed. The next delivery then searches.
 *
 * Without catch-up, only deliveries whose runs aren't known need them, to find their runs.
 */
export async function findMissed(
	deliveries: SearchingDelivery[],
	{ settings, state, connection, deadline }: DeliveryContext,
): Promise<Backlog | undefined> {
	const unknown = deliveries.filter(({ isTest, isKnown }) => !isTest && !isKnown);
	const searching = settings.catchUp ? deliveries : unknown;
	if (searching.length === 0) return undefined;
	if (Date.now() > deadline || !state.mayCatchUp()) return undefined;
	const backlog = await recover(findBacklog(connection, state.ledger, settings), {
		any: () => undefined,
	});
	if (!backlog) return undefined;
	const named = unknown.map((delivery) => likeliest(backlog, delivery));
	// Unknown runs may be any of the missed ones.
	const isDue = unknown.length > 0 ? () => settings.catchUp : dueIn(backlog, state);
	const later = backlog.missed.filter((run) => !named.includes(run) && !isDue(run));
	const missed = backlog.missed.filter((run) => !later.includes(run));
	const ends = later.map((run) => endOf(run) ?? 0);
	return { ...backlog, missed, completeUntil: Math.min(backlog.completeUntil, ...ends) - 1 };
}

/**
 * Which runs count as missed. Several processes may receive the events of one trigger, and none sees at once what the
 * others start. So only the process that registers the trigger starts the workflow for runs whose own events may still
 * be on their way.
 */
function dueIn({ matching }: Backlog, { isRegistrar }: TriggerState): (run: Run) => boolean {
	// The clock of n8n may be behind.
	const now = Math.max(Date.now(), ...matching.map((run) => exactEndOf(run) ?? 0));
	return (run) => isRegistrar || (exactEndOf(run) ?? 0) < now - DELIVERY_TIME;
}

/**
 * The run that a delivery most likely means: with the same ID, or with the same robot and end, otherwise the latest. If
 * it is processed, the delivery is a repeat.
 */
export function likeliest(
	{ matching, hasActive }: Backlog,
	{ runId, robotId, finishedAt }: Delivery,
): Run | undefined {
	if (runId !== undefined) return matching.find(({ id }) => id === runId);
	const ofRobot = matching.filter((run) => robotId === undefined || run.robotId === robotId);
	const exact = ofRobot.find((run) => finishedAt !== undefined && run.finishedAt === finishedAt);
	const latest = ofRobot.at(-1);
	const end = (latest && exactEndOf(latest)) ?? Infinity;
	// Then the delivery probably means a run that the list still shows as active.
	const isTooOld = hasActive && end < Date.now() - ANNOUNCED_TIME;
	return exact ?? (isTooOld ? undefined : latest);
}

/** Claims and reads missed runs, oldest first, as time allows. */
export async function claimMissed({ missed }: Backlog, context: DeliveryContext): Promise<Run[]> {
	const { state, claims, deadline } = context;
	const taken: Run[] = [];
	for (const run of state.failures.failedLast(missed)) {
		if (taken.length === RUNS_PER_DELIVERY) break;
		if (!state.ledger.isProcessed(run) && claims.take(run.id, endOf(run))) taken.push(run);
	}
	const read = await mapConcurrently(taken, CONCURRENCY, async (listed) => {
		const run = Date.now() < deadline ? await readMissed(listed, context) : undefined;
		if (!run) claims.release(listed.id);
		return run;
	});
	return read.filter((run): run is Run => run !== undefined);
}

/** The listed run with its data; undefined if it no longer starts the workflow, or can't be read now. */
async function readMissed(listed: Run, context: DeliveryContext): Promise<Run | undefined> {
	const { settings, state, connection } = context;
	const isLastTry = state.failures.isExpired(listed.id);
	const fail = (reason: string) => noteRunFailure(listed, reason, isLastTry, context);
	const reading = readListed(listed, settings.robotIds, connection.maxun, isLastTry);
	const run = await recover(reading, {
		any: (fault) => {
			fail(fault.message);
			return undefined;
		},
	});
	if (!run) return undefined;
	const mismatch = mismatchOf(run, settings);
	if (mismatch === undefined) return run;
	fail(mismatch);
	return undefined;
}

/** Until when everything is processed: before the earliest run that still has to start the workflow. */
export function processedUntil(
	{ missed, completeUntil }: Backlog,
	{ ledger, claims }: TriggerState,
): number {
	const next = missed.find((run) => !ledger.isProcessed(run));
	const earliest = Math.min((next && endOf(next)) ?? Infinity, claims.earliestEnd);
	return Math.min(completeUntil, earliest - 1);
}

import { readDelivery, type Delivery } from '../api/delivery';
import { hasEnded, type Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { CONCURRENCY, mapConcurrently } from '../core/concurrency';
import type { Item } from '../core/operation';
import { byEnd, findBacklog, type Backlog } from './backlog';
import { itemsOfEvent, unwantedBecause, type EventPort, type Shape, type Wanted } from './emit';
import { attemptAll, noteFailure } from './failures';
import { endOf } from './ledger';
import type { Memory } from './memory';

/** What the trigger is set to. */
export interface TriggerSettings extends Wanted, Shape {
	catchUp: boolean;
}

/** What a delivery is judged with. */
export interface Desk {
	settings: TriggerSettings;
	memory: Memory;
	port: EventPort;
	/** Until when runs may be looked for, in epoch milliseconds: the sender does not wait for ever. */
	deadline: number;
}

/** Items that start the workflow, and whom to tell what n8n has made of them. */
export interface Emission {
	emit: Item[];
	/** Notes that n8n has stored the execution. */
	settle: () => void;
	/** Notes that n8n could not, so that the next delivery may. */
	release: () => void;
}

/**
 * What to do with a delivery: start the workflow, leave it at that, or have it sent again later. Whatever is done, the
 * memory may have changed.
 */
export type Verdict = Emission | { ignore: string } | { again: string };

/** The work on one delivery. */
interface Work extends Desk {
	/** The runs that it has claimed. */
	claimed: Set<string>;
}

/** At most so many missed runs are emitted with one delivery. */
const CATCH_UP = 50;

const REPEAT = 'run dealt with before';

/**
 * Decides about a delivery whose secret was right. What it says only serves to find the run; all that counts is what
 * the API says of that. One that names no run, or an unknown one, says that something has happened.
 */
export async function receive(body: unknown, desk: Desk): Promise<Verdict> {
	const work = { ...desk, claimed: new Set<string>() };
	return await decide(readDelivery(body), work).finally(() => {
		for (const runId of work.claimed) letGo(runId, work);
	});
}

async function decide(delivery: Delivery, desk: Work): Promise<Verdict> {
	const { memory } = desk;
	const told = await judge(delivery, desk);
	if ('again' in told) return told;
	const backlog = await lookBack(delivery, desk);
	if ('namesNone' in told && !delivery.isTest && !backlog) {
		return { again: 'the runs cannot be looked through now' };
	}
	const missed = await claimMissed(backlog, desk);
	const runs = 'run' in told ? [...missed, told.run] : missed;
	const advance = () => {
		if (backlog) memory.ledger.advance(settledUntil(backlog, desk));
	};
	if (runs.length === 0) {
		advance();
		return { ignore: 'ignore' in told ? told.ignore : 'nothing to do' };
	}
	const made = await makeItems(runs.sort(byEnd), desk);
	// A sender who was told of success would not come again with the run that it names.
	const isNamedLeft = 'run' in told && !made.runs.includes(told.run);
	if (isNamedLeft || made.runs.length === 0) return { again: 'the run cannot be fetched now' };
	return { emit: made.items, ...handOver(made.runs, desk, advance) };
}

/** Claims a run for this delivery. @returns false when it is claimed already */
function claim(runId: string, end: number | undefined, { memory, claimed }: Work): boolean {
	if (!memory.claims.take(runId, end)) return false;
	claimed.add(runId);
	return true;
}

/** Gives up the claim that this delivery has on a run. */
function letGo(runId: string, { memory, claimed }: Work): void {
	if (claimed.delete(runId)) memory.claims.release(runId);
}

/** The items of claimed runs, and the runs that they are of. */
async function makeItems(runs: Run[], desk: Work): Promise<{ runs: Run[]; items: Item[] }> {
	const { settings, memory, port, deadline } = desk;
	const attempts = await attemptAll(
		runs,
		memory.failures,
		deadline,
		async (run, isLast) => await itemsOfEvent(run, settings, port, isLast),
	);
	const made = attempts.flatMap((outcome) => {
		if ('items' in outcome) return outcome;
		fail(outcome.run, outcome.fault.message, outcome.isLast, desk);
		return [];
	});
	return { runs: made.map(({ run }) => run), items: made.flatMap(({ items }) => items) };
}

/** Notes that a run cannot be emitted now. */
function fail(run: Run, reason: string, isLast: boolean, { memory, port }: Desk): void {
	const { failures, ledger } = memory;
	noteFailure(run, reason, isLast, { failures, ledger, warn: port.warn });
}

/** Leaves claimed runs to n8n. */
function handOver(
	runs: Run[],
	{ memory, claimed }: Work,
	advance: () => void,
): Omit<Emission, 'emit'> {
	const { claims, failures, ledger } = memory;
	for (const { id } of runs) {
		claimed.delete(id);
		claims.handOver(id);
	}
	let isClaimed = true;
	const release = () => {
		if (isClaimed) for (const { id } of runs) claims.release(id);
		isClaimed = false;
	};
	const settle = () => {
		for (const run of runs) {
			ledger.settle(run);
			failures.forget(run.id);
		}
		release();
		advance();
	};
	return { settle, release };
}

/** Whether a delivery names a run that has been dealt with, which is known without asking. */
export function isRepeat(body: unknown, { ledger }: Memory): boolean {
	const { isTest, runId } = readDelivery(body);
	return !isTest && runId !== undefined && ledger.knows(runId);
}

type Told = { run: Run } | { ignore: string } | { again: string } | { namesNone: true };

/** Looks at the run that a delivery names. One that is to be emitted is claimed. */
async function judge({ isTest, runId, robotId }: Delivery, desk: Work): Promise<Told> {
	const { settings, memory, port } = desk;
	const { ledger, claims } = memory;
	if (isTest || runId === undefined) return { namesNone: true };
	if (ledger.knows(runId)) return { ignore: REPEAT };
	if (!claim(runId, undefined, desk)) return { again: 'the run is being looked at' };
	const { robotIds } = settings;
	const named = robotIds.filter((id) => id === robotId);
	const run = await port.runs
		.read(runId, named.length > 0 ? named : robotIds)
		.catch((fault: unknown) => {
			letGo(runId, desk);
			if (fault instanceof MaxunFault) return fault;
			throw fault;
		});
	if (run instanceof MaxunFault) {
		return run.status === 404 ? { ignore: 'no such run' } : { again: run.message };
	}
	const refusal = refusalOf(run, settings, memory);
	if (refusal) letGo(runId, desk);
	else claims.learn(runId, endOf(run));
	return refusal ?? { run: { ...run, id: runId } };
}

function refusalOf(run: Run, settings: TriggerSettings, { ledger }: Memory) {
	if (!hasEnded(run)) return { again: 'the run is not over' };
	const reason = unwantedBecause(run, settings);
	if (reason !== undefined) return { ignore: reason };
	return ledger.isSettled(run) ? { ignore: REPEAT } : undefined;
}

/**
 * The runs that were missed; undefined where they are not to be looked for, or not now: the next delivery brings them.
 *
 * Without catch-up only a delivery that names no run has them looked for, and is taken to mean one of them.
 */
async function lookBack(delivery: Delivery, desk: Desk): Promise<Backlog | undefined> {
	const { settings, memory, port, deadline } = desk;
	const { isTest, runId } = delivery;
	const namesNone = !isTest && runId === undefined;
	const isRepeat = runId !== undefined && memory.ledger.knows(runId);
	if (isRepeat || (!settings.catchUp && !namesNone)) return undefined;
	if (Date.now() > deadline || !memory.mayCatchUp()) return undefined;
	const backlog = await findBacklog(port.runs, memory.ledger, settings).catch((fault: unknown) => {
		if (fault instanceof MaxunFault) return undefined;
		throw fault;
	});
	if (!backlog || settings.catchUp) return backlog;
	return { missed: likeliest(backlog.missed, delivery), completeUntil: 0 };
}

/** The run that a delivery without an id most likely means: of that robot and end, else the latest. */
function likeliest(missed: Run[], { robotId, finishedAt }: Delivery): Run[] {
	const ofRobot = missed.filter((run) => robotId === undefined || run.robotId === robotId);
	const meant = ofRobot.find((run) => finishedAt !== undefined && run.finishedAt === finishedAt);
	return meant ? [meant] : ofRobot.slice(-1);
}

/** Claims missed runs and reads them, the oldest first, as many as there is time for. */
async function claimMissed(backlog: Backlog | undefined, desk: Work): Promise<Run[]> {
	const { failures, ledger } = desk.memory;
	const taken: Run[] = [];
	for (const run of failures.lastly(backlog?.missed ?? [])) {
		if (taken.length === CATCH_UP) break;
		if (!ledger.isSettled(run) && claim(run.id, endOf(run), desk)) taken.push(run);
	}
	const read = await mapConcurrently(taken, CONCURRENCY, async (listed) => {
		const run = Date.now() < desk.deadline ? await readAgain(listed, desk) : undefined;
		if (!run) letGo(listed.id, desk);
		return run;
	});
	return read.filter((run): run is Run => run !== undefined);
}

/** The listed run with its data; undefined where it is gone or cannot be read now. */
async function readAgain(listed: Run, desk: Desk): Promise<Run | undefined> {
	const { settings, port, memory } = desk;
	const isLast = memory.failures.isOver(listed.id);
	const run = await port.runs.read(listed.id, settings.robotIds).catch((fault: unknown) => {
		if (fault instanceof MaxunFault) return fault;
		throw fault;
	});
	const reason = run instanceof MaxunFault ? run.message : unwantedBecause(run, settings);
	if (reason !== undefined) fail(listed, reason, isLast, desk);
	return run instanceof MaxunFault || reason !== undefined ? undefined : run;
}

/** Up to when nothing is left to do: before the earliest run that still is to be emitted. */
function settledUntil({ missed, completeUntil }: Backlog, { memory }: Desk): number {
	const { ledger, claims } = memory;
	const left = missed.find((run) => !ledger.isSettled(run));
	const earliest = Math.min((left && endOf(left)) ?? Infinity, claims.earliestEnd);
	return Math.min(completeUntil, earliest - 1);
}

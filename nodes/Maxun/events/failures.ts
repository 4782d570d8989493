import { z } from 'zod';
import type { Run } from '../api/entities';
import { MaxunFault } from '../api/fault';
import { CONCURRENCY, mapConcurrently } from '../core/concurrency';
import type { Item } from '../core/operation';
import type { Ledger } from './ledger';

/**
 * Milliseconds for which a run that cannot be fetched is tried again, and with it all that came after it is kept in
 * mind. Senders make their last attempt 43 minutes after the first: it still brings the run, in whatever state.
 */
const PATIENCE = 30 * 60_000;

/** How many runs are remembered. */
const KEPT = 1000;

/** What the failures look like in n8n's static data: by run, when it failed first, in epoch milliseconds of n8n's clock. */
export const SavedFailures = z.record(z.number()).catch({});
export type SavedFailures = z.output<typeof SavedFailures>;

/** Runs that could not be fetched, so that they are tried again for a while and do not hold up others for ever. */
export class Failures {
	private readonly first = new Map<string, number>();

	/** Adds what another process has saved. A time that lies in the future is of a clock that was put right. */
	merge(saved: SavedFailures): void {
		for (const [runId, time] of Object.entries(saved)) {
			this.first.set(runId, Math.min(time, this.first.get(runId) ?? Date.now()));
		}
	}

	/** @returns whether it is the first failure of the run */
	note(runId: string): boolean {
		if (this.first.has(runId)) return false;
		this.first.set(runId, Date.now());
		for (const oldest of this.first.keys()) {
			if (this.first.size <= KEPT) break;
			this.first.delete(oldest);
		}
		return true;
	}

	/** Whether the run has been tried for long enough. */
	isOver(runId: string): boolean {
		return Date.now() - (this.first.get(runId) ?? Infinity) >= PATIENCE;
	}

	forget(runId: string): void {
		this.first.delete(runId);
	}

	/** Forgets all other runs. */
	keepOnly(runIds: string[]): void {
		const kept = new Set(runIds);
		for (const runId of this.first.keys()) if (!kept.has(runId)) this.first.delete(runId);
	}

	/** The same runs with those that have failed behind all others, so that they take nobody's place. */
	lastly(runs: Run[]): Run[] {
		const hasFailed = ({ id }: Run) => this.first.has(id);
		return [...runs.filter((run) => !hasFailed(run)), ...runs.filter(hasFailed)];
	}

	toSaved(): SavedFailures {
		return Object.fromEntries(this.first);
	}
}

/** Where it is noted that a run could not be fetched. */
interface Book {
	failures: Failures;
	ledger: Ledger;
	warn(message: string): void;
}

/** What came of an attempt to make the items of a run's end. */
export type Attempt =
	| { run: Run; items: Item[] }
	| { run: Run; fault: MaxunFault; isLast: boolean };

/**
 * Makes the items of runs. What the service refuses for one is told instead of thrown, so that it does not stop others;
 * after the deadline no further run is begun then, as the service may refuse all.
 *
 * @param make gets a run, and whether it has been tried for so long that this is the last time
 * @returns the attempts, in the order of the runs
 */
export async function attemptAll(
	runs: Run[],
	failures: Failures,
	deadline: number,
	make: (run: Run, isLast: boolean) => Promise<Item[]>,
): Promise<Attempt[]> {
	let hasFailed = false;
	const attempts = await mapConcurrently(runs, CONCURRENCY, async (run): Promise<Attempt[]> => {
		if (hasFailed && Date.now() > deadline) return [];
		const isLast = failures.isOver(run.id);
		return await make(run, isLast).then(
			(items) => [{ run, items }],
			(fault: unknown) => {
				if (!(fault instanceof MaxunFault)) throw fault;
				hasFailed = true;
				return [{ run, fault, isLast }];
			},
		);
	});
	return attempts.flat();
}

/** Notes that a run could not be fetched; after the last attempt it is given up. */
export function noteFailure(
	run: Run,
	reason: string,
	isLast: boolean,
	{ failures, ledger, warn }: Book,
): void {
	const isFirst = failures.note(run.id);
	if (isLast) {
		ledger.settle(run);
		failures.forget(run.id);
		warn(`run '${run.id}' is passed over, as it could not be fetched for a while: ${reason}`);
	} else if (isFirst) {
		warn(`run '${run.id}' could not be fetched and is tried again: ${reason}`);
	}
}

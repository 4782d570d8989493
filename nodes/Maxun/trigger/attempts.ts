import { CONCURRENCY, mapConcurrently } from '../http/concurrency';
import { recover, type MaxunFault } from '../http/fault';
import type { Item } from '../runs/types';
import type { Run } from '../servers/entities';
import type { Failures } from './state/failures';
import type { Ledger } from './state/ledger';

/** The result of an attempt to create the items of a run. */
export type Attempt =
	| { run: Run; items: Item[] }
	| { run: Run; fault: MaxunFault; isLastTry: boolean };

/**
 * Creates the items of runs. A fault of one run doesn't stop the others. After the deadline, one fault does stop them,
 * because the server may refuse all of them.
 *
 * @param until when to leave further runs to the next poll, in epoch milliseconds; the first run is always attempted
 * @param makeItems receives a run, and whether this is its last try
 * @returns the attempts, in the order of the runs
 */
export async function attemptAll(
	runs: Run[],
	failures: Failures,
	deadline: number,
	makeItems: (run: Run, isLastTry: boolean) => Promise<Item[]>,
	until = Infinity,
): Promise<Attempt[]> {
	let hasFailed = false;
	const attempts = await mapConcurrently(
		runs,
		CONCURRENCY,
		async (run, index): Promise<Attempt[]> => {
			if (hasFailed && Date.now() > deadline) return [];
			if (index > 0 && Date.now() > until) return [];
			const isLastTry = failures.isExpired(run.id);
			const making = makeItems(run, isLastTry).then((items): Attempt[] => [{ run, items }]);
			return await recover(making, {
				any: (fault): Attempt[] => {
					hasFailed = true;
					return [{ run, fault, isLastTry }];
				},
			});
		},
	);
	return attempts.flat();
}

/** Where a failure is recorded. */
interface FailureLog {
	failures: Failures;
	ledger: Ledger;
	warn(message: string): void;
}

/** Records that a run could not be read. After the last try, skips the run permanently. */
export function noteFailure(
	run: Run,
	reason: string,
	isLastTry: boolean,
	{ failures, ledger, warn }: FailureLog,
): void {
	const isFirst = failures.add(run.id);
	if (isLastTry) {
		ledger.markProcessed(run);
		failures.delete(run.id);
		warn(`skipped run '${run.id}' because it could not be read for 30 minutes: ${reason}`);
	} else if (isFirst) {
		warn(`run '${run.id}' could not be read and will be retried: ${reason}`);
	}
}

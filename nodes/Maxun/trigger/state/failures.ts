import { z } from 'zod';
import { markOf } from './ledger';
import { savedRecord } from './staticData';

/**
 * How long an unreadable run is retried, in milliseconds. Until then, all later runs are tracked one by one. Senders
 * make their last attempt 43 minutes after the first, so that attempt still delivers the run.
 */
const RETRY_TIME = 30 * 60_000;

/** Maximum number of tracked runs. */
const MAX_RUNS = 1000;

/** How long a failure is kept, in milliseconds. After that, nobody retries the run. */
const KEPT_TIME = 24 * 60 * 60_000;

/** The failures in n8n's static data: when each run first failed, in epoch milliseconds of n8n's clock, by its mark. */
export const SavedFailures = savedRecord(z.number());
export type SavedFailures = z.output<typeof SavedFailures>;

/** Runs that couldn't be read. They are retried for a while, so that they don't block others forever. */
export class Failures {
	private readonly firstFailures = new Map<string, number>();

	/** Adds what another process saved. A time in the future comes from a clock that has been corrected since. */
	merge(saved: SavedFailures): void {
		for (const [mark, time] of Object.entries(saved)) {
			if (Date.now() - time > KEPT_TIME) continue;
			const known = this.firstFailures.get(mark) ?? Date.now();
			this.firstFailures.set(mark, Math.min(time, known));
		}
	}

	/** @returns whether it is the first failure of the run */
	add(runId: string): boolean {
		if (this.has(runId)) return false;
		this.firstFailures.set(markOf(runId), Date.now());
		for (const oldest of this.firstFailures.keys()) {
			if (this.firstFailures.size <= MAX_RUNS) break;
			this.firstFailures.delete(oldest);
		}
		return true;
	}

	has(runId: string): boolean {
		return this.firstFailures.has(markOf(runId));
	}

	/** Whether the run has been retried long enough. */
	isExpired(runId: string): boolean {
		return Date.now() - (this.firstFailures.get(markOf(runId)) ?? Infinity) >= RETRY_TIME;
	}

	delete(runId: string): void {
		this.firstFailures.delete(markOf(runId));
	}

	/** Deletes all other runs. @param isKept receives a run's mark */
	keepIf(isKept: (mark: string) => boolean): void {
		for (const mark of this.firstFailures.keys()) {
			if (!isKept(mark)) this.firstFailures.delete(mark);
		}
	}

	/** The same runs, with failed ones last, so that they don't displace others. */
	failedLast<R extends { id: string }>(runs: R[]): R[] {
		const hasFailed = ({ id }: R) => this.has(id);
		return [...runs.filter((run) => !hasFailed(run)), ...runs.filter(hasFailed)];
	}

	toSaved(): SavedFailures {
		return Object.fromEntries(this.firstFailures);
	}
}

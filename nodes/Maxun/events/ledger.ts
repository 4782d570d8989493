import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

/** What a ledger looks like in n8n's static data. Times are epoch milliseconds of the service's clock. */
export const SavedLedger = z.object({
	/** All runs that ended up to here have been dealt with. */
	since: z.number().catch(0),
	/** By robot: the end of its latest run when the trigger began to watch it. */
	from: z.record(z.number()).catch({}),
	/** By minute of their end: the marks of runs that have been dealt with, side by side. */
	seen: z.record(z.string()).catch({}),
});
export type SavedLedger = z.output<typeof SavedLedger>;

/** What the ledger needs to know of a run. */
export interface LedgerRun {
	id: string;
	robotId?: string | null;
	finishedAt?: unknown;
}

/** Stands for all robots where none are chosen. */
export const ALL_ROBOTS = '*';

const MINUTE = 60_000;

/** Characters of a run's mark: 48 bits of a hash, so that a thousand runs are kept in eight kilobytes. */
const MARK = 8;

/** How many marks are saved, and how many this process keeps. */
const SAVED = 1000;
const KEPT = 10_000;

/** When a run ended, in epoch milliseconds; undefined when it does not say. */
export function endOf({ finishedAt }: LedgerRun): number | undefined {
	const end = typeof finishedAt === 'string' ? Date.parse(finishedAt) : NaN;
	return Number.isNaN(end) ? undefined : end;
}

/**
 * Which runs a trigger has dealt with: everything up to a point in time, and some runs after it one by one.
 *
 * The times compared are all the service's own, so that a wrong clock of n8n does no harm.
 */
export class Ledger {
	private since = 0;
	private readonly from = new Map<string, number>();
	/** Minute of the end by mark, in the order of dealing. */
	private readonly seen = new Map<string, number>();

	/** Adds what another copy knows; what either has dealt with is dealt with. */
	merge(saved: SavedLedger): void {
		for (const [robotId, end] of Object.entries(saved.from)) {
			this.from.set(robotId, Math.max(end, this.from.get(robotId) ?? 0));
		}
		for (const [minute, marks] of Object.entries(saved.seen)) {
			for (let at = 0; at < marks.length; at += MARK) {
				this.seen.set(marks.slice(at, at + MARK), Number(minute));
			}
		}
		this.advance(saved.since);
	}

	/** Whether the robot is watched already. */
	watches(robotId: string): boolean {
		return this.from.has(robotId);
	}

	/** Begins to watch a robot after the end of its latest run; 0 when it has none yet. */
	watch(robotId: string, latestEnd: number): void {
		this.from.set(robotId, latestEnd);
	}

	/** Forgets all other robots. */
	watchOnly(robotIds: string[]): void {
		for (const robotId of this.from.keys()) {
			if (!robotIds.includes(robotId)) this.from.delete(robotId);
		}
	}

	/** Whether the run has been dealt with itself. */
	knows(runId: string): boolean {
		return this.seen.has(markOf(runId));
	}

	/** Whether there is nothing left to do for the run: dealt with, or of the time before the watch. */
	isSettled(run: LedgerRun): boolean {
		const end = endOf(run);
		return this.knows(run.id) || (end !== undefined && end <= this.startFor(run.robotId ?? ''));
	}

	/** Notes that a run has been dealt with. */
	settle(run: LedgerRun): void {
		this.seen.set(markOf(run.id), Math.floor((endOf(run) ?? Date.now()) / MINUTE));
		for (const mark of this.seen.keys()) {
			if (this.seen.size <= KEPT) break;
			this.seen.delete(mark);
		}
	}

	/** Notes that all runs that ended up to a time have been dealt with. */
	advance(time: number): void {
		if (time <= this.since) return;
		this.since = time;
		for (const [mark, minute] of this.seen) {
			if ((minute + 1) * MINUTE <= time) this.seen.delete(mark);
		}
	}

	/** From when on runs may have ended that have not been dealt with; 0 when that is not known. */
	get horizon(): number {
		const earliest = this.from.size > 0 ? Math.min(...this.from.values()) : 0;
		return Math.max(this.since, earliest);
	}

	/** What is to be saved; where there is too much, the runs that were dealt with first are left out. */
	toSaved(): SavedLedger & IDataObject {
		const seen: Record<string, string> = {};
		for (const [mark, minute] of [...this.seen].slice(-SAVED)) {
			seen[minute] = (seen[minute] ?? '') + mark;
		}
		return { since: this.since, from: Object.fromEntries(this.from), seen };
	}

	private startFor(robotId: string): number {
		return Math.max(this.since, this.from.get(robotId) ?? this.from.get(ALL_ROBOTS) ?? 0);
	}
}

const markOf = (runId: string) =>
	createHash('sha256').update(runId).digest('base64url').slice(0, MARK);

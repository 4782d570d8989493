import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { endOf, type TimedRun } from '../../servers/runEnd';
import { savedRecord } from './staticData';

/** The ledger in n8n's static data. Times are epoch milliseconds of the server's clock. */
export const SavedLedger = z
	.object({
		/** All runs that ended by this time are processed. */
		since: z.number().catch(0),
		/** The end of each robot's latest run when the trigger began to watch it. */
		from: savedRecord(z.number()),
		/** The joined marks of processed runs, by the minute of their end. */
		seen: savedRecord(z.string()),
		/** The earliest start of runs that may have to be processed. */
		start: z.number().optional().catch(undefined),
	})
	.catch({ since: 0, from: {}, seen: {} });
export type SavedLedger = z.output<typeof SavedLedger>;

/** The fields of a run that the ledger reads. */
export interface LedgerRun extends TimedRun {
	robotId?: string | null;
}

/** Represents all robots if none are selected. */
export const ALL_ROBOTS = '*';

const MINUTE = 60_000;

/** Length of a run's mark: 48 bits of a hash, so that a thousand runs take eight kilobytes. */
const MARK_LENGTH = 8;

/** Maximum number of marks: one run per second of the longest time that a server's list counts as incomplete. */
const MAX_MARKS = 12_600;

/**
 * The runs that a trigger has processed: all that ended by a certain time, and individual later ones.
 *
 * Only compares times of the server, so that a wrong n8n clock does no harm.
 */
export class Ledger {
	/**
	 * The earliest start of runs that may have to be processed, and when this process last saw the starts of all of them, in
	 * epoch milliseconds: 0 if it didn't since its start, or since a robot was added.
	 */
	hint?: { since: number; at: number };
	private since = 0;
	private readonly from = new Map<string, number>();
	/** The minute in which a run ended, by mark, in the order of processing. */
	private readonly marks = new Map<string, number>();

	/** Adds the content of another copy. A run that is processed in either copy is processed. */
	merge(saved: SavedLedger): void {
		for (const [robotId, end] of Object.entries(saved.from)) {
			if (!this.from.has(robotId)) this.outdateHint();
			this.from.set(robotId, Math.max(end, this.from.get(robotId) ?? 0));
		}
		for (const [minute, marks] of Object.entries(saved.seen)) {
			for (let at = 0; at < marks.length; at += MARK_LENGTH) {
				this.marks.set(marks.slice(at, at + MARK_LENGTH), Number(minute));
			}
		}
		if (saved.start !== undefined) {
			// A later search knows more, whichever process made it.
			const { since, at } = this.hint ?? { since: 0, at: 0 };
			this.hint = { since: Math.max(since, saved.start), at };
		}
		this.advance(saved.since);
	}

	/** Returns to a saved copy. The hint stays valid if it belongs to the same robots. */
	restore(saved: SavedLedger): void {
		this.since = 0;
		this.marks.clear();
		for (const robotId of this.from.keys()) {
			const end = saved.from[robotId];
			if (end === undefined) this.from.delete(robotId);
			else this.from.set(robotId, end);
		}
		this.merge(saved);
	}

	get robotIds(): string[] {
		return [...this.from.keys()];
	}

	isWatched(robotId: string): boolean {
		return this.from.has(robotId);
	}

	/** Watches a robot from the end of its latest run; 0 if it has none yet. */
	watch(robotId: string, latestEnd: number): void {
		this.outdateHint();
		this.from.set(robotId, latestEnd);
	}

	/** Stops watching all other robots. */
	watchOnly(robotIds: string[]): void {
		for (const robotId of this.from.keys()) {
			if (!robotIds.includes(robotId)) this.from.delete(robotId);
		}
	}

	/** Whether the run itself was processed, and didn't just end before the watch began. */
	isMarked(runId: string): boolean {
		return this.hasMark(markOf(runId));
	}

	/** The same for the mark of a run. */
	hasMark(mark: string): boolean {
		return this.marks.has(mark);
	}

	/** Whether nothing is left to do for the run: it was processed, or it ended before the watch began. */
	isProcessed(run: LedgerRun): boolean {
		const end = endOf(run);
		return this.isMarked(run.id) || (end !== undefined && end <= this.startFor(run.robotId ?? ''));
	}

	markProcessed(run: LedgerRun): void {
		this.marks.set(markOf(run.id), Math.floor((endOf(run) ?? Date.now()) / MINUTE));
		for (const mark of this.marks.keys()) {
			if (this.marks.size <= MAX_MARKS) break;
			this.marks.delete(mark);
		}
	}

	/** Marks all runs that ended by this time as processed. */
	advance(time: number): void {
		if (time <= this.since) return;
		this.since = time;
		for (const [mark, minute] of this.marks) {
			if ((minute + 1) * MINUTE <= time) this.marks.delete(mark);
		}
	}

	/** The time after which unprocessed runs may have ended; 0 if it is unknown. */
	get unprocessedSince(): number {
		const earliest = this.from.size > 0 ? Math.min(...this.from.values()) : 0;
		return Math.max(this.since, earliest);
	}

	/** What to save: usually a few hundred bytes, and at most 110 kB at one run per second. */
	toSaved(): SavedLedger & IDataObject {
		const seen: Record<string, string> = {};
		for (const [mark, minute] of this.marks) {
			seen[minute] = (seen[minute] ?? '') + mark;
		}
		const saved = { since: this.since, from: Object.fromEntries(this.from), seen };
		return this.hint ? { ...saved, start: this.hint.since } : saved;
	}

	private outdateHint(): void {
		if (this.hint) this.hint = { ...this.hint, at: 0 };
	}

	private startFor(robotId: string): number {
		return Math.max(this.since, this.from.get(robotId) ?? this.from.get(ALL_ROBOTS) ?? 0);
	}
}

/** Identifies a run in saved data. */
export const markOf = (runId: string): string =>
	createHash('sha256').update(runId).digest('base64url').slice(0, MARK_LENGTH);

import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isPollCursor } from '../n8n/internals';
import type { Run } from '../servers/entities';
import { endOf } from '../servers/runEnd';
import type { MaxunServer } from '../servers/types';
import { mismatchOf, type RunCriteria } from './event';
import type { TriggerNode } from './triggerNode';

/** Represents all robots if none are selected. */
export const ALL_ROBOTS = '*';

/**
 * The time of a robot that could not be listed since the watch of all robots began. Without its list, the time of a
 * self-hosted server may be earlier than the robot's old runs.
 */
const NOT_BEGUN = Number.MAX_SAFE_INTEGER;

/** Maximum number of marks: one run per second of the longest time for which a server's list counts as incomplete. */
const MAX_MARKS = 12_600;

/** Criteria, without the robots. */
type Criteria = Omit<RunCriteria, 'robotIds'>;

const Saved = z.object({
	/** Identifies the API key, the server and the team that the times and runs belong to. */
	signature: z.string(),
	/** By robot: all runs that ended by this time are processed, in milliseconds of the server's clock. */
	done: z.record(z.string(), z.number()),
	/** The ends of processed runs by their marks; 0 for runs without readable times. */
	seen: z.record(z.string(), z.number()),
	/** The earliest start of a run that was active at the previous poll. */
	active: z.number().optional(),
	criteria: z.string(),
});
type Saved = z.output<typeof Saved>;

/**
 * Which runs a polling trigger has processed. Only compares times of the server, so that a wrong clock of n8n does no
 * harm. n8n stores it with the execution of a poll (durable cursors), or just before.
 */
export class Cursor {
	private constructor(
		private readonly saved: Saved,
		/** The criteria of the previous poll. */
		private readonly former: Criteria,
	) {}

	/** The saved cursor; a new one if there is none, or if it belongs to another API key, server or team. */
	static load(
		trigger: TriggerNode,
		maxun: MaxunServer,
		{ events, onlyChanges, sources }: Criteria,
	): Cursor {
		const current = { events, onlyChanges, sources } satisfies Record<keyof Criteria, unknown>;
		const criteria = JSON.stringify(current);
		const signature = maxun.sign(`${maxun.baseUrl} ${maxun.teamId ?? ''}`).slice(0, 16);
		const saved = Saved.safeParse(savedIn(trigger)).data;
		if (saved?.signature !== signature) {
			return new Cursor({ signature, done: {}, seen: {}, criteria }, current);
		}
		const former: Criteria = JSON.parse(saved.criteria);
		return new Cursor({ ...saved, criteria }, former);
	}

	get signature(): string {
		return this.saved.signature;
	}

	save(trigger: TriggerNode): void {
		const data = trigger.nodeData();
		const values: IDataObject = { ...this.saved };
		if (isPollCursor(data)) Object.assign(data, values);
		else trigger.save(values);
	}

	/** Stops watching other robots. What is known about all robots counts for each of them. */
	watchOnly(robotIds: string[]): void {
		const { done } = this.saved;
		const all = done[ALL_ROBOTS];
		const selected = robotIds.length > 0 ? robotIds : [...Object.keys(done), ALL_ROBOTS];
		const kept = selected.flatMap((id) => {
			const time = done[id] ?? all;
			return time === undefined ? [] : [[id, time] as const];
		});
		this.saved.done = Object.fromEntries(kept);
	}

	isWatched(robotId: string): boolean {
		return (this.saved.done[robotId] ?? NOT_BEGUN) !== NOT_BEGUN;
	}

	/** Begins to watch robots, if they aren't watched already. Those that can't be listed now begin when they can. */
	watch(robotIds: string[], now: number, unreadable: Set<string>): void {
		const { done } = this.saved;
		const begins = robotIds.includes(ALL_ROBOTS) && !this.isWatched(ALL_ROBOTS);
		if (begins) for (const robotId of unreadable) done[robotId] = NOT_BEGUN;
		for (const robotId of [...robotIds, ...Object.keys(done)]) {
			if (!unreadable.has(robotId) && !this.isWatched(robotId)) done[robotId] = now;
		}
	}

	/** Whether nothing is left to do for a run, because it has been processed or its robot isn't watched. */
	isProcessed(run: Run): boolean {
		const { seen } = this.saved;
		return seen[markOf(run.id)] !== undefined || (endOf(run) ?? Infinity) <= this.doneFor(run);
	}

	/** Whether the run may have ended before the current criteria were selected, and didn't match the former ones. */
	wasUnwanted(run: Run): boolean {
		return mismatchOf(run, { ...this.former, robotIds: [] }) !== undefined;
	}

	mark(run: Run): void {
		this.saved.seen[markOf(run.id)] = endOf(run) ?? 0;
	}

	/** Where to begin to list the runs of a robot, or of all, by their start; undefined if nothing is known. */
	listFrom(robotId?: string): number | undefined {
		const { active = Infinity, done } = this.saved;
		const times = robotId === undefined ? Object.values(done) : [done[robotId] ?? Infinity];
		const from = Math.min(active, ...times);
		return from > 0 && from < Infinity ? from : undefined;
	}

	/**
	 * Counts all runs as processed that ended by a time, and forgets their marks.
	 *
	 * @param unreadable the robots that this doesn't apply to
	 * @param active the earliest start of a run that still has to be listed; Infinity if there is none
	 */
	advance(time: number, unreadable: Set<string>, active: number): void {
		const { saved } = this;
		const all = saved.done[ALL_ROBOTS];
		if (all !== undefined) for (const robotId of unreadable) saved.done[robotId] ??= all;
		for (const [robotId, done] of Object.entries(saved.done)) {
			if (!unreadable.has(robotId)) saved.done[robotId] = Math.max(done, time);
		}
		saved.active = active === Infinity ? undefined : active;
		const earliest = Math.min(...Object.values(saved.done));
		const kept = Object.entries(saved.seen).filter(([, end]) => end === 0 || end > earliest);
		saved.seen = Object.fromEntries(kept.slice(-MAX_MARKS));
	}

	private doneFor({ robotId }: Run): number {
		const { done } = this.saved;
		return done[robotId ?? ALL_ROBOTS] ?? done[ALL_ROBOTS] ?? Infinity;
	}
}

/** The data of a durable cursor. Before these were turned on, it was saved as without them. */
function savedIn(trigger: TriggerNode): unknown {
	const data = trigger.nodeData();
	return isPollCursor(data) && 'signature' in data ? { ...data } : trigger.saved();
}

/** Identifies a run in saved data, with 48 bits of a hash. */
const markOf = (runId: string): string =>
	createHash('sha256').update(runId).digest('base64url').slice(0, 8);

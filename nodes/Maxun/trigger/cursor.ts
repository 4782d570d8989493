import { createHash } from 'crypto';
import { z } from 'zod';
import { DAY, HOUR } from '../http/time';
import type { Run } from '../servers/entities';
import { endOf } from '../servers/dates';
import type { MaxunServer } from '../servers/types';
import { Criteria, eventOf, mismatchOf, type RunCriteria } from './event';
import type { TriggerNode } from './triggerNode';

/** Represents all robots if none are selected. */
export const ALL_ROBOTS = '*';

/**
 * The time for a robot whose runs haven't been listed since the watch on all robots began. Until then, the known server
 * time may be earlier than the robot's old runs.
 */
const NOT_BEGUN = Number.MAX_SAFE_INTEGER;

/** How long a workflow may be unpublished and still get the runs in between, in milliseconds. */
const REPUBLISH_TIME = 72 * HOUR;

/**
 * How many runs may end before n8n has to save the cursor. After a restart, the trigger reads these runs again, and
 * n8n's table must still remember them.
 */
const MOST_UNSAVED = 400;

const times = z.record(z.string(), z.number());

const Saved = z.object({
	/** The server's URL and the team. If all robots are watched, `signature` identifies the API key's account, too. */
	server: z.string(),
	signature: z.string().catch(''),
	/** By robot: the time up to which all ended runs are processed, in milliseconds of the server's clock. */
	done: times,
	/** The ends of processed runs by their marks; 0 for runs without readable times. */
	seen: times.catch({}),
	/** The earliest start of a run that was active at the previous poll. */
	active: z.number().optional().catch(undefined),
	/** Which runs have started the workflow until now. */
	criteria: Criteria.optional().catch(undefined),
	/** By robot: the last run with data, which later runs are compared with. */
	baselines: z.record(z.string(), z.string()).catch({}),
	/** When the workflow was last unpublished before the publication that the cursor belongs to. */
	removedAt: z.number().optional().catch(undefined),
	/** How many runs were processed since n8n last saved the cursor. */
	unsaved: z.number().catch(0),
});
type Saved = z.output<typeof Saved>;

/**
 * The cursors that a publication's polls have proposed, by n8n's copy of the static data. n8n may drop the copy with the
 * items of its polls, for example when somebody publishes again.
 */
const proposedCursors = new WeakMap<object, Saved>();

/**
 * Which runs a trigger has processed. Compares only server times, so a wrong n8n clock does no harm. n8n stores the
 * cursor with a poll's execution (durable cursors), or just before.
 */
export class Cursor {
	private constructor(
		private readonly saved: Saved,
		/** The previous poll's criteria. */
		private readonly former: Criteria,
	) {}

	/**
	 * The saved cursor. A new cursor if there is none, if the saved one belongs to another account, server or team, or if
	 * the workflow was unpublished for too long.
	 */
	static load(trigger: TriggerNode, maxun: MaxunServer, settings: RunCriteria): Cursor {
		const criteria = Criteria.parse(settings);
		const { removedAt } = trigger.record();
		const server = serverOf(maxun);
		const own = { server, signature: maxun.sign(server).slice(0, 16) };
		const begin = { done: {}, seen: {}, baselines: {}, unsaved: 0 };
		const proposed = proposedCursors.get(trigger.publication());
		const known = latestOf(proposed, trigger.cursors(), removedAt);
		const isOther =
			known?.server !== server ||
			(settings.robotIds.length === 0 && known.signature !== own.signature);
		const isNews = removedAt !== undefined && removedAt !== known?.removedAt;
		const isOver = isNews && !trigger.isStart && Date.now() - removedAt > REPUBLISH_TIME;
		const saved = isOther || isOver ? undefined : known;
		const former = saved?.criteria ?? criteria;
		return new Cursor({ ...begin, ...saved, ...own, criteria, removedAt }, former);
	}

	/**
	 * What n8n has stored, which may be outdated.
	 *
	 * @returns also whether a poll has begun this publication's watch. The webhooks may exist before
	 */
	static stored(trigger: TriggerNode) {
		const { removedAt } = trigger.record();
		const saved = latestOf(undefined, trigger.cursors().slice(-1), removedAt);
		const hasBegun = saved !== undefined && saved.removedAt === removedAt;
		const baselines = new Map(Object.entries(saved?.baselines ?? {}));
		return { done: saved?.done ?? {}, baselines, hasBegun };
	}

	/** By robot: the last run with data. */
	get baselines(): Map<string, string> {
		return new Map(Object.entries(this.saved.baselines));
	}

	set baselines(baselines: Map<string, string>) {
		this.saved.baselines = Object.fromEntries(baselines);
	}

	/** An independent copy. */
	copy(): Cursor {
		return new Cursor(structuredClone(this.saved), this.former);
	}

	/** Whether n8n has to save the cursor now. */
	get isOld(): boolean {
		return this.saved.unsaved >= MOST_UNSAVED;
	}

	/**
	 * Saves the cursor.
	 *
	 * @param before the cursor without this poll's runs, if the poll has items. n8n then saves it while it stores their
	 * execution. If n8n drops the items or is killed in between, the next publication proposes these runs again
	 */
	save(trigger: TriggerNode, before?: Cursor): void {
		const isDurable = trigger.hasDurableCursor();
		if (before) this.saved.unsaved -= before.saved.unsaved;
		const isBehind = before !== undefined && !isDurable && !this.isOld;
		if (before && !isBehind) this.saved.unsaved = 0;
		trigger.saveCursor(isBehind ? { ...before.saved, unsaved: 0 } : this.saved);
		if (!isDurable) proposedCursors.set(trigger.publication(), this.saved);
	}

	/** Continues the watch on a robot with another ID, because the robot was recorded again. */
	replace(formerId: string, robotId: string): void {
		const { done } = this.saved;
		if (done[formerId] !== undefined) done[robotId] ??= done[formerId];
	}

	/** Continues the watch of any other robot with this one. */
	replaceAll(robotId: string): void {
		for (const id of Object.keys(this.saved.done)) this.replace(id, robotId);
	}

	/** Stops watching other robots. What is known about all robots also applies to each of them. */
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

	/**
	 * Begins to watch robots that aren't watched yet. The watch on a robot that can't be listed now begins when it can.
	 */
	watch(robotIds: string[], now: number, unreadable: Set<string>): void {
		const { done } = this.saved;
		const begins = robotIds.includes(ALL_ROBOTS) && !this.isWatched(ALL_ROBOTS);
		if (begins) for (const robotId of unreadable) done[robotId] = NOT_BEGUN;
		for (const robotId of [...robotIds, ...Object.keys(done)]) {
			if (!unreadable.has(robotId) && !this.isWatched(robotId)) done[robotId] = now;
		}
	}

	/** Whether the trigger can ignore a run, because it has been processed or its robot isn't watched. */
	isProcessed(run: Run): boolean {
		const { seen } = this.saved;
		return seen[hashOf(run.id)] !== undefined || (endOf(run) ?? Infinity) <= this.doneFor(run);
	}

	/**
	 * Whether the run may have ended before the current criteria were selected, and didn't match the earlier ones. n8n
	 * doesn't save the cursor for runs without changes.
	 */
	wasUnwanted(run: Run): boolean {
		const { former, saved } = this;
		const isUnchanged = former.needsChanges && !saved.criteria?.needsChanges;
		return (
			mismatchOf(run, former) !== undefined || (isUnchanged && eventOf(run) === 'run_completed')
		);
	}

	/** @param end in milliseconds of the server's clock; 0 if the run doesn't show it */
	mark(runId: string, end: number): void {
		const { saved } = this;
		const mark = hashOf(runId);
		if (saved.seen[mark] === undefined) saved.unsaved++;
		saved.seen[mark] = end;
	}

	/** The start from which to list the runs of a robot, or of all robots; undefined if nothing is known. */
	listFrom(robotId?: string): number | undefined {
		const { active = Infinity, done } = this.saved;
		const times = robotId === undefined ? Object.values(done) : [done[robotId] ?? Infinity];
		const from = Math.min(active, ...times);
		return from > 0 && from < Infinity ? from : undefined;
	}

	/**
	 * Counts all runs that ended by a time as processed, and forgets their marks.
	 *
	 * @param unreadable the robots that this doesn't apply to
	 * @param active the earliest start of a run that still has to be listed; Infinity if there is none
	 */
	advance(time: number, unreadable: Set<string>, active: number): void {
		const { saved } = this;
		const all = saved.done[ALL_ROBOTS];
		if (all !== undefined) for (const robotId of unreadable) saved.done[robotId] ??= all;
		const read = Object.keys(saved.done).filter((robotId) => !unreadable.has(robotId));
		for (const robotId of read) saved.done[robotId] = Math.max(saved.done[robotId], time);
		saved.active = active === Infinity ? undefined : active;
		const earliest = Math.min(...read.map((robotId) => saved.done[robotId]));
		const kept = Object.entries(saved.seen).filter(([, end]) => end === 0 || end > earliest);
		saved.seen = Object.fromEntries(kept);
	}

	/** Stops watching robots that Maxun hasn't known for a day. Otherwise, each list would go back to their time. */
	leaveOut(missing: string[], now: number): void {
		const { done } = this.saved;
		for (const robotId of missing) if (now - done[robotId] > DAY) delete done[robotId];
	}

	private doneFor({ robotId }: Run): number {
		const { done } = this.saved;
		return done[robotId ?? ALL_ROBOTS] ?? done[ALL_ROBOTS] ?? Infinity;
	}
}

/** Identifies a server and team. */
export const serverOf = ({ baseUrl, teamId }: MaxunServer): string => `${baseUrl} ${teamId ?? ''}`;

/**
 * The cursor with which to continue: the one that this publication's polls have proposed, or the saved one if another
 * process has polled since.
 */
function latestOf(
	proposed: unknown,
	saved: unknown[],
	removedAt: number | undefined,
): Saved | undefined {
	const [own, ...others] = [proposed, ...saved].map((value) => Saved.safeParse(value).data);
	const stored = others.find((cursor) => cursor?.removedAt === removedAt) ?? others.find(Boolean);
	return own && (!stored || timeOf(own) >= timeOf(stored)) ? own : stored;
}

const timeOf = ({ done }: Saved): number =>
	Math.max(0, ...Object.values(done).filter((time) => time !== NOT_BEGUN));

/** Identifies a run in saved data, with 48 bits of a hash. */
const hashOf = (runId: string): string =>
	createHash('sha256').update(runId).digest('base64url').slice(0, 8);

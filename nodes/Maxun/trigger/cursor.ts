import { z } from 'zod';
import { hashOf } from '../http/hash';
import { DAY, HOUR } from '../http/time';
import type { Run } from '../servers/entities';
import { endOf, latestFirst, startOf } from '../servers/dates';
import type { MaxunServer } from '../servers/types';
import { Criteria, eventOf, mismatchOf, type RunCriteria } from './event';
import { stateOf, type MarkedRun } from './processedRuns';
import type { TriggerNode } from './triggerNode';

/** Represents all robots if none are selected. */
export const ALL_ROBOTS = '*';

/** For a robot whose runs haven't been listed since the watch on all robots began. */
const NOT_BEGUN = Number.MAX_SAFE_INTEGER;

const REPUBLISH_TIME = 72 * HOUR;

/** After how many runs n8n has to save the cursor. After a restart, its table must still remember these runs. */
const MOST_UNSAVED = 400;

/** Each default is a new object, because a cursor changes it. */
const ByRobot = z.record(z.string(), z.number());

const Saved = z.object({
	/** The server's URL and the team. If all robots are watched, `signature` also identifies the API key's account. */
	server: z.string(),
	signature: z.string().catch(''),
	/** By robot: the time up to which all ended runs are processed, in milliseconds, as the server's runs show it. */
	done: ByRobot,
	/** The ends of processed runs by their marks; 0 for runs without readable times. */
	seen: ByRobot.catch(() => ({})),
	/** By ID: the runs that were active at the previous poll. */
	open: z
		.record(z.string(), z.object({ robotId: z.string(), start: z.number() }))
		.catch(() => ({})),
	criteria: Criteria.optional().catch(undefined),
	/** By robot: the last run with data, which later runs are compared with. */
	baselines: z.record(z.string(), z.string()).catch(() => ({})),
	/** When the workflow was last unpublished before the publication that the cursor belongs to. */
	removedAt: z.number().optional().catch(undefined),
	unsaved: z.number().catch(0),
});
type Saved = z.output<typeof Saved>;

/** What a publication's polls have proposed, by n8n's copy of the static data, which n8n may drop with their items. */
const proposedCursors = new WeakMap<object, Saved>();

/** Which runs a trigger has processed. Compares runs only with each other, so a wrong clock does no harm. */
export class Cursor {
	private constructor(
		private readonly saved: Saved,
		private readonly former: Criteria,
	) {}

	/** A new cursor for another account, server or team, and after the workflow was unpublished for too long. */
	static load(trigger: TriggerNode, maxun: MaxunServer, settings: RunCriteria): Cursor {
		const criteria = Criteria.parse(settings);
		const { removedAt } = trigger.record();
		const server = serverOf(maxun);
		const own = { server, signature: maxun.sign(server).slice(0, 16) };
		const proposed = proposedCursors.get(trigger.publication());
		const known = latestOf(proposed, trigger.cursors(), removedAt);
		const isOther =
			known?.server !== server ||
			(settings.robotIds.length === 0 && known.signature !== own.signature);
		const isNews = removedAt !== undefined && removedAt !== known?.removedAt;
		const isOver = isNews && !trigger.isStart && Date.now() - removedAt > REPUBLISH_TIME;
		const saved = isOther || isOver ? undefined : known;
		const former = saved?.criteria ?? criteria;
		return new Cursor(Saved.parse({ done: {}, ...saved, ...own, criteria, removedAt }), former);
	}

	/** What n8n has stored, and whether a poll has begun this publication's watch. Webhooks may exist before. */
	static stored(trigger: TriggerNode) {
		const { removedAt } = trigger.record();
		const saved = latestOf(undefined, trigger.cursors().slice(-1), removedAt);
		const { done = {}, seen = {}, open = {}, baselines = {} } = saved ?? {};
		// For 42 minutes, Maxun repeats an event, also of a robot that can't be listed. Clocks may change by an hour.
		const unwatched = timeOf({ done }) - 2 * HOUR;
		return {
			hasBegun: saved !== undefined && saved.removedAt === removedAt,
			baselines,
			isProcessed: (run: Run) => contains({ done, seen, open }, run, unwatched),
		};
	}

	get baselines(): Readonly<Saved['baselines']> {
		return this.saved.baselines;
	}

	/** Later runs are compared with the latest of these runs. */
	compareWith(goodRuns: Run[]): void {
		for (const { id, robotId } of latestFirst(goodRuns).reverse())
			if (robotId) this.saved.baselines[robotId] = id;
	}

	copy(): Cursor {
		return new Cursor(structuredClone(this.saved), this.former);
	}

	get isOld(): boolean {
		return this.saved.unsaved >= MOST_UNSAVED;
	}

	/**
	 * @param before the cursor without this poll's runs, if the poll has items. If n8n drops the items or is killed before
	 * it has stored them, the next publication proposes these runs again
	 */
	save(trigger: TriggerNode, before?: Cursor): void {
		if (before) this.saved.unsaved -= before.saved.unsaved;
		const isBehind = before !== undefined && !this.isOld;
		if (before && !isBehind) this.saved.unsaved = 0;
		trigger.saveCursor(isBehind ? { ...before.saved, unsaved: 0 } : this.saved, this.saved);
		if (!trigger.hasDurableCursor()) proposedCursors.set(trigger.publication(), this.saved);
	}

	/** Continues the watch on a robot that was recorded again. */
	replace(formerId: string, robotId: string): void {
		const { done } = this.saved;
		if (done[formerId] !== undefined) done[robotId] ??= done[formerId];
	}

	/** Stops watching other robots. Times of all robots also apply to each of them. */
	watchOnly(robotIds: string[]): void {
		const { done } = this.saved;
		const all = done[ALL_ROBOTS];
		const selected = robotIds.length > 0 ? robotIds : [...Object.keys(done), ALL_ROBOTS];
		const times = selected.flatMap((id) => {
			const time = done[id] ?? all;
			return time === undefined ? [] : [[id, time] as const];
		});
		this.saved.done = Object.fromEntries(times);
		const isSelected = ({ robotId }: { robotId: string }) =>
			robotIds.length === 0 || robotIds.includes(robotId);
		const open = Object.entries(this.saved.open).filter(([, run]) => isSelected(run));
		this.saved.open = Object.fromEntries(open);
	}

	/** Whether the watch on a robot has begun, which may be one of all robots. */
	isWatched(robotId: string): boolean {
		const { done } = this.saved;
		return (done[robotId] ?? done[ALL_ROBOTS] ?? NOT_BEGUN) !== NOT_BEGUN;
	}

	/** The watch on a robot that can't be listed now begins when it can be listed. */
	watch(robotIds: string[], time: number, unreadable: Set<string>): void {
		const { done } = this.saved;
		const begins = robotIds.includes(ALL_ROBOTS) && !this.isWatched(ALL_ROBOTS);
		if (begins) for (const robotId of unreadable) done[robotId] = NOT_BEGUN;
		for (const robotId of [...robotIds, ...Object.keys(done)]) {
			if (!unreadable.has(robotId) && !this.isWatched(robotId)) done[robotId] = time;
		}
	}

	isProcessed(run: Run): boolean {
		return contains(this.saved, run, Infinity);
	}

	/** Whether the run may not have matched the previous criteria. n8n doesn't save the cursor for runs without changes. */
	missedFormerCriteria(run: Run): boolean {
		const { former, saved } = this;
		const isUnchanged = former.needsChanges && !saved.criteria?.needsChanges;
		return (
			mismatchOf(run, former) !== undefined || (isUnchanged && eventOf(run) === 'run_completed')
		);
	}

	mark(run: MarkedRun): void {
		const { saved } = this;
		const mark = digest(stateOf(run));
		if (saved.seen[mark] === undefined) saved.unsaved++;
		saved.seen[mark] = run.end;
		delete saved.open[run.id];
	}

	/** The runs of these robots that were active at the previous poll. */
	open(robotIds: string[]): Array<{ id: string; robotId: string; start: number }> {
		const isOf = ({ robotId }: { robotId: string }) =>
			robotIds.includes(robotId) || robotIds.includes(ALL_ROBOTS);
		const runs = Object.entries(this.saved.open).map(([id, run]) => ({ id, ...run }));
		return runs.filter(isOf);
	}

	keepOpen(active: Run[], gone: string[]): void {
		const { open } = this.saved;
		for (const run of active) {
			open[run.id] = { robotId: run.robotId ?? '', start: startOf(run) ?? 0 };
		}
		for (const id of gone) delete open[id];
	}

	/** The earliest start of a run that may be new. A run that has been active for more than a day is read by its ID. */
	listFrom(robotId?: string): number {
		const { done } = this.saved;
		const robotIds = robotId === undefined ? Object.keys(done) : [robotId];
		const time = Math.min(...robotIds.map((id) => done[id] ?? Infinity));
		const starts = this.open(robotIds).map(({ start }) => start);
		return Math.min(time, ...starts.filter((start) => start > time - DAY));
	}

	/** Counts runs that ended by a time as processed, except for unreadable robots. */
	advance(time: number, unreadable: Set<string>): void {
		const { saved } = this;
		const all = saved.done[ALL_ROBOTS];
		if (all !== undefined) for (const robotId of unreadable) saved.done[robotId] ??= all;
		const read = Object.keys(saved.done).filter((robotId) => !unreadable.has(robotId));
		for (const robotId of read) saved.done[robotId] = Math.max(saved.done[robotId], time);
		// Otherwise, an unreadable robot's old runs would look new. After a day, it counts as gone.
		const earliest = Math.max(Math.min(...Object.values(saved.done)), time - DAY);
		const kept = Object.entries(saved.seen).filter(([, end]) => end === 0 || end > earliest);
		saved.seen = Object.fromEntries(kept);
	}

	/** Leaves out missing robots. Otherwise, each list would go back to their times. */
	leaveOut(missing: string[], latest: number): void {
		const { done } = this.saved;
		for (const robotId of missing) if (latest - done[robotId] > DAY) delete done[robotId];
	}
}

/** Whether a run is processed. @param unwatched the time that applies to a robot that isn't watched */
function contains(
	{ done, seen, open }: Pick<Saved, 'done' | 'seen' | 'open'>,
	run: Run,
	unwatched: number,
) {
	const time = done[run.robotId ?? ALL_ROBOTS] ?? done[ALL_ROBOTS] ?? unwatched;
	const isOld = (endOf(run) ?? Infinity) <= time && open[run.id] === undefined;
	return isOld || seen[digest(stateOf(run))] !== undefined;
}

export const serverOf = ({ baseUrl, teamId }: MaxunServer): string => `${baseUrl} ${teamId ?? ''}`;

/** What this publication's polls have proposed, or what n8n has saved if another process has polled since. */
function latestOf(
	proposed: unknown,
	saved: unknown[],
	removedAt: number | undefined,
): Saved | undefined {
	const [own, ...others] = [proposed, ...saved].map((value) => Saved.safeParse(value).data);
	const stored = others.find((cursor) => cursor?.removedAt === removedAt) ?? others.find(Boolean);
	return own && (!stored || timeOf(own) >= timeOf(stored)) ? own : stored;
}

const timeOf = ({ done }: Pick<Saved, 'done'>): number =>
	Math.max(0, ...Object.values(done).filter((time) => time !== NOT_BEGUN));

const digest = (state: string): string => hashOf(state, 8, 'base64url');

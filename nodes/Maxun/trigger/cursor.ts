import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { recover } from '../http/fault';
import { isObject } from '../http/values';
import { isPollCursor } from '../n8n/internals';
import type { Run } from '../servers/entities';
import { endOf } from '../servers/runEnd';
import type { MaxunServer } from '../servers/types';
import { mismatchOf, type RunCriteria } from './event';
import type { TriggerNode } from './triggerNode';

/** Represents all robots if none are selected. */
export const ALL_ROBOTS = '*';

/** Maximum number of marks: one run per second of the longest time for which a server's list counts as incomplete. */
const MAX_MARKS = 12_600;

/** Criteria, without the robots. */
type Criteria = Omit<RunCriteria, 'robotIds'>;

const Saved = z.object({
	/** The account that the times and runs belong to, and a signature with its key. */
	account: z.string(),
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

	/** The saved cursor of the account; new if there is none. */
	static async load(trigger: TriggerNode, maxun: MaxunServer, criteria: Criteria): Promise<Cursor> {
		const text = JSON.stringify(criteria);
		const saved = Saved.safeParse(readSaved(trigger)).data;
		const place = `${maxun.baseUrl} ${maxun.teamId ?? ''}`;
		const signature = maxun.sign(place).slice(0, 16);
		const account =
			saved?.signature === signature ? saved.account : await accountOf(maxun, place, signature);
		if (saved?.account !== account) {
			return new Cursor({ account, signature, done: {}, seen: {}, criteria: text }, criteria);
		}
		const former: Criteria = JSON.parse(saved.criteria);
		return new Cursor({ ...saved, signature, criteria: text }, former);
	}

	get account(): string {
		return this.saved.account;
	}

	save(trigger: TriggerNode): void {
		const data = trigger.nodeData();
		const values: IDataObject = { ...this.saved };
		if (isPollCursor(data)) Object.assign(data, values);
		else setIfChanged(trigger.workflowData(), keyOf(trigger), values);
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
		return this.saved.done[robotId] !== undefined;
	}

	/** Begins to watch a robot. Its listed runs count as processed. */
	watch(robotId: string, now: number, ended: Run[]): void {
		this.saved.done[robotId] = now;
		for (const run of ended) {
			const end = endOf(run);
			if (end === undefined || end > now) this.mark(run);
		}
	}

	/** Whether nothing is left to do for a run. */
	isProcessed(run: Run): boolean {
		const { seen } = this.saved;
		return seen[markOf(run.id)] !== undefined || (endOf(run) ?? Infinity) <= this.doneFor(run);
	}

	/** Whether the run may have ended before the current criteria were selected, and didn't match the former ones. */
	wasUnwanted(run: Run): boolean {
		return mismatchOf(run, { ...this.former, robotIds: [] }) !== undefined;
	}

	mark({ id, ...run }: Run): void {
		this.saved.seen[markOf(id)] = endOf({ id, ...run }) ?? 0;
	}

	/** Where to begin to list runs, by their start; undefined if nothing is known. */
	get listFrom(): number | undefined {
		const { active = Infinity, done } = this.saved;
		const from = Math.min(active, ...Object.values(done));
		return from > 0 && from < Infinity ? from : undefined;
	}

	/**
	 * Marks all runs of robots as processed that ended by a time, and forgets their marks.
	 *
	 * @param active the earliest start of a run that still has to be listed; Infinity if there is none
	 */
	advance(robotIds: string[], time: number, active: number): void {
		const { saved } = this;
		for (const robotId of robotIds) {
			saved.done[robotId] = Math.max(saved.done[robotId] ?? 0, time);
		}
		saved.active = active === Infinity ? undefined : active;
		const earliest = Math.min(...Object.values(saved.done));
		const kept = Object.entries(saved.seen).filter(([, end]) => end === 0 || end > earliest);
		saved.seen = Object.fromEntries(kept.slice(-MAX_MARKS));
	}

	private doneFor({ robotId }: Run): number {
		const { done } = this.saved;
		return done[robotId ?? ALL_ROBOTS] ?? done[ALL_ROBOTS] ?? 0;
	}
}

/** Which account this is. A new key of the same account changes nothing, as far as the server tells who it belongs to. */
async function accountOf(maxun: MaxunServer, place: string, signature: string): Promise<string> {
	const account =
		maxun.account && (await recover(maxun.account.get(), { missingRoute: () => undefined }));
	const owner = typeof account?.email === 'string' ? account.email : signature;
	// n8n's API shows saved data.
	return createHash('sha256').update(`${place} ${owner}`).digest('base64url');
}

/** The data of this node as n8n passes it, without the hidden field that n8n adds. */
function readSaved(trigger: TriggerNode): unknown {
	const data = trigger.nodeData();
	const byId = trigger.workflowData()[keyOf(trigger)];
	const saved = isPollCursor(data) && 'account' in data ? data : byId;
	return isObject(saved) ? JSON.parse(JSON.stringify(saved)) : undefined;
}

/** The ID of the node, because n8n looks for a node's own data under its name. */
const keyOf = ({ node }: TriggerNode) => `maxun:${node.id}`;

function setIfChanged(data: IDataObject, key: string, values: IDataObject): void {
	if (JSON.stringify(data[key]) !== JSON.stringify(values)) data[key] = values;
}

/** Identifies a run in saved data, with 48 bits of a hash. */
const markOf = (runId: string): string =>
	createHash('sha256').update(runId).digest('base64url').slice(0, 8);

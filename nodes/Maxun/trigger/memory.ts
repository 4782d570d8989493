import type { MaxunFault } from '../http/fault';
import { MINUTE } from '../http/time';
import type { Repaired } from '../runs/types';
import type { Run } from '../servers/entities';
import type { EndedRuns, MaxunServer } from '../servers/types';

/** Listed runs, with those that aren't processed, earliest end first. */
export type Backlog = EndedRuns & { missed: Run[] };

/**
 * How often to look for what events don't show, in milliseconds: runs with lost events, and changes to robots. Less than
 * an hour, because hourly polls may begin a little early.
 */
export const LOOK_INTERVAL = 55 * MINUTE;

/** A repair of a page's robot. Without it, each check would read the page again. */
export interface PageRepair {
	/** The columns without values. */
	lost: string[];
	/** When the repair ended, in milliseconds of the server's clock; undefined while the page is read. */
	endedAt?: number;
	/** What has changed. */
	repaired?: Repaired;
	/** The first run afterwards that has the values. */
	firstRunId?: string;
}

/**
 * What a process remembers about a published trigger. It only saves requests, executions without items, and lines in
 * the log. Restarting n8n clears it, and so does unpublishing the workflow, apart from `started`.
 */
export interface TriggerMemory {
	/** n8n's copy of the static data. */
	publication?: object;
	isPublished: boolean;
	isPolling: boolean;
	/** When `poll` last looked for runs, in milliseconds of n8n's clock; undefined before the first poll. */
	lookedAt?: number;
	/** When the robots were last checked, in milliseconds of n8n's clock. */
	checkedAt?: number;
	/** Whether polls have to continue with the webhooks. */
	hasOpenWebhooks: boolean;
	/**
	 * Whether an event has arrived, so that Maxun reaches the trigger. A self-hosted server can't send a sample event.
	 */
	isRung: boolean;
	/**
	 * The runs that have started the workflow since then, and when they ended, so that the next poll doesn't propose them
	 * again.
	 */
	started: Map<string, number>;
	/**
	 * A list that takes longer than a poll, or has more runs than a poll can read. Without it, each poll would start the
	 * list from the beginning.
	 */
	list?: { backlog: Promise<Backlog>; identity: string; completedAt?: number };
	/** How many runs the previous poll has left. */
	left: number;
	/** When runs could first not be read. After a restart, the trigger retries for another 30 minutes. */
	failures: Map<string, number>;
	/** The latest repair of the page's robot. */
	repair?: PageRepair;
	/** Why a page could not be read for its examples, and when. Without it, each poll would start a run. */
	unread?: { fault: MaxunFault; at: number };
	/** The latest connection. n8n takes 75 ms of CPU time to resolve a credential. */
	connection?: { maxun: Promise<MaxunServer>; at: number };
	/** What was last logged about each subject. */
	told: Map<string, string>;
}

const memories = new Map<string, TriggerMemory>();

/** What a trigger remembers. @param key identifies the trigger within this process */
export function memoryOf(key: string): TriggerMemory {
	const memory: TriggerMemory = memories.get(key) ?? {
		isPublished: false,
		isPolling: false,
		hasOpenWebhooks: true,
		isRung: false,
		started: new Map(),
		left: 0,
		failures: new Map(),
		told: new Map(),
	};
	memories.set(key, memory);
	return memory;
}

/** Publications that have ended. n8n 1 continues to poll until `delete` has ended. */
const ended = new WeakSet<object>();

/** Begins a publication. n8n 2 also calls `delete` between two attempts to publish. */
export function begin({ memory, publication }: Remembering): void {
	ended.delete(publication());
	memory.isPublished = true;
	memory.unread = undefined;
	// A poll of the former publication may still tell something.
	memory.told.clear();
}

/** The memory of a poll's publication; undefined if the publication has ended. */
export const memoryOfPoll = ({ memory, publication }: Remembering): TriggerMemory | undefined =>
	ended.has(publication()) ? undefined : Object.assign(memory, { publication: publication() });

/** Ends a publication. The next one must not propose the runs that have just started the workflow. */
export function forget({ key, memory: { publication, started } }: Remembering): void {
	if (publication) ended.add(publication);
	memories.delete(key);
	if (started.size > 0) memoryOf(key).started = started;
}

/** A trigger with its memory, and n8n's copy of the static data. */
interface Remembering {
	key: string;
	memory: TriggerMemory;
	publication(): object;
}

/** Whether a time is long enough ago to look again. */
export const isDueSince = (time = -Infinity): boolean =>
	Math.abs(Date.now() - time) >= LOOK_INTERVAL;

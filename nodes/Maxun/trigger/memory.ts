import { MINUTE } from '../http/time';
import type { Run } from '../servers/entities';
import type { EndedRuns, MaxunServer } from '../servers/types';
import { Deliveries } from './deliveries';
import type { MarkedRun } from './processedRuns';

/** Listed runs, with the unprocessed runs, earliest end first, and the IDs of active runs that are deleted. */
export type Backlog = EndedRuns & { missed: Run[]; gone: string[] };

/** How often to look for what events don't show, in milliseconds. Hourly polls may begin a little early. */
const LOOK_INTERVAL = 55 * MINUTE;

/** How long polls continue with an earlier list and try to read a run. Polls may be a day apart. */
export const REST_TIME = 30 * MINUTE;

/**
 * What a process remembers about a published trigger, to save requests, empty executions and log lines.
 * Unpublishing the workflow clears it, apart from what `forget` keeps. All times are n8n's, in milliseconds.
 */
export class TriggerMemory {
	/** n8n's copy of the static data. */
	publication?: object;
	isPublished = false;
	isPolling = false;
	/** When `poll` last looked for runs; undefined before the first poll. */
	lookedAt?: number;
	/** When a search for runs that no event announces was last requested. Earlier polls and first polls don't count. */
	requestedLook?: object;
	checkedAt?: number;
	hasOpenWebhooks = true;
	/** Whether an event has arrived. A self-hosted server can't send a sample event. */
	hasReceivedEvent = false;
	/** The runs that have started the workflow since then, or were ignored. */
	started = new Map<string, MarkedRun>();
	/** A list that takes longer than a poll, or has more runs than a poll can read. */
	list?: { backlog: Promise<Backlog>; identity: string; completedAt?: number };
	left = 0;
	/** When runs could first not be read, or had no data. */
	readonly failures = new Map<string, number>();
	/** Whether n8n has not stored a watch that a poll has begun. Otherwise, nothing is saved until a poll has items. */
	isUnsaved = false;
	/** The latest connection. n8n takes 75 ms of CPU time to resolve a credential. */
	connection?: { maxun: Promise<MaxunServer>; at: number };
	readonly deliveries = new Deliveries();
	readonly told = new Map<string, string>();
	/** When a delivery was last mentioned in the log. */
	deliveryToldAt?: number;
}

const memories = new Map<string, TriggerMemory>();

export function memoryOf(key: string): TriggerMemory {
	const memory = memories.get(key) ?? new TriggerMemory();
	memories.set(key, memory);
	return memory;
}

/** When publications ended. n8n 1 continues to poll until `delete` has ended, which may come after the next `create`. */
const ended = new WeakMap<object, number>();

/** Begins a publication. n8n 2 also calls `delete` between two attempts to publish. */
export function begin({ memory, publication }: Remembering): void {
	ended.delete(publication());
	memory.isPublished = true;
	memory.publication = publication();
	// Another publication that begins at the same time shares the memory, but may have other settings.
	memory.checkedAt = undefined;
	// A poll of the former publication may still report something.
	memory.told.clear();
}

export const memoryOfPoll = ({ memory, publication }: Remembering): TriggerMemory | undefined =>
	isDueSince(ended.get(publication()))
		? Object.assign(memory, { publication: publication() })
		: undefined;

/** Ends a publication. The next publication must not propose the runs that have just started the workflow. */
export function forget({ key, memory: { publication, started, lookedAt } }: Remembering): void {
	if (publication) ended.set(publication, Date.now());
	memories.delete(key);
	if (started.size > 0) memoryOf(key).started = started;
	// If n8n tries to publish again, its first poll may be over. n8n then doesn't store a watch that the next poll begins.
	if (lookedAt === undefined) memoryOf(key).isUnsaved = true;
}

interface Remembering {
	key: string;
	memory: TriggerMemory;
	publication(): object;
}

export function requestLook(memory: TriggerMemory): void {
	memory.requestedLook = {};
}

/** Whether a poll has to look for runs, although webhooks report them. */
export function mustLook(memory: TriggerMemory): boolean {
	const { list, failures, isUnsaved, requestedLook, lookedAt } = memory;
	const hasRest = list !== undefined || failures.size > 0 || isUnsaved;
	return hasRest || requestedLook !== undefined || isDueSince(lookedAt);
}

export const isDueSince = (time = -Infinity): boolean =>
	Math.abs(Date.now() - time) >= LOOK_INTERVAL;

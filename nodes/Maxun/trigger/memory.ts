import type { IDataObject } from 'n8n-workflow';
import { inTurn } from '../http/concurrency';
import { HOUR } from '../http/time';
import type { RobotFault } from '../servers/eachRobot';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import type { Cursor } from './cursor';
import type { TriggerNode } from './triggerNode';

/** Runs that have ended and aren't processed. */
export interface Backlog {
	/** Earliest end first. */
	missed: Run[];
	/** Begins to watch new robots. */
	begin(cursor: Cursor): void;
	/** Updates the cursor once the processed runs are marked, so that they aren't listed again. */
	commit(cursor: Cursor): void;
}

/** How often to look for what events don't show, in milliseconds: runs with lost events, and robots' names. */
export const LOOK_INTERVAL = HOUR;

/**
 * What a process remembers about a published trigger. It only saves requests, executions without items, and lines in
 * the log. Unpublishing the workflow or restarting n8n clears it.
 */
export interface TriggerMemory {
	isPolling: boolean;
	/** When `poll` last looked for runs, in milliseconds of n8n's clock; undefined before the first poll. */
	lookedAt?: number;
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
	/** When runs could first not be read. After a restart, the trigger retries for another 30 minutes. */
	failures: Map<string, number>;
	/** The latest cursor. n8n saves it only with items, so the hook that removes the trigger saves it, too. */
	cursor?: IDataObject;
	/** The ID of the page's robot, as soon as it exists. Without this, each poll would look for the robot. */
	page?: Promise<string>;
	/** When robots' names were last looked up, and the names without ID. Without this, each poll would look them up. */
	namesAt?: number;
	unknown: RobotFault[];
	/** The latest connection. n8n takes 75 ms of CPU time to resolve a credential. */
	connection?: { maxun: Promise<MaxunServer>; at: number };
	/** The robots that were last logged as unreadable, so that they aren't logged again. */
	reported: string;
	/** The robot with the webhook for a test in the editor. */
	testedRobot?: string;
}

const memories = new Map<string, TriggerMemory>();

export function memoryOf({ key }: Pick<TriggerNode, 'key'>): TriggerMemory {
	const memory: TriggerMemory = memories.get(key) ?? {
		isPolling: false,
		isRung: false,
		started: new Map(),
		failures: new Map(),
		unknown: [],
		reported: '',
	};
	memories.set(key, memory);
	return memory;
}

export const forget = ({ key }: Pick<TriggerNode, 'key'>): boolean => memories.delete(key);

/** Changes a trigger's webhooks after all earlier changes, because two at the same time could leave one webhook too many. */
export const changeHooks = async <T>(
	{ key }: Pick<TriggerNode, 'key'>,
	change: () => Promise<T>,
): Promise<T> => await inTurn(`hooks of ${key}`, change);

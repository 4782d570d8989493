import type { IDataObject } from 'n8n-workflow';
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
	/** Updates the cursor after the processed runs are marked, so that they aren't listed again. */
	commit(cursor: Cursor): void;
}

/** How often to look for what no event shows, in milliseconds: runs whose events are lost, and the names of robots. */
export const LOOK_INTERVAL = HOUR;

/**
 * What a process remembers of a published trigger. It only saves requests, executions without items, and lines in the log.
 * Unpublishing the workflow or restarting n8n forgets it.
 */
export interface Memory {
	isPolling: boolean;
	/** When `poll` last looked for runs, in milliseconds by n8n's clock; undefined before the first poll. */
	lookedAt?: number;
	/** Whether an event has arrived, so that Maxun reaches the trigger. A self-hosted server can't send a sample event. */
	isRung: boolean;
	/** The runs that have started the workflow since then, and their ends, so that the next poll doesn't propose them again. */
	started: Map<string, number>;
	/**
	 * A list that takes longer than a poll, or has more runs than a poll can read. Without it, each poll would begin it
	 * again.
	 */
	list?: { backlog: Promise<Backlog>; identity: string; completedAt?: number };
	/** When runs could first not be read. After a restart, the trigger tries to read them for another 30 minutes. */
	failures: Map<string, number>;
	/** The latest cursor. n8n only saves it with items, so the hook that removes the trigger saves it, too. */
	cursor?: IDataObject;
	/** The ID of the page's robot, as soon as it exists. Without it, each poll would look for it. */
	page?: Promise<string>;
	/** When names of robots were last looked up, and those without ID. Without it, each poll would look them up. */
	namesAt?: number;
	unknown: RobotFault[];
	/** The latest connection. n8n takes 75 ms of CPU time to resolve a credential. */
	connection?: { maxun: Promise<MaxunServer>; at: number };
	/** The robots that were last logged as unreadable. Without them, the log would repeat them. */
	reported: string;
	/** The robot that has the webhook of a test in the editor. */
	testedRobot?: string;
}

const memories = new Map<string, Memory>();

export function memoryOf({ key }: Pick<TriggerNode, 'key'>): Memory {
	const memory: Memory = memories.get(key) ?? {
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

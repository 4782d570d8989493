import type { IDataObject } from 'n8n-workflow';
import type { MaxunFault } from '../http/fault';
import type { RunOutput, RunReader } from '../results/types';
import type { ReadList } from '../servers/definition';
import type { Run } from '../servers/entities';

export interface RunContext extends RunReader {
	readonly concurrency: number;
	readonly isLastAttempt: boolean;
	/** When a tool returns without its result, in epoch milliseconds; undefined if it waits. */
	readonly returnAt?: number;
	readonly accountKey: string;
	/** The robots of the execution that may be repaired, by ID. */
	readonly repairs: Map<string, Repair>;
	/** The temporary robot that an earlier call created for this run. */
	readonly robot?: TemporaryRobot;
	/** Notes a temporary robot as soon as it exists, so that it is deleted even if something fails. */
	onCreated(robot: TemporaryRobot): void;
	onNamed(kind: TemporaryRobot['kind'], name: string): void;
	onLeftover(reason: string): void;
}

/** A robot whose selectors may be repaired, and what the repair has changed. Its runs in an execution share both. */
export interface Repair {
	robot: Promise<{ url?: string; lists: ReadList[] } | undefined>;
	result?: Promise<string | undefined>;
}

export interface TemporaryRobot {
	kind: 'robot' | 'agent';
	robotId: string;
}

export interface StartedRun {
	runId: string;
	robotId: string;
	/** When Maxun confirmed the start, in epoch milliseconds. */
	startedAt: number;
	/** Set if the robot exists only for this run and is deleted afterwards. */
	temporary?: TemporaryRobot['kind'];
	/** Set if the robot was created for this run and is kept. */
	kept?: TemporaryRobot['kind'];
	duplicateOf?: string;
	/** The file that a temporary robot reads. */
	fileName?: string;
	/** Fields added before those of each item. */
	fields?: IDataObject;
	response?: IDataObject;
	/** What a repair has changed after an earlier run. */
	repaired?: string;
}

export interface WaitSettings extends RunOutput {
	/** Minutes. */
	timeoutMinutes: number;
	onTimeout: 'error' | 'return';
	/** Whether to cancel a run that doesn't end in time. */
	cancelOnTimeout?: boolean;
	robotId?: string;
	/** Whether a test in the editor returns the robot's last data instead of starting a run. */
	useLastRun?: boolean;
	/** Whether to skip the page if the node has read it before, or to forget all pages first. */
	skipRead?: 'skip' | 'startOver';
	/** Whether to find lost values again, and to change the robot's selectors. */
	repairSelectors?: boolean;
	/** Days until such a page is read again. */
	readAgainAfter?: number;
	/** Whether the run reads one of many similar pages, which limit each other's time. */
	isOneOfPages?: boolean;
	origin?: IDataObject;
	/** Maximum number of the execution's simultaneous runs, if limited. */
	maxRuns?: number;
	/** The same limit on a server that queues runs. */
	maxQueued?: number;
	/** Seconds before each start on a server that needs a break between runs. */
	delayBeforeStart: number;
}

export interface PendingRun extends StartedRun {
	context: RunContext;
	settings: WaitSettings;
	timeoutAt: number;
	/** Milliseconds for a page, if the robot's other pages needed much less than the timeout. */
	pageLimit?: number;
}

/** Why the execution stops waiting for a run. */
export type WaitEnd =
	| { ended: Run }
	/** The status of a run that was read after its timeout and hadn't ended. */
	| { timedOut: string }
	/** The status of a run for which a tool doesn't wait any longer. */
	| { early: string }
	| { fault: MaxunFault };

import type { IDataObject } from 'n8n-workflow';
import type { MaxunFault } from '../http/fault';
import type { RunOutput, RunReader } from '../results/types';
import type { ReadList } from '../servers/definition';
import type { Run } from '../servers/entities';

/** What is needed to read a page with a temporary robot. */
export interface PageContext extends Pick<RunReader, 'maxun' | 'hint'> {
	readonly concurrency: number;
	readonly accountKey: string;
	/** In epoch milliseconds; undefined if a tool waits for its result. */
	readonly returnAt?: number;
	/** Created for this run by an earlier call. */
	readonly robot?: TemporaryRobot;
	/** Called as soon as the robot exists, so that it is deleted even if something fails. */
	onCreated?(robot: TemporaryRobot): void;
	onNamed?(kind: TemporaryRobot['kind'], name: string): void;
	onLeftover(reason: string): void;
}

export interface RunContext extends RunReader, PageContext {
	readonly isLastAttempt: boolean;
	/** By robot ID. */
	readonly repairs: Map<string, Repair>;
}

/** The runs of a robot in an execution share it. */
export interface Repair {
	robot: Promise<{ url?: string; lists: ReadList[] }>;
	result?: Promise<Repaired | undefined>;
	/** Set if the repair was no help. */
	undone?: Promise<void>;
}

/** What a repair has changed, and the last run before it that has the values. */
export interface Repaired {
	changes: string;
	goodRunId: string;
	/** With the columns that had no values before. */
	lists: Array<{ before: ReadList; after: ReadList; empty: string[] }>;
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
	/** The robot exists only for this run. */
	temporary?: TemporaryRobot['kind'];
	/** The robot was created for this run and stays. */
	kept?: TemporaryRobot['kind'];
	duplicateOf?: string;
	fileName?: string;
	fields?: IDataObject;
	response?: IDataObject;
	/** By a repair, after an earlier run. */
	repaired?: Repaired;
}

export interface WaitSettings extends RunOutput {
	timeoutMinutes: number;
	onTimeout: 'error' | 'return';
	cancelOnTimeout?: boolean;
	robotId?: string;
	/** A test in the editor returns the robot's last data instead. */
	useLastRun?: boolean;
	/** Skips pages that the node has read before, or forgets all pages first. */
	skipRead?: 'skip' | 'startOver';
	repairSelectors?: boolean;
	/** Days. */
	readAgainAfter?: number;
	/** Many similar pages limit each other's time. */
	isOneOfPages?: boolean;
	origin?: IDataObject;
	maxRuns?: number;
	/** The same limit on a server that queues runs. */
	maxQueued?: number;
	/** Seconds. */
	delayBeforeStart: number;
}

export interface PendingRun extends StartedRun {
	context: RunContext;
	settings: WaitSettings;
	timeoutAt: number;
	/** Milliseconds; set if the robot's other pages needed much less than the timeout. */
	pageLimit?: number;
}

export type WaitEnd =
	| { ended: Run }
	/** Its status after its timeout. */
	| { timedOut: string }
	/** Its status when a tool stops waiting. */
	| { early: string }
	| { fault: MaxunFault };

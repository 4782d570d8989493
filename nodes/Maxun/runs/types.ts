import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { MaxunFault } from '../http/fault';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';

export type Item = Pick<INodeExecutionData, 'json' | 'binary'>;

/** What to return for a run. */
export type Output = 'simplified' | 'rows' | 'raw' | 'fields' | 'documents';

/** What to return for a run, and which of its fields if only `fields` are returned. */
export interface RunOutput {
	output: Output;
	fields?: string[];
	downloadScreenshots: boolean;
}

/** What an execution reports besides its items. */
export interface Notices {
	/** Shows a hint next to the output. */
	hint(message: string): void;
	/** Names what the execution could not remove from Maxun: in a hint, in its error, or in n8n's log. */
	remains(message: string): void;
}

/** What is needed to read a run. */
export interface RunReader extends Notices {
	readonly maxun: MaxunServer;
	/** Names the page of a run without data, in one hint for all such pages. */
	noData(url: string): void;
	/** Stores data as an n8n file. */
	toBinary(data: Buffer, name: string): Promise<IBinaryData>;
}

/** What is needed to start runs and wait for them. */
export interface RunContext extends RunReader {
	/** Maximum number of simultaneous requests. */
	readonly concurrency: number;
	/** The temporary copies of robots that have no run at the moment. */
	readonly copies: FreeCopies;
	readonly owner: RobotOwner;
	/** Notes what remains in Maxun although the item names it, because n8n drops the items of a node that fails. */
	leaves(message: string): void;
}

/** The execution that temporary robots belong to. */
export interface RobotOwner {
	/** A unique name for a temporary robot of this execution. */
	nameOf(what: string): string;
	/** Deletes temporary robots of executions that n8n could not finish. Never throws a fault. */
	deleteAbandoned(context: RunContext): Promise<void>;
}

/** Temporary copies of robots, which run on one page after another. */
export interface FreeCopies {
	/** Keeps the copy of an ended run for the next page. @returns false if it should not be used again */
	keep(run: PendingRun): boolean;
	/** The ID of a copy of a robot, which then belongs to the caller; undefined if there is none. */
	take(robotId: string, teamId: string | undefined): string | undefined;
}

/** A run that an operation has started. */
export interface StartedRun {
	runId: string;
	robotId: string;
	/** Set if the robot exists only for this run and is deleted afterwards. */
	temporary?: 'robot' | 'agent';
	/** The robot of which `robotId` is a temporary copy, which can run on another page afterwards. */
	duplicateOf?: string;
	/** Fields added before those of each item. */
	fields?: IDataObject;
	/** The response to the start. */
	response?: IDataObject;
	/** The run with its data, if it ended before the server responded. */
	ended?: Run;
}

/** How to wait for a run, and what to return for it. */
export interface WaitSettings extends RunOutput {
	/** Minutes. */
	waitFor: number;
	onTimeout: 'error' | 'return';
	/** Whether to cancel a run that doesn't finish in time. */
	cancelOnTimeout?: boolean;
	/** What to do if the run fails. Skipping also applies to a run that doesn't finish in time. */
	onFailure: 'error' | 'return' | 'skip';
}

/** A started run that the execution waits for. */
export interface PendingRun extends StartedRun {
	itemIndex: number;
	context: RunContext;
	settings: WaitSettings;
	/** When it was started, in epoch milliseconds. */
	since: number;
	/**
	 * When Maxun confirmed the start, in epoch milliseconds; undefined after a pause. `since` can be minutes earlier,
	 * because Maxun may have built an agent first.
	 */
	confirmedAt?: number;
	/** Set when the node has cancelled it, because its time was up. */
	isCancelled?: boolean;
	/** Set when its temporary robot could not be deleted. */
	remainder?: Remainder;
}

/** A temporary robot that could not be deleted, and why. */
export interface Remainder {
	kind: 'robot' | 'agent';
	robotId: string;
	reason: string;
	/** Whether its known run was cancelled. Otherwise it may continue. */
	isRunCancelled: boolean;
}

/** The ended run, its last status when the time was up, or why it could not be read. */
export type Outcome =
	| { ended: Run }
	| { lastStatus: string; unreachable?: MaxunFault }
	| { fault: MaxunFault };

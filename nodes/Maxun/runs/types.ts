import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { MaxunFault } from '../http/fault';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';
import type { Output, OutputSettings } from './outputForms';

export type Item = Pick<INodeExecutionData, 'json' | 'binary'>;

/** What to return for a run. */
export interface RunOutput extends OutputSettings {
	output: Output;
	downloadScreenshots: boolean;
}

/** What is needed to read a run. */
export interface RunReader {
	readonly maxun: MaxunServer;
	/** Shows a hint next to the output. */
	hint(message: string): void;
	/** Stores data as an n8n file. */
	toBinary(data: Buffer, name: string): Promise<IBinaryData>;
}

/** What is needed to start runs and wait for them. */
export interface RunContext extends RunReader {
	/** Maximum number of requests at the same time. */
	readonly concurrency: number;
	/** Whether another attempt of the node waits for a run again if this one can't return its result. */
	readonly isRetried: boolean;
	/** When a tool returns without its result, in epoch milliseconds; undefined if it waits. */
	readonly returnAt?: number;
	/** Identifies the account in Maxun. */
	readonly account: string;
	/** The temporary robot that an earlier call has created for this run. */
	readonly robot?: TemporaryRobot;
	/** Notes a temporary robot as soon as it exists, so that it is deleted whatever happens next. */
	onCreated(robot: TemporaryRobot): void;
	/** Notes a temporary robot that could not be deleted, for a hint or the node's error. */
	onLeftover(leftover: Leftover): void;
}

/** A robot that exists only for one run. */
export interface TemporaryRobot {
	kind: 'robot' | 'agent';
	robotId: string;
}

/** A temporary robot that could not be deleted, and why. */
export interface Leftover {
	robotId: string;
	reason: string;
}

/** A run that an operation has started. */
export interface StartedRun {
	runId: string;
	robotId: string;
	/** When Maxun confirmed the start, in epoch milliseconds. */
	startedAt: number;
	/** Set if the robot exists only for this run and is deleted afterwards. */
	temporary?: TemporaryRobot['kind'];
	/** The robot of which `robotId` is a temporary copy. */
	duplicateOf?: string;
	/** Fields added before those of each item. */
	fields?: IDataObject;
	/** The response to the start. */
	response?: IDataObject;
	/** When the time of the run begins, in epoch milliseconds, if that is later than the first attempt: an agent was built. */
	since?: number;
}

/** How to wait for a run, and what to return for it. */
export interface WaitSettings extends RunOutput {
	/** Minutes. */
	waitFor: number;
	onTimeout: 'error' | 'return';
	/** Whether to cancel a run that doesn't end in time. */
	cancelOnTimeout?: boolean;
	/** What to do if the run fails. Skipping also applies to a run that doesn't end in time. */
	onFailure: 'error' | 'return' | 'skip';
	/** What to do if the run succeeds without data; returns the item by default. */
	ifNoData?: 'error' | 'item' | 'nothing';
	/** The selected robot. */
	robotId?: string;
	/** The URL of the page, if the operation runs on many. */
	page?: string;
	/** Maximum number of simultaneous runs of the execution, if there is one. */
	maxRuns?: number;
	/** Seconds before each start on a server that needs a break between runs. */
	delayBeforeStart: number;
}

/** A started run that the execution waits for. */
export interface PendingRun extends StartedRun {
	context: RunContext;
	settings: WaitSettings;
	/** When the node first tried to start it, in epoch milliseconds. */
	since: number;
}

/** The ended run, its last status when the time was up, or why it could not be read. */
export type Outcome =
	| { ended: Run }
	| { lastStatus: string; unreachable?: MaxunFault }
	| { fault: MaxunFault };

/** Why an item failed. */
export interface ItemError {
	message: string;
	description?: string;
}

/** What a pause and the next attempt need to know of one run, or of another job, of an input item. */
export type ItemState =
	| {
			todo: true;
			/** When the node first tried to start the run, in epoch milliseconds; the timeout counts from then on. */
			since?: number;
			/** Why the server could not start it yet. */
			busy?: string;
			/** A robot for the run that already exists. */
			robot?: TemporaryRobot;
	  }
	| { run: StartedRun; since: number }
	| {
			items: INodeExecutionData[];
			/** The page that has no items because it was skipped, with the reason. */
			skipped?: string;
			/** The page whose run succeeded without data. */
			empty?: string;
			/** What the user should know about the items. It is shown at the end, perhaps after a pause or another attempt. */
			hints?: string[];
	  }
	| {
			error: ItemError;
			/** The run for which the next attempt waits again. */
			continuing?: StartedRun;
			/** Whether no other attempt may begin: it could do something twice. */
			final?: true;
	  };

/** What an execution remembers during a pause, and for the next attempt. */
export interface Memory {
	/** The states of each item's entries. */
	states: ItemState[][];
	/** Temporary robots that could not be deleted. */
	leftovers: Leftover[];
	/** Number of attempts with Retry On Fail so far. n8n itself counts anew after a pause. */
	attempts: number;
}

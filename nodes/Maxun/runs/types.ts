import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { MaxunFault } from '../http/fault';
import type { Run } from '../servers/entities';
import type { MaxunServer } from '../servers/types';

export type Item = Pick<INodeExecutionData, 'json' | 'binary'>;

/** What to return of a run. */
export type Output = 'simplified' | 'rows' | 'full';

/** What reading a run needs. */
export interface RunReader {
	readonly maxun: MaxunServer;
	/** Stores data the way n8n stores files. */
	toBinary(data: Buffer, name: string): Promise<IBinaryData>;
	/** Tells the user something beside the output. */
	hint(message: string): void;
}

/** What starting and waiting for runs needs. */
export interface RunContext extends RunReader {
	/** Maximum number of simultaneous requests. */
	readonly concurrency: number;
}

/** A run that an operation has started. */
export interface StartedRun {
	runId: string;
	robotId: string;
	/** Set if the robot was created only for this run: it is deleted afterwards. */
	temporary?: 'robot' | 'agent';
	/** Fields that precede those of each item. */
	fields?: IDataObject;
	/** What the service responded to the start. */
	response?: IDataObject;
	/** The run with its data, if it had ended before the service responded. */
	ended?: Run;
}

/** How to wait for a run, and what to return of it. */
export interface WaitSettings {
	/** Minutes. */
	waitFor: number;
	onTimeout: 'error' | 'return';
	/** Whether to cancel a run that doesn't finish in time. */
	cancelOnTimeout?: boolean;
	onFailure: 'error' | 'return';
	output: Output;
	downloadScreenshots: boolean;
}

/** A started run that the execution waits for. */
export interface PendingRun extends StartedRun {
	itemIndex: number;
	context: RunContext;
	settings: WaitSettings;
	/** When it was started, in epoch milliseconds. */
	since: number;
}

/** The end of a run, what was known of it when the time was up, or why it could not be read. */
export type Outcome =
	| { ended: Run }
	| { lastStatus: string; unreachable?: MaxunFault }
	| { fault: MaxunFault };

import type { INode, INodeExecutionData } from 'n8n-workflow';
import type { N8nProcess } from '../process.mts';
import type { N8n } from './host.mts';

/** Items that start a workflow. Times are epoch milliseconds. */
export interface Start {
	host: N8n;
	workflowId: string;
	/** The trigger at that time. */
	trigger: INode;
	isPoll: boolean;
	/** The process that received the event or polled. */
	process: N8nProcess;
	items: INodeExecutionData[];
	/** When the event arrived or the poll began. */
	began: number;
	/** The static data that the execution begins with in regular mode, serialized. */
	staticData: string;
	/** When n8n stored the execution. */
	stored?: number;
	/** When n8n saved the static data. */
	saved?: number;
	/** The process that runs the execution. */
	executor?: N8nProcess;
	/** When the execution accessed n8n's table of processed items. */
	accesses: Array<{ from: number; to: number }>;
	/** Whether n8n's table of processed items failed. */
	tableFailed?: boolean;
	/** The items that the trigger emitted at the beginning of the execution, and when. */
	emission?: { items: INodeExecutionData[]; at: number };
}

/** A call of a node. Its requests contain the sender. */
export interface Call {
	kind: 'event' | 'execution' | 'poll' | 'hook' | 'test';
	sender: string;
	workflowId: string;
	process: N8nProcess;
	began: number;
	node?: string;
	start?: Start;
}

/** What a test in the editor showed. */
export interface Test {
	workflowId: string;
	trigger: INode;
	began: number;
	start?: Start;
	error?: string;
}

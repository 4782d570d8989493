import { randomUUID } from 'node:crypto';
import type {
	IDataObject,
	INode,
	INodeExecutionData,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import { callPoll } from './trigger-calls.mts';
import { loadPackage } from './package.mts';
import type { StaticData } from './static-data.mts';
import { additionalData, buildWorkflow, type NodeSetup } from './workflow.mts';

/** The process of each copy of saved data. Another process doesn't have the memory of the earlier one. */
const processes = new WeakMap<StaticData, string>();

function processOf(staticData: StaticData): string {
	const process = processes.get(staticData) ?? randomUUID();
	processes.set(staticData, process);
	return process;
}

export interface PollOptions extends Omit<NodeSetup, 'staticData'> {
	type: string;
	staticData: StaticData;
	/** Whether this is the editor's test, not an active workflow. */
	manual?: boolean;
	activation?: WorkflowActivateMode;
	/** How long the poll may take, in milliseconds. */
	budget?: number;
	/** Whether n8n's durable cursors are on. */
	durable?: boolean;
	/** Whether n8n discards the result, for example because another process polls in the meantime. Only with durable cursors. */
	discarded?: boolean;
	/** Gets the error that the poll reports to n8n. Otherwise it is thrown. */
	onError?: (error: Error) => void;
}

/** Whether n8n's durable cursors are on, which older engines lack. */
const DURABLE = process.env.TEST_DURABLE_CURSORS === 'true';

/** A copy of a node's cursor, which n8n keeps under the node's ID. It begins with the node's static data. */
function cursorOf({ cursors }: StaticData, workflow: Workflow, node: INode): IDataObject {
	const stored = cursors.get(node.id) ?? JSON.stringify(workflow.getStaticData('node', node));
	return JSON.parse(stored);
}

/**
 * One poll of a polling trigger, as n8n's timer does it. n8n then saves the trigger's cursor.
 * @returns the items that start a workflow, by output; null if nothing is new
 */
export async function poll(options: PollOptions): Promise<INodeExecutionData[][] | null> {
	const { staticData, manual = false, activation = 'activate' } = options;
	const { durable = DURABLE, discarded = false } = options;
	const loaded = await loadPackage();
	const stored = manual ? {} : staticData.load();
	const workflowId = options.workflowId ?? processOf(staticData);
	const setup = { ...options, workflowId, active: !manual, staticData: stored };
	const { workflow, node } = buildWorkflow(loaded, setup);
	const mode = manual ? 'manual' : 'trigger';
	const additional = additionalData(loaded, options.credentials, { mode });
	const isDurable = durable && !manual;
	// With durable cursors, the node gets a copy, which n8n stores after the poll.
	const cursor = cursorOf(staticData, workflow, node);
	const reported: Error[] = [];
	const { onError = (error: Error) => void reported.push(error) } = options;
	const items = await callPoll({ workflow, node, additional }, activation, {
		mode,
		onError,
		cursor: isDurable ? cursor : undefined,
		budget: options.budget,
	});
	if (isDurable && !discarded) staticData.cursors.set(node.id, JSON.stringify(cursor));
	if (reported[0]) throw reported[0];
	if (!manual) staticData.save(workflow);
	return items;
}

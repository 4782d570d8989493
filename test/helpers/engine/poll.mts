import { randomUUID } from 'node:crypto';
import { PollContext } from 'n8n-core';
import type { IDataObject, INodeExecutionData, WorkflowActivateMode } from 'n8n-workflow';
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
}

/** Whether n8n's durable cursors are on, which older engines lack. */
const DURABLE = process.env.TEST_DURABLE_CURSORS === 'true';

/**
 * One poll of a polling trigger, as n8n's timer does it. n8n then saves the trigger's cursor.
 * @returns the items that start a workflow, by output; null if nothing is new
 */
export async function poll(options: PollOptions): Promise<INodeExecutionData[][] | null> {
	const { staticData, manual = false, activation = 'activate' } = options;
	const loaded = await loadPackage();
	const stored = manual ? {} : staticData.load();
	const workflowId = options.workflowId ?? processOf(staticData);
	const setup = { ...options, workflowId, active: !manual, staticData: stored };
	const { workflow, node, nodeType } = buildWorkflow(loaded, setup);
	const mode = manual ? 'manual' : 'trigger';
	const data = additionalData(loaded, options.credentials, { mode });
	const isDurable = DURABLE && !manual;
	const saved = workflow.getStaticData('node', node);
	// With durable cursors, the node gets a snapshot, which n8n commits after the poll. The activation is always `update`.
	const cursor: IDataObject = isDurable ? JSON.parse(JSON.stringify(saved)) : saved;
	const context = new PollContext(workflow, node, data, mode, isDurable ? 'update' : activation);
	if (isDurable) Object.assign(context, { resolveNodeStaticData: () => cursor });
	const { budget } = options;
	if (budget !== undefined) Object.assign(context, { getPollBudgetMs: () => budget });
	const items = await nodeType.poll?.call(context);
	if (items === undefined) throw new Error('The node does not poll');
	if (isDurable) Object.assign(saved, cursor);
	if (!manual) staticData.save(workflow);
	return items;
}

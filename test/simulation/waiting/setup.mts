import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { connect, node, type StoredWorkflow } from '../n8n/workflows.mts';
import type { World } from '../world.mts';
import { isTemporary, type Caller, type ExecutionPlan, type History } from './history.mts';

/** Identifies the run of an item, in the simulated Maxun and in outputs. */
export const keyOf = (execution: number, item: number) => `e${execution}i${item}`;

/** The ID of the workflow with the Maxun node. */
export const workflowOf = (execution: number) => `workflow-${execution}`;

/** The ID of the workflow that starts: the one with the Maxun node, or its parent. */
export const firstWorkflowOf = ({ parent }: ExecutionPlan, execution: number) =>
	parent === 'none' ? workflowOf(execution) : `parent-${execution}`;

/** Saves the workflows of an execution, creates its robots, and starts it when its time comes. */
export function begin(
	{ clock, maxun, n8n }: World,
	{ server }: History,
	plan: ExecutionPlan,
	index: number,
): void {
	for (const workflow of workflowsOf(plan, index, server)) n8n.save(workflow);
	n8n.variables.extra = 0;
	const type = plan.operation === 'run agent' ? 'agent' : 'extract';
	const shared = plan.sharesRobot && !isTemporary(plan);
	const only = shared ? maxun.createRobot({ type, key: `e${index}` }).id : undefined;
	const items = plan.items.map(({ waitFor, ...run }, item) => {
		const key = keyOf(index, item);
		maxun.plans.set(key, run);
		const robotId = isTemporary(plan) ? '' : (only ?? maxun.createRobot({ type, key }).id);
		return { key, robotId, waitFor: plan.waitFor ?? waitFor };
	});
	const mode = plan.caller === 'nobody' ? plan.mode : 'webhook';
	const start = () => n8n.start(firstWorkflowOf(plan, index), items, mode);
	clock.after(plan.at * 1000, start, null);
}

function workflowsOf(
	plan: ExecutionPlan,
	index: number,
	server: History['server'],
): StoredWorkflow[] {
	const id = workflowOf(index);
	const trigger = triggerOf(plan.caller);
	const start =
		plan.parent === 'none' ? trigger : node('Start', 'n8n-nodes-base.executeWorkflowTrigger');
	const { onError, retryOnFail } = plan;
	const nodes = [
		start,
		node('Maxun', 'maxun', parametersOf(plan, server), {
			onError,
			retryOnFail,
			maxTries: 3,
			waitBetweenTries: 1000,
		}),
		node('Reader', 'reader'),
		node('Errors', 'pass'),
		node('Wait', 'wait', { minutes: 40 }),
	];
	// A sub-workflow ends with the Maxun node.
	const after = plan.waitNode ? ['Wait', 'Errors'] : ['Reader', 'Errors'];
	const connections = connect({
		Start: ['Maxun'],
		Maxun: plan.parent === 'none' ? after : [],
		Wait: ['Reader'],
	});
	const workflow = { id, nodes, connections };
	if (plan.parent === 'none') return [workflow];
	const call = node('Call', 'executeWorkflow', { workflowId: id, mode: plan.parent });
	const parent = {
		id: firstWorkflowOf(plan, index),
		nodes: [trigger, call],
		connections: connect({ Start: ['Call'] }),
	};
	return [workflow, parent];
}

/** The trigger of a workflow whose caller waits for the last node's output. */
function triggerOf(caller: Caller): INode {
	if (caller === 'nobody') return node('Start', 'start');
	if (caller === 'chat')
		return node('Start', '@n8n/n8n-nodes-langchain.chatTrigger', { options: {} });
	const responseMode = caller === 'webhook' ? 'lastNode' : 'streaming';
	return node('Start', 'n8n-nodes-base.webhook', { responseMode, options: {} });
}

const locator = (value: string) => ({ __rl: true as const, mode: 'id' as const, value });

function parametersOf(plan: ExecutionPlan, server: History['server']): INodeParameters {
	const { pauseAfter, onTimeout, onFailure } = plan;
	// The variable becomes text in some histories, so that the sum isn't a number.
	const waitFor = '={{ $json.waitFor + $vars.extra }}';
	const wait = { pauseAfter, onTimeout, onFailure, waitFor };
	const url = '=https://pages.test/{{ $json.key }}';
	const { keepRobot, cancelOnTimeout } = plan;
	const params = { parameter: [{ name: 'item', value: '={{ $json.key }}' }] };
	const robotId = locator('={{ $json.robotId }}');
	const operations: Record<ExecutionPlan['operation'], IDataObject> = {
		'run and wait': { resource: 'run', operation: 'runAndWait', robotId },
		'run agent': { resource: 'agent', operation: 'run', agentId: robotId },
		scrape: { resource: 'web', operation: 'scrape', url, formats: ['markdown'] },
		extract: { resource: 'web', operation: 'extract', prompt: 'Everything', url },
	};
	const options = isTemporary(plan)
		? { ...wait, keepRobot }
		: { ...wait, cancelOnTimeout, ...(server === 'cloud' && { params }) };
	return JSON.parse(JSON.stringify({ server, ...operations[plan.operation], options }));
}

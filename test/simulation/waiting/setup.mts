import type { IDataObject, INode, INodeCredentials, INodeParameters } from 'n8n-workflow';
import type { N8n } from '../n8n/host.mts';
import { cloudFields } from '../n8n/credentials.mts';
import { connect, newWorkflow, node, type StoredWorkflow } from '../n8n/workflows.mts';
import { inGroups } from '../../helpers/parameters.mts';
import { ORIGINS } from '../origins.mts';
import { exampleOn, recorded } from '../maxun/page.mts';
import type { WaitingWorld } from './world.mts';
import { isTemporary, type ExecutionPlan, type History, type ItemPlan } from './history.mts';

/** A workflow's Maxun nodes, and the input items' field with each node's values. */
export const NODES = { Maxun: 'first', 'Maxun 2': 'second' } as const;
export type MaxunNode = keyof typeof NODES;

/** The part of an item that a node uses. */
export interface Input {
	/** Identifies the item's run in the simulated Maxun and in outputs. */
	key: string;
	/** Minutes. */
	timeoutMinutes: number;
	robotId: string;
	/** One per line, for Run on Many URLs. The last segment is the run's key. */
	urls: string;
}

export const PAGES = 'https://pages.test/';

export const CREDENTIALS: INodeCredentials = {
	maxunCloudApi: { id: 'cloud', name: 'Cloud' },
	maxunSelfHostedApi: { id: 'selfHosted', name: 'Self-hosted' },
};

/** Creates credentials for both kinds of server, or replaces their API key. */
export function giveCredentials({ credentials }: N8n, apiKey: string): void {
	credentials.set('cloud', cloudFields(apiKey));
	credentials.set('selfHosted', { apiKey, baseUrl: ORIGINS.selfHosted, timezone: 'UTC' });
}

/** The ID of the workflow with the Maxun node. */
export const workflowOf = (execution: number) => `workflow-${execution}`;

/** The ID of the workflow that starts: the workflow with the Maxun node, or its parent. */
export const firstWorkflowOf = ({ parent }: ExecutionPlan, execution: number) =>
	parent === 'none' ? workflowOf(execution) : `parent-${execution}`;

/** The n8n instance that executes it. */
export const hostOf = ({ n8n, otherN8n }: WaitingWorld, { isElsewhere }: ExecutionPlan): N8n =>
	(isElsewhere ? otherN8n : undefined) ?? n8n;

export const nodesOf = ({ shape }: ExecutionPlan): MaxunNode[] =>
	shape === 'two nodes' ? ['Maxun', 'Maxun 2'] : ['Maxun'];

/** Saves an execution's workflows, creates its robots, and starts it when it is due. */
export function begin(
	world: WaitingWorld,
	history: History,
	plan: ExecutionPlan,
	index: number,
): void {
	const n8n = hostOf(world, plan);
	for (const one of workflowsOf(plan, index, history.server)) n8n.workflows.set(one.id, one);
	n8n.variables.extra = 0;
	const prepare = inputsOf(world, plan, index);
	const items = plan.items.map(
		(item, number): IDataObject =>
			Object.fromEntries(
				nodesOf(plan).map((name) => [NODES[name], { ...prepare(name, item, number) }]),
			),
	);
	const mode = plan.caller === 'nobody' ? plan.mode : 'webhook';
	for (let start = 0; start < plan.starts; start++) {
		world.clock.after(
			(plan.at + start * plan.every) * 1000,
			() => n8n.executions.start(firstWorkflowOf(plan, index), items, mode),
			null,
		);
	}
}

function inputsOf({ maxun }: WaitingWorld, plan: ExecutionPlan, index: number) {
	const type = plan.operation === 'run agent' ? 'agent' : 'extract';
	const usesRobot = !isTemporary(plan) || plan.operation === 'run on many URLs';
	const create = (key: string) => {
		const workflow = plan.repairs ? recorded(PAGES + key, maxun.design) : undefined;
		return usesRobot ? maxun.createRobot({ type, key, workflow }).id : '';
	};
	const shared = plan.sharesRobot ? create(`e${index}`) : undefined;
	return (name: MaxunNode, { timeoutMinutes, pages, ...run }: ItemPlan, number: number): Input => {
		const key = `e${index}i${name === 'Maxun' ? number : 100 + number}`;
		maxun.plans.set(key, run);
		const urls = pages.map(({ url, ...pageRun }, page) => {
			const pageKey = `${key}p${page}`;
			maxun.plans.set(pageKey, pageRun);
			if (url === 'refused') maxun.refusedPages.add(pageKey);
			return url === 'invalid' ? `http://exa%mple/${pageKey}` : PAGES + pageKey;
		});
		return {
			key,
			timeoutMinutes: plan.timeoutMinutes ?? timeoutMinutes,
			robotId: shared ?? create(key),
			urls: urls.join('\n'),
		};
	};
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
	const retries = { retryOnFail, maxTries: MOST_TRIES, waitBetweenTries: 1000 };
	const settings = { credentials: CREDENTIALS, onError, ...retries };
	const nodes = [
		...nodesOf(plan).map((name) => node(name, 'maxun', parametersOf(plan, server, name), settings)),
		node('Loop', 'loop'),
		node('Reader', 'reader'),
		node('Errors', 'pass'),
		node('Wait', 'wait', { minutes: 40 }),
	];
	const workflow = newWorkflow(id, start, nodes, connectionsOf(plan));
	if (plan.parent === 'none') return [workflow];
	const call = node('Call', 'executeWorkflow', { workflowId: id, mode: plan.parent });
	const toCall = connect({ Start: ['Call'] });
	return [workflow, newWorkflow(firstWorkflowOf(plan, index), trigger, [call], toCall)];
}

/** The number of attempts with Retry On Fail. */
export const MOST_TRIES = 3;

function connectionsOf({ shape, parent, waitNode }: ExecutionPlan) {
	if (shape === 'loop') {
		return connect({ Start: ['Loop'], Loop: ['Errors', 'Maxun'], Maxun: ['Loop', 'Loop'] });
	}
	// A sub-workflow ends with the Maxun node.
	const after = waitNode ? ['Wait', 'Errors'] : ['Reader', 'Errors'];
	const connections = connect({
		Start: ['Maxun'],
		Maxun: parent === 'none' ? after : [],
		Wait: ['Reader'],
	});
	if (shape === 'single') return connections;
	const both = Object.keys(NODES).map((name) => ({ node: name, type: 'main' as const, index: 0 }));
	return { ...connections, Start: { main: [both] } };
}

/** The trigger of a workflow whose caller waits for the last node's output. */
function triggerOf(caller: ExecutionPlan['caller']): INode {
	if (caller === 'nobody') return node('Start', 'start');
	if (caller === 'chat')
		return node('Start', '@n8n/n8n-nodes-langchain.chatTrigger', { options: {} });
	const responseMode = caller === 'webhook' ? 'lastNode' : 'streaming';
	return node('Start', 'n8n-nodes-base.webhook', { responseMode, options: {} });
}

/** What a node does if one of its pages fails. */
export const onPageFailure = ({ skipsPages, onFailure }: ExecutionPlan) =>
	skipsPages ? 'skip' : onFailure;

/** @param key an expression */
export const examplesFor = (key: string) =>
	Object.entries(exampleOn(key)).map(([name, value]) => ({ name, example: `=${value}` }));

export const locator = (value: string) => ({ __rl: true as const, mode: 'id' as const, value });

function parametersOf(
	plan: ExecutionPlan,
	server: History['server'],
	name: MaxunNode,
): INodeParameters {
	const { pauseAfter, onTimeout, onFailure, operation, maxRuns } = plan;
	const field = (of: keyof Input) => `$json.${NODES[name]}.${of}`;
	// In some histories, the variable becomes text, so that the sum isn't a number.
	const timeoutMinutes = `={{ ${field('timeoutMinutes')} + $vars.extra }}`;
	const pace = server === 'selfHosted' ? { maxRuns } : {};
	const wait = { pauseAfter, timeoutMinutes, ...pace };
	const url = `=${PAGES}{{ ${field('key')} }}`;
	const { keepRobot, cancelOnTimeout, runLimit, repairs: repairSelectors } = plan;
	const limits = { runLimit, ...(plan.skipsRead && { skipRead: 'skip' }) };
	const robotId = locator(`={{ ${field('robotId')} }}`);
	const operations: Record<ExecutionPlan['operation'], IDataObject> = {
		'run and wait': { resource: 'run', operation: 'runAndWait', output: 'simplified', robotId },
		'run on many URLs': {
			resource: 'run',
			operation: 'runOnUrls',
			robotId,
			urls: `={{ ${field('urls')} }}`,
		},
		'run agent': { resource: 'agent', operation: 'run', output: 'simplified', agentId: robotId },
		scrape: { resource: 'web', operation: 'scrape', url, formats: ['markdown'] },
		'extract rows': {
			...{ resource: 'web', operation: 'extractRows', url },
			// Robots of this operation are never repaired.
			specifyFields: repairSelectors ? 'automatic' : 'example',
			examples: { values: examplesFor(`{{ ${field('key')} }}`) },
		},
		crawl: { resource: 'web', operation: 'crawl', url, crawlConfig: {} },
		search: { resource: 'web', operation: 'search', query: url, searchConfig: {} },
		extract: { resource: 'web', operation: 'extract', prompt: 'Everything', url },
	};
	const params = { mappingMode: 'defineBelow', value: { item: `={{ ${field('key')} }}` } };
	const options =
		operation === 'run on many URLs'
			? { ...wait, maxQueued: maxRuns, onFailure: onPageFailure(plan), ...limits }
			: isTemporary(plan)
				? { ...wait, keepRobot, onFailure: onPageFailure(plan), ...limits }
				: { ...wait, onTimeout, onFailure, cancelOnTimeout, repairSelectors, ...limits };
	const hasInputs = server === 'cloud' && !isTemporary(plan);
	const inputs = hasInputs ? { params } : {};
	const given = { server, ...operations[operation], ...inputs, options };
	return inGroups(JSON.parse(JSON.stringify(given)));
}

import type {
	IDataObject,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { nodeType, pass, TRIGGER, type Execute } from '../../helpers/engine/node-type.mts';
import { workflow as library } from '../engine.mts';

/** n8n drops parameters that a node type doesn't declare. */
const parameters = (...names: string[]): Pick<INodeTypeDescription, 'properties'> => ({
	properties: names.map((name) => ({ displayName: name, name, type: 'json', default: '' })),
});

/** How a trigger responds, as the real nodes describe it. */
const respondingTrigger = (responseMode: string): INodeType =>
	nodeType(pass, {
		...TRIGGER,
		...parameters('responseMode', 'options'),
		webhooks: [{ name: 'default', httpMethod: 'POST', responseMode, path: 'simulated' }],
	});

/** Expressions that read an earlier node's data in different ways. */
const READ = {
	json: '$json',
	item: "$('Maxun').item.json",
	all: "$('Maxun').all().map((item) => item.json)",
	first: "$('Maxun').first().json",
};

/** Reads the Maxun node's data in every way that n8n offers. */
const read: Execute = async function () {
	const readings = this.getInputData().map((_, index): IDataObject => {
		const values = Object.entries(READ).map(([way, expression]) => [
			way,
			this.evaluateExpression(`{{ ${expression} }}`, index),
		]);
		return Object.fromEntries(values);
	});
	return [readings.map((json, item) => ({ json, pairedItem: { item } }))];
};

/** Pauses the execution, like n8n's Wait node. A call resumes it. */
const waitNode: INodeType = {
	...nodeType(
		async function () {
			const minutes = Number(this.getNodeParameter('minutes', 0));
			await this.putExecutionToWait(new Date(Date.now() + minutes * 60_000));
			return [this.getInputData()];
		},
		{
			...parameters('minutes'),
			webhooks: [
				{
					name: 'default',
					httpMethod: 'POST',
					responseMode: 'onReceived',
					path: '',
					restartWebhook: true,
					isFullPath: true,
				},
			],
		},
	),
	webhook: async () => ({ workflowData: [[{ json: { resumedBy: 'a call' } }]] }),
};

/** Emits items one by one, like n8n's Loop Over Items node. */
const loop: Execute = async function () {
	const state = this.getContext('node');
	const input = this.getInputData();
	const isFirst = state.left === undefined;
	const left: INodeExecutionData[] = isFirst ? input : state.left;
	state.done = isFirst ? [] : [...state.done, ...input];
	state.left = left.slice(1);
	return left.length > 0 ? [[], left.slice(0, 1)] : [state.done, []];
};

/** Runs another workflow for each item, or once for all items, like n8n's Execute Workflow node. */
const executeWorkflow: Execute = async function () {
	const id = String(this.getNodeParameter('workflowId', 0));
	const items = this.getInputData();
	const batches =
		this.getNodeParameter('mode', 0) === 'each' ? items.map((item) => [item]) : [items];
	const executionId = this.getExecutionId();
	const { id: workflowId = '' } = this.getWorkflow();
	const outputs: INodeExecutionData[][] = [];
	for (const batch of batches) {
		const parentExecution = { executionId, workflowId, shouldResume: true };
		const options = { parentExecution, executionMode: this.getMode() };
		const { data } = await this.executeWorkflow({ id }, batch, undefined, options);
		for (const [index, output] of data.entries()) {
			outputs[index] = [...(outputs[index] ?? []), ...(output ?? [])];
		}
	}
	return outputs;
};

/** A polling node that stores data at each poll, and sometimes starts the workflow. */
const otherPoll: INodeType = {
	...nodeType(pass, { ...TRIGGER, polling: true }),
	async poll() {
		const data = this.getWorkflowStaticData('node');
		data.polls = Number(data.polls ?? 0) + 1;
		return Number(data.polls) % 3 === 0 ? [[{ json: {} }]] : null;
	},
};

/** A Code node that takes a few seconds and stores data, so that n8n saves its copy of all static data. */
const code: Execute = async function () {
	await library.sleep(1000 * (this.getInputData().length % 10));
	const data = this.getWorkflowStaticData('global');
	data.executions = Number(data.executions ?? 0) + 1;
	return [this.getInputData()];
};

/** What each workflow's executions tell people calls one of these. */
export const people = new Map<string, (id: string, items: INodeExecutionData[]) => void>();

/** Tells people what the earlier nodes have found, like n8n's Slack node. */
const slack: Execute = async function () {
	people.get(this.getWorkflow().id ?? '')?.(this.getExecutionId(), this.getInputData());
	return [this.getInputData()];
};

const TYPES: Record<string, INodeType> = {
	start: nodeType(pass, TRIGGER),
	pass: nodeType(pass),
	otherPoll,
	code: nodeType(code),
	reader: nodeType(read),
	slack: nodeType(slack),
	wait: waitNode,
	loop: nodeType(loop, { outputs: ['main', 'main'] }),
	executeWorkflow: nodeType(executeWorkflow, parameters('workflowId', 'mode')),
	'n8n-nodes-base.executeWorkflowTrigger': nodeType(pass, TRIGGER),
	'n8n-nodes-base.webhook': respondingTrigger('={{$parameter["responseMode"] || "onReceived"}}'),
	'@n8n/n8n-nodes-langchain.chatTrigger': respondingTrigger(
		'={{$parameter.options?.["responseMode"] || "lastNode"}}',
	),
};

/** A simulated node type; undefined for the nodes under test. */
export const nodeTypeOf = (type: string): INodeType | undefined => TYPES[type];

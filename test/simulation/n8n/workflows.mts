import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeParameters,
	INodeType,
	INodeTypes,
	Workflow,
} from 'n8n-workflow';
import { workflow as library } from '../engine.mts';
import type { N8nProcess } from '../process.mts';
import { CREDENTIALS } from './credentials.mts';

/** A workflow that starts with items, runs the Maxun node, and reads its data in every way that n8n has. */
export interface WorkflowPlan {
	id: string;
	parameters: INodeParameters;
	/** Overrides any field of the Maxun node, such as `onError`. */
	node?: Partial<INode>;
	start?: INodeParameters;
}

const simple = (execute: (this: IExecuteFunctions) => IDataObject[]): INodeType => ({
	description: {
		displayName: 'Simulated',
		name: 'simulated',
		description: '',
		defaults: {},
		group: ['transform'],
		version: 1,
		inputs: ['main'],
		outputs: ['main'],
		properties: [],
	},
	async execute() {
		return [execute.call(this).map((json, item) => ({ json, pairedItem: { item } }))];
	},
});

/** Ways to read the data of an earlier node, in terms of n8n's expressions. */
const READ = {
	json: '$json',
	item: "$('Maxun').item.json",
	all: "$('Maxun').all().map((item) => item.json)",
	first: "$('Maxun').first().json",
};

const startNode = simple(function () {
	return this.getInputData().map(({ json }) => json);
});
startNode.description.group = ['trigger'];
startNode.description.inputs = [];

const readerNode = simple(function () {
	return this.getInputData().map((_, index) =>
		Object.fromEntries(
			Object.entries(READ).map(([way, expression]) => [
				way,
				this.evaluateExpression(`{{ ${expression} }}`, index),
			]),
		),
	);
});

/** The node types of a process. */
export function nodeTypesOf(process: N8nProcess): INodeTypes {
	const find = (type: string): INodeType => {
		if (type === 'start') return startNode;
		if (type === 'reader') return readerNode;
		return process.node('Maxun');
	};
	return { getKnownTypes: () => ({}), getByName: find, getByNameAndVersion: find };
}

const nodeAt = (name: string, type: string, column: number): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [column * 200, 0],
	parameters: {},
});

/** The workflow in a process: Start → Maxun → Reader, and Errors after an error output. */
export function build(plan: WorkflowPlan, process: N8nProcess): Workflow {
	const start = { ...nodeAt('Start', 'start', 0), parameters: { ...plan.start } };
	const node = {
		...nodeAt('Maxun', 'maxun', 1),
		credentials: CREDENTIALS,
		webhookId: 'f4c0a3d2-1b7e-4c55-9d0a-6a2b8e3f7c10',
		...plan.node,
		parameters: structuredClone(plan.parameters),
	};
	const to = (name: string) => [{ node: name, type: 'main' as const, index: 0 }];
	return new library.Workflow({
		id: plan.id,
		name: plan.id,
		active: true,
		nodeTypes: nodeTypesOf(process),
		nodes: [start, node, nodeAt('Reader', 'reader', 2), nodeAt('Errors', 'start', 2)],
		connections: {
			Start: { main: [to('Maxun')] },
			Maxun: { main: [to('Reader'), to('Errors')] },
		},
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	});
}

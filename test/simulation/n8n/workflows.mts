import type { Workflow, IConnections, INode, INodeParameters, INodeTypes } from 'n8n-workflow';
import { workflow as library } from '../engine.mts';
import type { N8nProcess } from '../process.mts';
import { nodeTypeOf } from './nodeTypes.mts';

/** A workflow as n8n stores it (WorkflowEntity). */
export interface StoredWorkflow {
	readonly id: string;
	/** The node that the workflow starts with. */
	trigger: INode;
	readonly others: INode[];
	readonly connections: IConnections;
	/** Serialized. */
	staticData: string;
	/** Durable poll cursors, serialized, by node ID. */
	readonly cursors: Map<string, string>;
}

/** A workflow that hasn't run yet. */
export const newWorkflow = (
	id: string,
	trigger: INode,
	others: INode[] = [],
	connections: IConnections = {},
): StoredWorkflow => ({ id, trigger, others, connections, staticData: '{}', cursors: new Map() });

/** A process's node types: its own Maxun nodes, and simulated nodes. */
function nodeTypesOf(process: N8nProcess): INodeTypes {
	const find = (type: string) => nodeTypeOf(type) ?? process.node(type);
	return { getKnownTypes: () => ({}), getByName: find, getByNameAndVersion: find };
}

/**
 * A stored workflow as a process opens it.
 *
 * @param staticData serialized; by default, as stored now
 * @param active whether this isn't a test in the editor
 */
export function open(
	{ id, trigger, others, connections, staticData: stored }: StoredWorkflow,
	process: N8nProcess,
	staticData = stored,
	active = true,
): Workflow {
	const opened = new library.Workflow({
		id,
		name: id,
		active,
		nodeTypes: nodeTypesOf(process),
		nodes: [],
		connections,
		staticData: JSON.parse(staticData),
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	});
	const nodes = [trigger, ...others];
	opened.setNodes(nodes.map((node) => ({ ...node, parameters: allParameters(node, opened) })));
	return opened;
}

export const pollingNodesOf = ({ trigger, others }: StoredWorkflow, process: N8nProcess) =>
	[trigger, ...others]
		.filter(({ type }) => nodeTypesOf(process).getByNameAndVersion(type).description.polling)
		.map(({ name }) => name);

/** The results of `allParameters`, serialized, by type and given parameters. */
const known = new Map<string, string>();

/** A node's parameters with all default values, which n8n adds whenever it opens a workflow. Adding them is slow. */
function allParameters(node: INode, { nodeTypes }: Pick<Workflow, 'nodeTypes'>): INodeParameters {
	const key = `${node.type} ${JSON.stringify(node.parameters)}`;
	const { description } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const all =
		known.get(key) ??
		JSON.stringify(
			library.NodeHelpers.getNodeParameters(
				description.properties,
				node.parameters,
				true,
				false,
				node,
				description,
			),
		);
	known.set(key, all);
	return JSON.parse(all);
}

export const node = (
	name: string,
	type: string,
	parameters: INodeParameters = {},
	more: Partial<INode> = {},
): INode => ({
	id: name,
	name,
	type,
	typeVersion: 1,
	position: [0, 0],
	webhookId: name,
	...more,
	parameters,
});

/** Connects nodes: the outputs of each, by name, lead to these nodes. */
export const connect = (outputs: Record<string, string[]>): IConnections =>
	Object.fromEntries(
		Object.entries(outputs).map(([from, to]) => [
			from,
			{ main: to.map((name) => [{ node: name, type: 'main' as const, index: 0 }]) },
		]),
	);

import type { Workflow, IConnections, INode, INodeParameters, INodeTypes } from 'n8n-workflow';
import { workflow as library } from '../engine.mts';
import type { N8nProcess } from '../process.mts';
import { CREDENTIALS } from './credentials.mts';
import { nodeTypeOf } from './nodeTypes.mts';

/** A workflow as n8n stores it. */
export interface StoredWorkflow {
	id: string;
	nodes: INode[];
	connections: IConnections;
}

/** The node types of a process: its own Maxun nodes, and simulated ones. */
export function nodeTypesOf(process: N8nProcess): INodeTypes {
	const find = (type: string) => nodeTypeOf(type) ?? process.node('Maxun');
	return { getKnownTypes: () => ({}), getByName: find, getByNameAndVersion: find };
}

/** A stored workflow with a process's node types. */
export function open({ id, nodes, connections }: StoredWorkflow, process: N8nProcess): Workflow {
	const opened = new library.Workflow({
		id,
		name: id,
		active: true,
		nodeTypes: nodeTypesOf(process),
		nodes: [],
		connections,
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	});
	opened.setNodes(nodes.map((node) => ({ ...node, parameters: allParameters(node, opened) })));
	return opened;
}

/** What `allParameters` has returned, serialized, by type and given parameters. */
const known = new Map<string, string>();

/** A node's parameters with all default values, which n8n adds each time that it opens a workflow. That takes long. */
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

/** A node. Its name identifies it. */
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
	credentials: type === 'maxun' ? CREDENTIALS : undefined,
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

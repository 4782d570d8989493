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
export const open = ({ id, nodes, connections }: StoredWorkflow, process: N8nProcess): Workflow =>
	new library.Workflow({
		id,
		name: id,
		active: true,
		nodeTypes: nodeTypesOf(process),
		nodes: structuredClone(nodes),
		connections,
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	});

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

import type { IDataObject, INode, INodeType, INodeTypes, Workflow } from 'n8n-workflow';
import { nodeType, pass, TRIGGER } from '../../../helpers/engine/node-type.mts';
import { workflow as library } from '../../engine.mts';
import type { N8nProcess } from '../../process.mts';

/** A workflow with a trigger, as n8n stores it. */
export interface StoredWorkflow {
	readonly id: string;
	trigger: INode;
	/** Whether another node polls, too. */
	readonly hasOtherPoll: boolean;
	/** Serialized. */
	staticData: string;
	/** Durable poll cursors, serialized, by node ID. */
	cursors: Map<string, string>;
}

const OTHER = 'otherPoll';

/** A polling node that stores data at each poll and starts the workflow at some of them. */
const otherPoll: INodeType = {
	...nodeType(pass, { ...TRIGGER, polling: true }),
	async poll() {
		const data = this.getWorkflowStaticData('node');
		data.polls = Number(data.polls ?? 0) + 1;
		return Number(data.polls) % 3 === 0 ? [[{ json: {} }]] : null;
	},
};

const otherNode: INode = {
	id: OTHER,
	name: OTHER,
	type: OTHER,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

function nodeTypesOf(process: N8nProcess): INodeTypes {
	const find = (type: string) => {
		if (type === OTHER) return otherPoll;
		return process.node(type === 'maxunTrigger' ? 'MaxunTrigger' : 'MaxunPollingTrigger');
	};
	return { getKnownTypes: () => ({}), getByName: find, getByNameAndVersion: find };
}

/**
 * A stored workflow as a process opens it.
 *
 * @param staticData serialized; by default that of this moment
 * @param active whether this isn't a test in the editor
 */
export function open(
	stored: StoredWorkflow,
	process: N8nProcess,
	staticData = stored.staticData,
	active = true,
): Workflow {
	const data: IDataObject = JSON.parse(staticData);
	const nodes = [stored.trigger, ...(stored.hasOtherPoll ? [otherNode] : [])];
	return new library.Workflow({
		id: stored.id,
		name: stored.id,
		active,
		nodeTypes: nodeTypesOf(process),
		nodes: structuredClone(nodes),
		connections: {},
		staticData: data,
		settings: { timezone: 'UTC' },
	});
}

/** The names of the nodes that poll. */
export const pollingNodesOf = ({ trigger, hasOtherPoll }: StoredWorkflow): string[] => [
	...(trigger.type === 'maxunPollingTrigger' ? [trigger.name] : []),
	...(hasOtherPoll ? [OTHER] : []),
];

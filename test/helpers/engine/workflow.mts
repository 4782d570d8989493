import { Workflow } from 'n8n-workflow';
import type {
	IDataObject,
	INode,
	INodeParameters,
	IWorkflowExecuteAdditionalData,
	IWorkflowSettings,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { hooksOf, serverData } from './additional-data.mts';
import { credentialReferences, TestCredentials, type CredentialValues } from './credentials.mts';
import { ACTION_NODE, START_NODE, type LoadedPackage } from './package.mts';

const WORKFLOW_ID = 'engine-test';

export interface NodeSetup {
	type?: string;
	parameters: INodeParameters;
	credentials?: CredentialValues;
	/** Overrides any of the node's fields, such as `onError`. */
	node?: Partial<INode>;
	settings?: IWorkflowSettings;
	workflowId?: string;
	active?: boolean;
	staticData?: IDataObject;
}

const startNode: INode = {
	id: 'start',
	name: 'Start',
	type: START_NODE,
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A workflow with a start node and the node under test, as in the database. */
export function buildWorkflow(loaded: LoadedPackage, setup: NodeSetup) {
	const node: INode = {
		id: 'node',
		name: 'Maxun',
		type: setup.type ?? ACTION_NODE,
		typeVersion: 1,
		position: [200, 0],
		webhookId: 'f4c0a3d2-1b7e-4c55-9d0a-6a2b8e3f7c10',
		credentials: credentialReferences(setup.credentials ?? {}),
		...setup.node,
		parameters: structuredClone(setup.parameters),
	};
	const workflow = new Workflow({
		id: setup.workflowId ?? WORKFLOW_ID,
		name: 'Engine test',
		active: setup.active ?? false,
		nodeTypes: loaded.nodeTypes,
		nodes: [startNode, node],
		connections: {
			[startNode.name]: { main: [[{ node: node.name, type: 'main', index: 0 }]] },
		},
		settings: { executionOrder: 'v1', timezone: 'Europe/Berlin', ...setup.settings },
		staticData: setup.staticData,
	});
	return { workflow, node, start: startNode, nodeType: typeOf(workflow, node) };
}

const typeOf = ({ nodeTypes }: Workflow, { type, typeVersion }: INode) =>
	nodeTypes.getByNameAndVersion(type, typeVersion);

/**
 * The data that n8n's server passes to the engine.
 * @param origin n8n's base URL; its production webhooks are below `/webhook`
 */
export function additionalData(
	loaded: LoadedPackage,
	credentials: CredentialValues = {},
	{
		mode = 'manual',
		origin = 'http://n8n.invalid',
		executionId,
	}: { mode?: WorkflowExecuteMode; origin?: string; executionId?: string },
): IWorkflowExecuteAdditionalData {
	return serverData(new TestCredentials(loaded, credentials), origin, {
		hooks: hooksOf(mode, executionId ?? '', WORKFLOW_ID),
		executionId,
	});
}

import './environment.mts';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { PackageDirectoryLoader } from 'n8n-core';
import { NodeHelpers } from 'n8n-workflow';
import type { ICredentialType, INodeType, INodeTypes } from 'n8n-workflow';
import { nodeType, pass, TRIGGER } from './node-type.mts';

export const PACKAGE_NAME = 'n8n-nodes-maxun-robots';
export const ACTION_NODE = `${PACKAGE_NAME}.maxun`;
/** The action node as an AI agent's tool, which n8n derives from it. */
export const TOOL_NODE = `${ACTION_NODE}Tool`;
export const TRIGGER_NODE = `${PACKAGE_NAME}.maxunTrigger`;
export const START_NODE = 'test.start';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Precedes the node under test and outputs the test's items. */
const startNode = nodeType(pass, TRIGGER);

/** Waits for a call, like n8n's own node of this type. Its parameter `suffix` ends its webhook's path. */
const waitNode: INodeType = {
	...nodeType(
		async function () {
			await this.putExecutionToWait(new Date('3000-01-01'));
			return [this.getInputData()];
		},
		{
			webhooks: [
				{
					name: 'default',
					httpMethod: 'POST',
					path: '={{ $parameter["suffix"] || "" }}',
					isFullPath: true,
					restartWebhook: true,
				},
			],
		},
	),
	async webhook() {
		return { workflowData: [[{ json: this.getBodyData() }]] };
	},
};

const WAIT_NODE = 'n8n-nodes-base.wait';

export interface LoadedPackage {
	nodeTypes: INodeTypes;
	credentialType(name: string): ICredentialType;
	credentialTypeNames: string[];
}

/** The node with a tool's output, as n8n derives it. */
function asTool(type: ReturnType<INodeTypes['getByName']>): INodeType {
	const tool: INodeType = Object.create(NodeHelpers.getVersionedNodeType(type));
	const { description } = tool;
	tool.description = { ...description, name: `${description.name}Tool`, outputs: ['ai_tool'] };
	return tool;
}

/** Loads the package's nodes whose files have this in their names. */
async function load(directory: string, files = ''): Promise<LoadedPackage> {
	const loader = new PackageDirectoryLoader(directory);
	const { n8n } = loader.packageJson;
	if (n8n) n8n.nodes = n8n.nodes?.filter((file) => file.includes(files));
	await loader.loadAll();
	const byName = (type: string) => {
		if (type === TOOL_NODE) return asTool(loader.getNode('maxun').type);
		if (type.startsWith(PACKAGE_NAME)) return loader.getNode(type.replace(/^.*\./, '')).type;
		return type === WAIT_NODE ? waitNode : startNode;
	};
	return {
		nodeTypes: {
			getKnownTypes: () => ({}),
			getByName: byName,
			getByNameAndVersion: (type, version) =>
				NodeHelpers.getVersionedNodeType(byName(type), version),
		},
		credentialType: (name) => loader.getCredential(name).type,
		credentialTypeNames: Object.keys(loader.credentialTypes),
	};
}

/** Loads the trigger once more, like a new n8n process: its modules are empty. */
export async function loadAgain(): Promise<LoadedPackage> {
	const { cache } = createRequire(import.meta.url);
	for (const path of Object.keys(cache)) {
		if (path.startsWith(`${ROOT}dist/`)) Reflect.deleteProperty(cache, path);
	}
	return await load(ROOT, 'MaxunTrigger');
}

let loaded: Promise<LoadedPackage> | undefined;

/**
 * Loads the package from `dist`, once per test file.
 * @throws if the package has not been built
 */
export async function loadPackage(): Promise<LoadedPackage> {
	loaded ??= load(ROOT).catch((error: unknown) => {
		loaded = undefined;
		throw new Error('The package could not be loaded: has it been built?', { cause: error });
	});
	return await loaded;
}

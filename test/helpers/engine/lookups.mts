import { LoadOptionsContext } from 'n8n-core';
import type {
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	ResourceMapperFields,
} from 'n8n-workflow';
import { loadPackage } from './package.mts';
import { additionalData, buildWorkflow, type NodeSetup } from './workflow.mts';

export interface ListSearchOptions extends NodeSetup {
	filter?: string;
	paginationToken?: string;
}

async function editorContext(setup: NodeSetup) {
	const loaded = await loadPackage();
	const { workflow, node, nodeType } = buildWorkflow(loaded, setup);
	const current: INodeParameters = structuredClone(node.parameters);
	const data = { ...additionalData(loaded, setup.credentials, {}), currentNodeParameters: current };
	return { context: new LoadOptionsContext(workflow, node, data, ''), nodeType };
}

/**
 * Calls a locator's list search, like the editor.
 * @throws what the method throws, or if the node has no such method
 */
export async function listSearch(
	method: string,
	{ filter, paginationToken, ...setup }: ListSearchOptions,
): Promise<INodeListSearchResult> {
	const { context, nodeType } = await editorContext(setup);
	const search = nodeType.methods?.listSearch?.[method];
	if (search === undefined) throw new Error(`The node has no list search '${method}'`);
	return await search.call(context, filter, paginationToken);
}

export async function loadOptions(
	method: string,
	setup: NodeSetup,
): Promise<INodePropertyOptions[]> {
	const { context, nodeType } = await editorContext(setup);
	const load = nodeType.methods?.loadOptions?.[method];
	if (load === undefined) throw new Error(`The node has no load method '${method}'`);
	return await load.call(context);
}

export async function mapperFields(
	method: string,
	setup: NodeSetup,
): Promise<ResourceMapperFields> {
	const { context, nodeType } = await editorContext(setup);
	const load = nodeType.methods?.resourceMapping?.[method];
	if (load === undefined) throw new Error(`The node has no mapper method '${method}'`);
	return await load.call(context);
}

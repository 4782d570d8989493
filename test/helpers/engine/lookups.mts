import { LoadOptionsContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { loadPackage } from './package.mts';
import { additionalData, buildWorkflow, type NodeSetup } from './workflow.mts';

async function inEditor(setup: NodeSetup) {
	const loaded = await loadPackage();
	const { workflow, node, nodeType } = buildWorkflow(loaded, setup);
	const current: INodeParameters = structuredClone(node.parameters);
	const data = { ...additionalData(loaded, setup.credentials, {}), currentNodeParameters: current };
	const context = new LoadOptionsContext(workflow, node, data, '');
	return { context, methods: nodeType.methods ?? {} };
}

/** Calls a locator's list search, like the editor. @throws what the method throws */
export async function listSearch(
	method: string,
	{ filter, paginationToken, ...setup }: NodeSetup & { filter?: string; paginationToken?: string },
) {
	const { context, methods } = await inEditor(setup);
	return await demand(methods.listSearch, method).call(context, filter, paginationToken);
}

export async function loadOptions(method: string, setup: NodeSetup) {
	const { context, methods } = await inEditor(setup);
	return await demand(methods.loadOptions, method).call(context);
}

export async function mapperFields(method: string, setup: NodeSetup) {
	const { context, methods } = await inEditor(setup);
	return await demand(methods.resourceMapping, method).call(context);
}

function demand<T>(methods: Record<string, T> | undefined, name: string): T {
	const method = methods?.[name];
	if (method === undefined) throw new Error(`The node has no method '${name}'`);
	return method;
}

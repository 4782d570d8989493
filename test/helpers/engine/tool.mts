import { SupplyDataContext } from 'n8n-core';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { newExecutionData } from './execution-data.mts';
import { loadPackage, TOOL_NODE } from './package.mts';
import { additionalData, buildWorkflow, type NodeSetup } from './workflow.mts';

/** Runs the node as AI agents before version 3 do, which run their tools themselves. */
export async function executeAsTool(
	setup: NodeSetup & { node?: Partial<INode> },
	input: IDataObject = {},
	caller = '@n8n/n8n-nodes-langchain.agent',
): Promise<INodeExecutionData[]> {
	const loaded = await loadPackage();
	const { workflow, node, nodeType } = buildWorkflow(loaded, { type: TOOL_NODE, ...setup });
	const items = [{ json: input }];
	const context = new SupplyDataContext(
		workflow,
		node,
		additionalData(loaded, setup.credentials, { executionId: '1' }),
		'manual',
		newExecutionData(),
		0,
		items,
		{ ai_tool: [items] },
		'ai_tool',
		{ node, data: { main: [items] }, source: null },
		[],
		undefined,
		{ ...node, id: 'caller', name: 'Caller', type: caller },
	);
	const execute: unknown = nodeType.execute;
	if (typeof execute !== 'function') throw new Error('The node can not be executed');
	const [output = []] = await execute.call(context);
	return output;
}

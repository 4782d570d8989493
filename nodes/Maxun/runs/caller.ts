import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether an AI agent uses the node as a tool.
 *
 * Newer agents execute tools like other nodes, so `isToolExecution` is false. Such a node has a tool output instead.
 */
export const isTool = (context: IExecuteFunctions): boolean =>
	context.isToolExecution() ||
	context.getNodeOutputs().some(({ type }) => type === NodeConnectionTypes.AiTool);

/**
 * Whether a webhook caller waits for the output of the last node. n8n would respond as soon as the execution pauses.
 */
export const answersWithLastNode = (context: IExecuteFunctions): boolean =>
	context.getMode() === 'webhook' &&
	context
		.getParentNodes(context.getNode().name, { includeNodeParameters: true })
		.some(({ parameters }) => parameters?.responseMode === 'lastNode');

import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Whether the node works for an AI agent.
 *
 * Newer agents execute a tool like any other node, and then `isToolExecution` is false. But such a node has an output
 * for tools.
 */
export const isTool = (context: IExecuteFunctions): boolean =>
	context.isToolExecution() ||
	context.getNodeOutputs().some(({ type }) => type === NodeConnectionTypes.AiTool);

/** Whether a webhook caller waits for the output of the last node. n8n responds to it as soon as an execution pauses. */
export const answersWithLastNode = (context: IExecuteFunctions): boolean =>
	context.getMode() === 'webhook' &&
	context
		.getParentNodes(context.getNode().name, { includeNodeParameters: true })
		.some(({ parameters }) => parameters?.responseMode === 'lastNode');

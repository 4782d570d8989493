import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, NodeTypeAndVersion, WorkflowExecuteMode } from 'n8n-workflow';
import { toolCaller } from '../n8n/internals';
import { isToolExecution } from '../n8n/olderVersions';

/** Newer agents execute tools like other nodes, so `isToolExecution` is false, but the node has a tool output. */
export const isTool = (context: IExecuteFunctions): boolean =>
	isToolExecution(context) ||
	context.getNodeOutputs().some(({ type }) => type === NodeConnectionTypes.AiTool);

export const isCalledByMcp = (context: IExecuteFunctions): boolean =>
	isTool(context) && toolCaller(context) === MCP_TRIGGER;

const MCP_TRIGGER = '@n8n/n8n-nodes-langchain.mcpTrigger';

/** Agents before version 3 run their tools themselves. If a tool throws an error, the model reads an empty text. */
export const returnsFailures = (context: IExecuteFunctions): boolean =>
	isToolExecution(context) && !context.getNode().retryOnFail;

const LOOP = 'n8n-nodes-base.splitInBatches';

/** Whether the node's output leads back to it. n8n ends such a loop, without its _done_ branch, if there are no items. */
export function isInLoop(context: IExecuteFunctions): boolean {
	const { name } = context.getNode();
	const loopsIn = (nodes: NodeTypeAndVersion[]) =>
		nodes.filter(({ type }) => type === LOOP).map((node) => node.name);
	const before = loopsIn(context.getParentNodes(name));
	return loopsIn(context.getChildNodes(name)).some((loop) => before.includes(loop));
}

const CALLER = 'a chat, a form or another caller is waiting for the response';

const WAITING: Partial<Record<WorkflowExecuteMode, string>> = {
	manual: 'it was started manually, which is normal',
	chat: CALLER,
	// n8n resumes a parent when its first sub-workflow ends, and loses the results of the others.
	integrated: 'it is a sub-workflow and its parent may be waiting',
};

const LIVE: WorkflowExecuteMode[] = ['trigger', 'webhook', 'retry', 'error'];

/** By a user or by n8n's time limit. */
export const isCanceled = (context: IExecuteFunctions): boolean =>
	context.getExecutionCancelSignal()?.aborted ?? false;

/** Phrased to end a sentence; undefined if nobody is waiting. n8n responds to the caller as soon as the execution pauses. */
export function waitingCaller(context: IExecuteFunctions): string | undefined {
	const mode = context.getMode();
	if (isTool(context)) return 'an AI agent is using the node as a tool';
	if (!LIVE.includes(mode)) return WAITING[mode] ?? `it runs in '${mode}' mode`;
	if (mode === 'retry' || mode === 'error') return undefined;
	const { name } = context.getNode();
	const executed = context
		.getParentNodes(name, { includeNodeParameters: true })
		.filter((node) => hasRun(context, node));
	return context.isStreaming() || executed.some(isAwaiting) ? CALLER : undefined;
}

const CHATS_AND_FORMS = [
	'@n8n/n8n-nodes-langchain.chatTrigger',
	'@n8n/n8n-nodes-langchain.manualChatTrigger',
	'n8n-nodes-base.formTrigger',
	'n8n-nodes-base.form',
];

/** A chat message may resume a waiting execution, and a form may have another page. */
const isAwaiting = ({ type, parameters }: NodeTypeAndVersion) =>
	CHATS_AND_FORMS.includes(type) || (parameters?.responseMode ?? 'onReceived') !== 'onReceived';

const hasRun = (context: IExecuteFunctions, { name }: NodeTypeAndVersion) =>
	context.evaluateExpression(`{{ $(${JSON.stringify(name)}).isExecuted }}`, 0) !== false;

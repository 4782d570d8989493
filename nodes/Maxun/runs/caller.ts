import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, NodeTypeAndVersion, WorkflowExecuteMode } from 'n8n-workflow';
import { toolCaller } from '../n8n/internals';
import { isToolExecution } from '../n8n/olderVersions';

/**
 * Whether an AI agent uses the node as a tool.
 *
 * Newer agents execute tools like other nodes, so `isToolExecution` is false. Such a node has a tool output instead.
 */
export const isTool = (context: IExecuteFunctions): boolean =>
	isToolExecution(context) ||
	context.getNodeOutputs().some(({ type }) => type === NodeConnectionTypes.AiTool);

/** Whether another app calls the node as a tool, through an MCP Server Trigger. */
export const isCalledByMcp = (context: IExecuteFunctions): boolean =>
	isTool(context) && toolCaller(context) === MCP_TRIGGER;

const MCP_TRIGGER = '@n8n/n8n-nodes-langchain.mcpTrigger';

/**
 * Whether the output must contain a failure. An agent before version 3 runs its tools itself: if a tool throws an error,
 * the model reads an empty text. With Retry On Fail, n8n only tries again after an error.
 */
export const returnsFailures = (context: IExecuteFunctions): boolean =>
	isToolExecution(context) && !context.getNode().retryOnFail;

/** Who waits for executions of a mode. Nobody waits for others, except callers of a trigger. */
const WAITING: Partial<Record<WorkflowExecuteMode, string>> = {
	manual: 'it was started manually',
	cli: 'it was started from the command line',
	chat: 'a chat is waiting for the answer',
	evaluation: 'it is part of an evaluation',
	// n8n resumes a parent when the first of its sub-workflows ends, and loses the results of the others.
	integrated: 'it is a sub-workflow and its parent may be waiting',
};

/** Modes of production executions. */
const PRODUCTION: WorkflowExecuteMode[] = ['trigger', 'webhook', 'retry', 'error'];
/** Whether a user or n8n's time limit has stopped the execution. */
export const isCanceled = (context: IExecuteFunctions): boolean =>
	context.getExecutionCancelSignal()?.aborted ?? false;

/**
 * Who waits for the execution to end, phrased to end a sentence; undefined if nobody does. n8n responds to a waiting
 * caller as soon as the execution pauses.
 */
export function waitingCaller(context: IExecuteFunctions): string | undefined {
	const mode = context.getMode();
	if (isTool(context)) return 'an AI agent is using it as a tool';
	if (!PRODUCTION.includes(mode)) return WAITING[mode] ?? `it runs in '${mode}' mode`;
	if (mode === 'retry' || mode === 'error') return undefined;
	if ('isStreaming' in context && context.isStreaming()) return STREAM;
	const { name } = context.getNode();
	const executed = context
		.getParentNodes(name, { includeNodeParameters: true })
		.filter((node) => hasRun(context, node));
	for (const node of executed) {
		const reason = waitingAt(context, node);
		if (reason !== undefined) return reason;
	}
	const isForm = executed.some(({ type }) => FORMS.includes(type));
	return isForm && childrenOf(context, name).some(isFormPage)
		? 'a form is waiting for its next page'
		: undefined;
}

const STREAM = 'a caller is waiting for a streamed response';

const CHATS = ['chatTrigger', 'manualChatTrigger'].map(
	(name) => `@n8n/n8n-nodes-langchain.${name}`,
);
const FORMS = ['n8n-nodes-base.formTrigger', 'n8n-nodes-base.form'];
const RESPOND = 'n8n-nodes-base.respondToWebhook';

/** Who waits for a response of a node that started or resumed the execution. */
function waitingAt(
	context: IExecuteFunctions,
	{ name, type, parameters }: NodeTypeAndVersion,
): string | undefined {
	// While an execution waits, a message of the chat may resume it.
	if (CHATS.includes(type)) return 'a chat is waiting for the answer';
	switch (parameters?.responseMode ?? 'onReceived') {
		case 'onReceived':
			return undefined;
		case 'lastNode':
			return 'a caller is waiting for the output of the last node';
		case 'streaming':
			return STREAM;
		case 'responseNode': {
			const responses = childrenOf(context, name).filter((node) => node.type === RESPOND);
			return responses.some((node) => hasRun(context, node))
				? undefined
				: "a caller is waiting for the response from a 'Respond to Webhook' node";
		}
		default: // an expression
			return 'a caller may be waiting for the response';
	}
}

const childrenOf = (context: IExecuteFunctions, name: string) =>
	context.getChildNodes(name, { includeNodeParameters: true }).filter(({ disabled }) => !disabled);

const isFormPage = ({ type, parameters }: NodeTypeAndVersion) =>
	type === 'n8n-nodes-base.form' ||
	(type === 'n8n-nodes-base.wait' && parameters?.resume === 'form');

const hasRun = (context: IExecuteFunctions, { name }: NodeTypeAndVersion) =>
	context.evaluateExpression(`{{ $(${JSON.stringify(name)}).isExecuted }}`, 0) !== false;

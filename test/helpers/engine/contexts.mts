import { HookContext, PollContext, WebhookContext } from 'n8n-core';
import type {
	INode,
	IWebhookData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

// What n8n passes to a trigger when it calls a hook, polls, or has received an event.

/** The node's webhook (getNodeWebhooks of n8n). @param path behind `/webhook/` or `/webhook-test/` */
function webhookOf(
	workflow: Workflow,
	node: INode,
	additional: IWorkflowExecuteAdditionalData,
	path: string,
	isTest: boolean,
): IWebhookData {
	const type = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const [webhookDescription] = type.description.webhooks ?? [];
	if (!webhookDescription) throw new Error('The node declares no webhook');
	return {
		httpMethod: 'POST',
		node: node.name,
		path,
		webhookDescription,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: additional,
		webhookId: node.webhookId,
		isTest,
	};
}

/** For hooks, as WebhookService of n8n. @param activation `manual` during a test in the editor */
export function hookContext(
	workflow: Workflow,
	node: INode,
	additional: IWorkflowExecuteAdditionalData,
	path: string,
	activation: WorkflowActivateMode,
): HookContext {
	const isTest = activation === 'manual';
	const webhook = webhookOf(workflow, node, additional, path, isTest);
	const mode: WorkflowExecuteMode = isTest ? 'manual' : 'trigger';
	return new HookContext(workflow, node, additional, mode, activation, webhook);
}

/** For an event, as WebhookService of n8n. The data contains the request and the response. */
export function eventContext(
	workflow: Workflow,
	node: INode,
	additional: IWorkflowExecuteAdditionalData,
	path: string,
	isTest: boolean,
): WebhookContext {
	const webhook = webhookOf(workflow, node, additional, path, isTest);
	const mode: WorkflowExecuteMode = isTest ? 'manual' : 'webhook';
	return new WebhookContext(workflow, node, additional, mode, webhook, [], null);
}

/** For a poll, as TriggerExecutionContextFactory of n8n. @param onError gets what the poll reports */
export const pollContext = (
	workflow: Workflow,
	node: INode,
	additional: IWorkflowExecuteAdditionalData,
	activation: WorkflowActivateMode,
	{
		mode = 'trigger',
		onError,
	}: { mode?: WorkflowExecuteMode; onError?: (error: Error) => void } = {},
): PollContext => new PollContext(workflow, node, additional, mode, activation, undefined, onError);

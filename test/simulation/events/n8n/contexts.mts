import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import type {
	INode,
	IWebhookData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { core, workflow as library } from '../../engine.mts';
import { WebhookResponse } from './response.mts';
import type { StoredWorkflow } from './workflow.mts';

// What n8n passes to a trigger when it calls a hook, polls, or has received an event.

/** @param activation `manual` during a test in the editor */
export function hookContext(
	workflow: Workflow,
	node: INode,
	additional: IWorkflowExecuteAdditionalData,
	{ stored, activation }: { stored: StoredWorkflow; activation: WorkflowActivateMode },
) {
	const isTest = activation === 'manual';
	const data = webhookData(stored, workflow, additional, isTest);
	const mode: WorkflowExecuteMode = isTest ? 'manual' : 'trigger';
	return new core.HookContext(workflow, node, additional, mode, activation, data);
}

export function pollContext(
	workflow: Workflow,
	node: INode,
	additional: IWorkflowExecuteAdditionalData,
	activation: WorkflowActivateMode,
) {
	const ignore = () => undefined;
	const context = new core.PollContext(
		workflow,
		node,
		additional,
		'trigger',
		activation,
		ignore,
		ignore,
	);
	// Each n8n instance has an ID of its own (InstanceSettings).
	return Object.assign(context, { getInstanceId: () => additional.instanceBaseUrl });
}

/** @param exchange the request, and the response that n8n or the trigger writes */
export function eventContext(
	workflow: Workflow,
	node: INode,
	additional: IWorkflowExecuteAdditionalData,
	exchange: {
		stored: StoredWorkflow;
		url: URL;
		body: unknown;
		response: WebhookResponse;
		isTest: boolean;
	},
) {
	const { stored, url, body, response, isTest } = exchange;
	additional.httpRequest = requestOf(url, body);
	additional.httpResponse = responseOf(response);
	const data = webhookData(stored, workflow, additional, isTest);
	const mode: WorkflowExecuteMode = isTest ? 'manual' : 'webhook';
	return new core.WebhookContext(workflow, node, additional, mode, data, [], null);
}

function webhookData(
	{ id, trigger }: StoredWorkflow,
	workflow: Workflow,
	additional: IWorkflowExecuteAdditionalData,
	isTest: boolean,
): IWebhookData {
	const type = workflow.nodeTypes.getByNameAndVersion(trigger.type, 1);
	const [webhookDescription] =
		'description' in type && type.description.webhooks ? type.description.webhooks : [];
	if (!webhookDescription) throw new Error('The node declares no webhook');
	const path = library.NodeHelpers.getNodeWebhookPath(id, trigger, 'webhook', false);
	return {
		httpMethod: 'POST',
		node: trigger.name,
		path,
		webhookDescription,
		workflowId: id,
		workflowExecuteAdditionalData: additional,
		webhookId: trigger.webhookId,
		isTest,
	};
}

const requestOf = (url: URL, body: unknown): HttpRequest =>
	Object.assign(Object.create(null), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		params: {},
		query: Object.fromEntries(url.searchParams),
		body,
	});

const responseOf = (response: WebhookResponse): HttpResponse =>
	Object.setPrototypeOf(response, WebhookResponse.prototype);

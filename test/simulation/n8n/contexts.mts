import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import type {
	INode,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';
import * as contexts from '../../helpers/engine/contexts.mts';
import { WebhookResponse } from './response.mts';

/** The path of a trigger's webhook (getNodeWebhookPath). */
const pathOf = ({ webhookId }: INode) => `${webhookId}/webhook`;

/** @param activation `manual` during a test in the editor */
export const hookContext = (
	workflow: Workflow,
	node: INode,
	additional: IWorkflowExecuteAdditionalData,
	activation: WorkflowActivateMode,
) => contexts.hookContext(workflow, node, additional, pathOf(node), activation);

/** @param exchange the request, and the response that n8n or the trigger writes */
export function eventContext(
	workflow: Workflow,
	node: INode,
	additional: IWorkflowExecuteAdditionalData,
	exchange: { url: URL; body: unknown; response: WebhookResponse; isTest: boolean },
) {
	const { url, body, response, isTest } = exchange;
	additional.httpRequest = requestOf(url, body);
	additional.httpResponse = responseOf(response);
	return contexts.eventContext(workflow, node, additional, pathOf(node), isTest);
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

import type { Request } from 'express';
import type { IWebhookDescription, IWebhookResponseData } from 'n8n-workflow';

/** 16 MiB, n8n's limit for request bodies. */
export const BODY_LIMIT = 16 * 1024 * 1024;

/** Parses the body as n8n does before it calls a node. @returns false for invalid JSON */
export function readBody(request: Request): boolean {
	const raw: unknown = request.body;
	const bytes = Buffer.isBuffer(raw) ? raw : Buffer.alloc(0);
	request.rawBody = bytes;
	const type = request.headers['content-type'] ?? '';
	if (bytes.length === 0) {
		request.body = {};
	} else if (type.includes('json')) {
		try {
			request.body = JSON.parse(bytes.toString('utf8'));
		} catch {
			return false;
		}
	} else {
		request.body = type.startsWith('text/') ? bytes.toString('utf8') : {};
	}
	return true;
}

/**
 * n8n's response under `onReceived`; undefined if the node responds itself. If a workflow starts, n8n uses the node's
 * response only if the webhook's description allows it.
 */
export function answerOf(
	result: IWebhookResponseData,
	{ responseData = 'firstEntryJson' }: Pick<IWebhookDescription, 'responseData'>,
): unknown {
	if (result.noWebhookResponse === true) return undefined;
	if (result.workflowData === undefined) {
		return result.webhookResponse ?? { message: 'Webhook call received' };
	}
	return responseData || (result.webhookResponse ?? { message: 'Workflow was started' });
}

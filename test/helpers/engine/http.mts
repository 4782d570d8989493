import type { Request } from 'express';
import type { IWebhookDescription, IWebhookResponseData } from 'n8n-workflow';

/** Sixteen mebibytes, the limit that n8n sets on a request's body. */
export const BODY_LIMIT = 16 * 1024 * 1024;

/** Parses the body as n8n does before it calls a node; false when JSON was announced and is none. */
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
 * n8n's answer under `onReceived`; undefined where the node says that it answers by itself. When a workflow was
 * started, n8n looks at the node's answer only if the description of the webhook says that there is no other.
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

import type { Request } from 'express';
import type { IWebhookResponseData } from 'n8n-workflow';

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

/** n8n's own answer under `onReceived`; undefined where the node says that it answers by itself. */
export function answerOf(result: IWebhookResponseData): unknown {
	if (result.noWebhookResponse === true) return undefined;
	const started = result.workflowData !== undefined;
	const message = started ? 'Workflow was started' : 'Webhook call received';
	return result.webhookResponse ?? { message };
}

import type { Request, Response } from 'express';
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

/** n8n's own answer under `onReceived`, unless the node has answered or said that it will. */
export function respond(result: IWebhookResponseData, response: Response): void {
	if (result.noWebhookResponse === true || response.headersSent) return;
	const started = result.workflowData !== undefined;
	response.status(200).json(
		result.webhookResponse ?? {
			message: started ? 'Workflow was started' : 'Webhook call received',
		},
	);
}

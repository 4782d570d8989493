import { EventEmitter } from 'node:events';

/** The part of n8n's HTTP response object that a node uses. */
export class WebhookResponse extends EventEmitter {
	statusCode = 200;
	headersSent = false;
	body: unknown = '';

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): this {
		if (this.headersSent) return this;
		this.headersSent = true;
		this.body = body;
		this.emit('finish');
		return this;
	}
}

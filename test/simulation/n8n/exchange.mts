import { EventEmitter } from 'node:events';
import type { Request as HttpRequest, Response as HttpResponse } from 'express';
import type { INode } from 'n8n-workflow';
import type { Request, Response } from '../network.mts';

/** The part of n8n's HTTP response object that nodes use. */
class WebhookResponse extends EventEmitter {
	statusCode = 200;
	headersSent = false;
	body: unknown = '';

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(body: unknown): this {
		this.headersSent = true;
		this.body = body;
		this.emit('finish');
		return this;
	}
}

/** A request to a webhook and its response, as n8n passes them to a node. */
export class WebhookExchange {
	/** What n8n adds to the node's data. */
	readonly fields: { httpRequest: HttpRequest; httpResponse: HttpResponse };
	private readonly own = new WebhookResponse();

	constructor({ url, body }: Request) {
		const httpRequest: HttpRequest = Object.assign(Object.create(null), {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			params: {},
			query: Object.fromEntries(url.searchParams),
			body,
		});
		const httpResponse: HttpResponse = Object.setPrototypeOf(this.own, WebhookResponse.prototype);
		this.fields = { httpRequest, httpResponse };
	}

	/** Responds, unless the node has already responded. */
	respond(body: unknown, status = 200): void {
		if (!this.own.headersSent) this.own.status(status).json(body);
	}

	get response(): Response {
		return { status: this.own.statusCode, body: this.own.body };
	}
}

/** The path of a trigger's webhook (getNodeWebhookPath). */
export const pathOf = ({ webhookId }: INode) => `${webhookId}/webhook`;

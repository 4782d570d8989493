import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { CANCEL_SIGNAL, withoutCancelSignal } from '../n8n/internals';
import type { ConnectionOptions, Account, MaxunContext } from './context';
import { causeOf, readFailure, readResponse, type Exchange } from './exchange';
import { MaxunFault } from './fault';
import type { Protocol } from './protocol';
import type { ApiRequest, ResponseSchema } from './request';
import { retryAfter } from './response';
import { faultOfDownload } from './responseFaults';
import { MINUTE } from './time';

export class Exchanger {
	constructor(
		private readonly context: MaxunContext,
		private readonly protocol: Protocol,
		private readonly account: Account,
		private readonly options: ConnectionOptions,
		private readonly onHeaders: (headers: IDataObject) => void,
	) {}

	/** Undefined for contexts that can't be canceled, and for cleanup. */
	get cancelSignal(): AbortSignal | undefined {
		const { context, options } = this;
		const canBeCanceled = CANCEL_SIGNAL in context && options.cleanupEnd === undefined;
		return canBeCanceled ? context.getExecutionCancelSignal() : undefined;
	}

	async send<T>(request: ApiRequest, schema: ResponseSchema<T>): Promise<Exchange<T>> {
		const { teamId } = this.options;
		const options: IHttpRequestOptions = {
			method: request.method,
			url: this.account.baseUrl + request.path,
			qs: request.query,
			body: request.body,
			headers: {
				...this.protocol.headersWith?.(this.account.apiKey),
				...(teamId && { 'x-team-id': teamId }),
			},
			json: true,
			timeout: this.timeout(request.timeout),
			// Errors that the helper throws can't be reworded, so the status and the body are read here.
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			// Sends the key only to the credential's URL.
			disableFollowRedirect: true,
		};
		const { protocol, account } = this;
		const reader = { protocol, account, typedTexts: this.options.typedTexts };
		return await this.sendWithKey(options).then(
			({ statusCode, headers, body }) => {
				if (statusCode !== 429) this.onHeaders(headers);
				return readResponse({ status: statusCode, headers, body }, request, schema, reader);
			},
			(error: unknown) => readFailure(error, request, reader),
		);
	}

	/** The key goes only to the API itself. */
	async download(url: string, isOurs: boolean): Promise<Exchange<Buffer>> {
		this.cancelSignal?.throwIfAborted();
		const request: IHttpRequestOptions = {
			url,
			encoding: 'arraybuffer',
			timeout: this.timeout(),
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: isOurs,
		};
		const sending: Promise<IN8nHttpFullResponse> = isOurs
			? this.sendWithKey(request)
			: this.context.helpers.httpRequest(request);
		return await sending.then(
			({ statusCode, headers, body }): Exchange<Buffer> => {
				if (statusCode === 200 && body instanceof Uint8Array) return { value: Buffer.from(body) };
				const fault = faultOfDownload(url, `status ${statusCode}`, statusCode);
				return { fault, retryAfter: retryAfter(headers, Date.now()) };
			},
			(error: unknown) => ({ fault: faultOfDownload(url, causeOf(error).words) }),
		);
	}

	private timeout(wanted = this.options.timeout ?? MINUTE): number {
		const left = (this.options.cleanupEnd ?? Infinity) - Date.now();
		if (left > 0) return Math.min(wanted, left);
		throw new MaxunFault(
			'The execution was canceled before this request was sent',
			'After a cancellation, the node cleans up for ten seconds. Check whether anything remains in Maxun',
			{ notProcessed: true },
		);
	}

	/** n8n resolves an execution's credential for each request, because it may take hours. That costs 75 ms. */
	private async sendWithKey(request: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		const { context, protocol, account } = this;
		const isExecution = CANCEL_SIGNAL in context;
		const { httpRequestWithAuthentication } = context.helpers;
		const options = isExecution ? undefined : { credentialsDecrypted: account.credential };
		return await httpRequestWithAuthentication.call(
			isExecution ? withoutCancelSignal(context) : context,
			protocol.credentialType,
			request,
			options,
		);
	}
}

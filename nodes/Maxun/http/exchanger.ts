import type { IDataObject, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { CANCEL_SIGNAL, withoutCancelSignal } from '../n8n/internals';
import { networkCode } from '../n8n/olderVersions';
import type { ConnectionOptions } from './connectionOptions';
import type { Access, MaxunContext } from './context';
import { MaxunFault } from './fault';
import type { Protocol } from './protocol';
import { bodyWithout, withoutSecrets, type Secrets } from './redaction';
import type { ApiRequest, ResponseSchema } from './request';
import { isNotJson, reportsFailure, retryAfter, type HttpResponse } from './response';
import { faultOfContent, faultOfDownload, faultOfNetwork, faultOfResponse } from './responseFaults';
import { MINUTE } from './time';

/** The result of one request. `retryAfter` is the delay that the server asks for, in milliseconds. */
export type Exchange<T> = { value: T } | { fault: MaxunFault; retryAfter?: number };

/** Sends each request once, with a credential, and reads the response. */
export class Exchanger {
	/** @param onHeaders receives the headers of each response within the rate limit */
	constructor(
		private readonly context: MaxunContext,
		private readonly protocol: Protocol,
		private readonly account: Access,
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
		return await this.sendWithKey(options).then(
			({ statusCode, headers, body }) => {
				if (statusCode !== 429) this.onHeaders(headers);
				return this.read({ status: statusCode, headers, body }, request, schema);
			},
			(error: unknown): Exchange<T> => {
				const { code, words } = causeOf(error);
				const shown = withoutSecrets(words, this.secrets);
				return { fault: faultOfNetwork(code, shown, this.account.baseUrl, request) };
			},
		);
	}

	/** @param isOurs whether the API itself stores the file, so that it gets the key */
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

	private get secrets(): Secrets {
		const { apiKey, languageModel } = this.account;
		const { typedTexts = [] } = this.options;
		const keys = [apiKey, languageModel?.apiKey ?? ''];
		return [
			...keys.map((key): Secrets[number] => [key, '[API key]']),
			...typedTexts.map((text): Secrets[number] => [text, '[typed text]']),
		];
	}

	/** A request's timeout in milliseconds. @throws MaxunFault if the time for cleanup is over */
	private timeout(wanted = this.options.timeout ?? MINUTE): number {
		const left = (this.options.cleanupEnd ?? Infinity) - Date.now();
		if (left > 0) return Math.min(wanted, left);
		throw new MaxunFault(
			'The execution was canceled before this request was sent',
			'After a cancellation, the node cleans up for ten seconds. Check whether anything remains in Maxun',
			{ notProcessed: true },
		);
	}

	/**
	 * Sends a request with the credential. An execution may take hours, so n8n resolves its credential for each request.
	 * All other contexts resolve it once, because resolving takes n8n 75 ms of CPU time.
	 */
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

	private read<T>(
		response: HttpResponse,
		request: ApiRequest,
		schema: ResponseSchema<T>,
	): Exchange<T> {
		const { protocol } = this;
		const { status, headers, body } = response;
		const shown = () => ({ ...response, body: bodyWithout(body, this.secrets) });
		const failed = (fault: MaxunFault) => ({ fault, retryAfter: retryAfter(headers, Date.now()) });
		if (status < 200 || status >= 300 || reportsFailure(body)) {
			return failed(faultOfResponse(shown(), request, protocol));
		}
		if (isNotJson(body)) return failed(faultOfContent(shown(), request, protocol));
		const parsed = schema.safeParse(protocol.payloadOf(body, this.account.timezone));
		if (parsed.success) return { value: parsed.data };
		const detail = parsed.error.issues
			.map((issue) => `${issue.path.join('.') || 'the response'}: ${issue.message}`)
			.join('; ');
		return failed(faultOfContent(response, request, protocol, detail));
	}
}

/** The network error's code and message, from the cause of n8n's error. */
function causeOf(error: unknown): { code: string; words: string } {
	if (!(error instanceof Error)) return { code: '', words: String(error) };
	const { cause } = error;
	if (cause instanceof Error) return causeOf(cause);
	const code = error.name.startsWith('SsrfBlocked') ? error.name : networkCode(error);
	return { code, words: error.message };
}

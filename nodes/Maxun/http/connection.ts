import { createHmac } from 'crypto';
import type { IHttpRequestMethods, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { withoutCancelSignal } from '../n8n/internals';
import { networkCode, sleep, unlessAborted } from '../n8n/olderVersions';
import { CONCURRENCY } from './concurrency';
import type { Account, LanguageModel, MaxunContext } from './context';
import { MaxunFault } from './fault';
import type { Protocol } from './protocol';
import { bodyWithout, withoutSecrets, type Secrets } from './redaction';
import type { ApiRequest, ResponseSchema } from './request';
import { RequestLimiter } from './requestLimiter';
import { isNotJson, reportsFailure, retryAfter, type HttpResponse } from './response';
import { faultOfContent, faultOfDownload, faultOfNetwork, faultOfResponse } from './responseFaults';
import { DEFAULT_RETRY_LIMITS, isRateLimited, retryDelay, type RetryLimits } from './retry';
import { Sender } from './sender';
import { MINUTE, SECOND } from './time';

const CANCEL_SIGNAL = 'getExecutionCancelSignal';

export interface ConnectionOptions extends Partial<RetryLimits> {
	/** Maximum number of requests at the same time, together with those of all connections derived from the same one. */
	concurrency?: number;
	/** Uses this team instead of the credential's. */
	teamId?: string;
	/** Timeout of one attempt, in milliseconds. One minute by default. */
	timeout?: number;
	/** Texts that the user types into a page, for example a password. No fault contains them. */
	typedTexts?: string[];
	/** When the cleanup after a cancellation ends, in epoch milliseconds. */
	cleanupEnd?: number;
}

/** Options for cleanup: requests are also sent after a cancellation, but once, and for ten seconds from now at most. */
export const forCleanup = (): ConnectionOptions => ({
	maxRetries: 0,
	cleanupEnd: Date.now() + 10 * SECOND,
});

/** The outcome of sending a request once. `retryAfter` is what the server asked for, in milliseconds. */
type Attempt<T> = { value: T } | { fault: MaxunFault; retryAfter?: number };

/**
 * The API, as used by one n8n context. Connections derived from each other share the limits on requests.
 *
 * n8n's own request helper never gets the execution's cancel signal, because it would abort requests whose result is
 * then lost. Instead, nothing is sent after a cancellation, and nobody waits for a read. Only a request that creates,
 * starts or changes something is awaited if it was sent.
 */
export class Connection extends Sender {
	constructor(
		private readonly context: MaxunContext,
		private readonly protocol: Protocol,
		private readonly account: Account,
		private readonly options: ConnectionOptions = {},
		private readonly limiter = new RequestLimiter(),
	) {
		super();
	}

	/** The root of the API. */
	get baseUrl(): string {
		return this.account.baseUrl;
	}

	/** The server's IANA time zone, if the credential contains it. */
	get timezone(): string | undefined {
		return this.account.timezone;
	}

	/** The language model in the credential; undefined for the server's own. */
	get languageModel(): LanguageModel | undefined {
		return this.account.languageModel;
	}

	/** Maximum number of requests at the same time. */
	get concurrency(): number {
		return this.options.concurrency ?? CONCURRENCY;
	}

	/** Maximum number of milliseconds that one request waits for retries and the rate limit. */
	get maxWait(): number {
		const { maxWait = DEFAULT_RETRY_LIMITS.maxWait, cleanupEnd = Infinity } = this.options;
		return Math.min(maxWait, Math.max(0, cleanupEnd - Date.now()));
	}

	/** The team this connection uses; undefined for the credential's team. */
	get teamId(): string | undefined {
		return this.options.teamId;
	}

	/** The same connection with other options. Its requests never wait longer than before. */
	with(options: ConnectionOptions): Connection {
		const { context, protocol, account, limiter } = this;
		const maxWait = Math.min(this.maxWait, options.maxWait ?? Infinity);
		const all = { ...this.options, ...options, maxWait };
		return new Connection(context, protocol, account, all, limiter);
	}

	/** The same account, through another protocol of its server. */
	through(protocol: Protocol): Connection {
		const { context, options, limiter } = this;
		const account = { ...this.account, baseUrl: protocol.rootOf(this.account.baseUrl) };
		return new Connection(context, protocol, account, options, limiter);
	}

	/**
	 * Sends a request and reads the response. Waits for the rate limit, and retries when that is safe.
	 *
	 * @throws MaxunFault if the request doesn't succeed
	 */
	async send<T>(request: ApiRequest, schema: ResponseSchema<T>): Promise<T> {
		const { method } = request;
		return await this.persist(method, this.limiter, async (retries) => {
			const outcome = await this.attemptInTurn(request, schema);
			if (!outcome || 'value' in outcome) return outcome;
			const { fault } = outcome;
			// The first deletion worked, but its response was lost. The retry finds nothing.
			const isGone = method === 'DELETE' && retries > 0 && fault.isNotFound;
			return isGone ? { value: schema.parse(null) } : outcome;
		});
	}

	/** Signs text with the API key. @returns 64 hexadecimal digits */
	readonly sign = (text: string): string =>
		createHmac('sha256', this.account.apiKey).update(text).digest('hex');

	/** The server's time in epoch milliseconds, from its latest response; n8n's time if it doesn't send it. */
	readonly serverTime = (): number => Date.now() + this.limiter.clockOffset;

	/** Rejects if the execution is canceled in the meantime. */
	readonly sleep = async (milliseconds: number): Promise<void> => {
		if (milliseconds > 0) await sleep(milliseconds, this.cancelSignal);
	};

	/** @throws n8n's own error if the execution was canceled */
	readonly throwIfCanceled = (): void => this.cancelSignal?.throwIfAborted();

	/**
	 * Downloads a file. Sends the key only to the API's origin, never to another file store or after a redirect. Retries
	 * like `send`. A file store's own rate limit doesn't delay other requests.
	 *
	 * @throws MaxunFault if the URL doesn't return a file
	 */
	readonly download = async (url: string): Promise<Buffer> => {
		if (!URL.canParse(url)) throw faultOfDownload(url, 'this is not a URL');
		const isOwn = new URL(url).origin === new URL(this.baseUrl).origin;
		const limiter = isOwn ? this.limiter : new RequestLimiter();
		return await this.persist('GET', limiter, async () => {
			const working = this.limiter.run(this.concurrency, async () =>
				limiter.isPaused ? undefined : await this.attemptDownload(url, isOwn),
			);
			return await unlessAborted(working, this.cancelSignal);
		});
	};

	/**
	 * Attempts a request until it succeeds, as far as that is safe.
	 *
	 * @param limiter knows when the server accepts requests
	 * @param attempt returns undefined if the rate limit no longer allows the request
	 * @throws MaxunFault of the last attempt
	 */
	private async persist<T>(
		method: IHttpRequestMethods,
		limiter: RequestLimiter,
		attempt: (retries: number) => Promise<Attempt<T> | undefined>,
	): Promise<T> {
		const { limits } = this;
		for (let retries = 0, waited = 0; ; ) {
			const left = limiter.timeToWait(limits.maxWait - waited);
			await this.sleep(left);
			waited += left;
			const outcome = await attempt(retries);
			if (!outcome) continue;
			if ('value' in outcome) return outcome.value;
			const { fault } = outcome;
			const delay = retryDelay(fault, outcome.retryAfter, { method, retries, waited }, limits);
			// Even if this request can't wait, the other ones of the connection must.
			if (isRateLimited(fault)) limiter.refused(delay ?? outcome.retryAfter ?? 0, fault);
			if (delay === undefined) throw fault;
			if (isRateLimited(fault)) continue;
			retries++;
			waited += delay;
			await this.sleep(delay);
		}
	}

	private async attemptDownload(url: string, isOwn: boolean): Promise<Attempt<Buffer>> {
		this.throwIfCanceled();
		const request: IHttpRequestOptions = {
			url,
			encoding: 'arraybuffer',
			timeout: this.timeout(),
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: isOwn,
		};
		const sending: Promise<IN8nHttpFullResponse> = isOwn
			? this.sendWithKey(request)
			: this.context.helpers.httpRequest(request);
		return await sending.then(
			({ statusCode, headers, body }): Attempt<Buffer> => {
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

	private get limits(): RetryLimits {
		return { ...DEFAULT_RETRY_LIMITS, ...this.options, maxWait: this.maxWait };
	}

	/** Undefined for contexts that can't be canceled, and for cleanup. */
	private get cancelSignal(): AbortSignal | undefined {
		const { context, options } = this;
		const canBeCanceled = CANCEL_SIGNAL in context && options.cleanupEnd === undefined;
		return canBeCanceled ? context.getExecutionCancelSignal() : undefined;
	}

	/** How long a request may take, in milliseconds. @throws MaxunFault if the time for cleanup is over */
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
	 * Sends a request when few enough others are active. Cleanup doesn't wait for others, which may hang.
	 *
	 * @returns undefined if the rate limit no longer allows it
	 */
	private async attemptInTurn<T>(
		request: ApiRequest,
		schema: ResponseSchema<T>,
	): Promise<Attempt<T> | undefined> {
		const { limiter, cancelSignal } = this;
		const isAwaited = request.method !== 'GET' && !request.isLong;
		let isSent = false;
		const attempt = async () => {
			cancelSignal?.throwIfAborted();
			isSent = true;
			return await this.attempt(request, schema);
		};
		const working =
			request.isLong || this.options.cleanupEnd !== undefined
				? attempt()
				: limiter.run(this.concurrency, async () =>
						limiter.isPaused ? undefined : await attempt(),
					);
		return await unlessAborted(working, cancelSignal).catch(async (error: unknown) => {
			if (isSent && isAwaited) return await working;
			throw error;
		});
	}

	private async attempt<T>(request: ApiRequest, schema: ResponseSchema<T>): Promise<Attempt<T>> {
		const { teamId } = this.options;
		const options: IHttpRequestOptions = {
			method: request.method,
			url: this.baseUrl + request.path,
			qs: request.query,
			body: request.body,
			headers: {
				...this.protocol.headersWith?.(this.account.apiKey),
				...(teamId && { 'x-team-id': teamId }),
			},
			json: true,
			timeout: this.timeout(request.timeout),
			// Errors that the helper throws can't be reworded, so status and body are read here.
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			// Sends the key only to the credential's URL.
			disableFollowRedirect: true,
		};
		return await this.sendWithKey(options).then(
			({ statusCode, headers, body }) => {
				if (statusCode !== 429) this.limiter.accepted(headers);
				return this.read({ status: statusCode, headers, body }, request, schema);
			},
			(error: unknown): Attempt<T> => {
				const { code, words } = causeOf(error);
				const shown = withoutSecrets(words, this.secrets);
				return { fault: faultOfNetwork(code, shown, this.baseUrl, request) };
			},
		);
	}

	/**
	 * Sends a request with the credential. An execution may take hours, so n8n resolves its credential for each request.
	 * All other contexts resolve it once, because each time takes n8n 75 ms of a core to prepare for expressions.
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
	): Attempt<T> {
		const { protocol } = this;
		const { status, headers, body } = response;
		const shown = () => ({ ...response, body: bodyWithout(body, this.secrets) });
		const failed = (fault: MaxunFault) => ({ fault, retryAfter: retryAfter(headers, Date.now()) });
		if (status < 200 || status >= 300 || reportsFailure(body)) {
			return failed(faultOfResponse(shown(), request, protocol));
		}
		if (isNotJson(body)) return failed(faultOfContent(shown(), request, protocol));
		const parsed = schema.safeParse(protocol.payloadOf(body, this.timezone));
		if (parsed.success) return { value: parsed.data };
		const detail = parsed.error.issues
			.map((issue) => `${issue.path.join('.') || 'the response'}: ${issue.message}`)
			.join('; ');
		return failed(faultOfContent(response, request, protocol, detail));
	}
}

/** The code and message of the network error, from the cause of n8n's error. */
function causeOf(error: unknown): { code: string; words: string } {
	if (!(error instanceof Error)) return { code: '', words: String(error) };
	const { cause } = error;
	if (cause instanceof Error) return causeOf(cause);
	const code = error.name.startsWith('SsrfBlocked') ? error.name : networkCode(error);
	return { code, words: error.message };
}

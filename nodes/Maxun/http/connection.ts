import { createHmac } from 'crypto';
import type { IHttpRequestMethods, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { withCancelSignal, withoutCancelSignal } from '../n8n/internals';
import { networkCode, sleep } from '../n8n/olderVersions';
import { CONCURRENCY } from './concurrency';
import type { Account, LanguageModel, MaxunContext } from './context';
import { MaxunFault } from './fault';
import type { Protocol } from './protocol';
import { bodyWithoutKey } from './redaction';
import type { ApiRequest, ResponseSchema } from './request';
import { RequestLimiter } from './requestLimiter';
import { isNotJson, retryAfter, type HttpResponse } from './response';
import { faultOfContent, faultOfNetwork, wasNeverSent } from './responseFaults';
import { DEFAULT_RETRY_LIMITS, retryDelay, type Refusal, type RetryLimits } from './retry';

const CANCEL_SIGNAL = 'getExecutionCancelSignal';

const MAY_HAVE_SUCCEEDED =
	'Maxun may have processed the request. Check in Maxun before you run the node again';

/** Default timeout of one attempt, in milliseconds. */
const TIMEOUT = 60_000;

export interface ConnectionOptions extends Partial<RetryLimits> {
	/** Maximum number of simultaneous requests, together with those of all connections derived from the same one. */
	concurrency?: number;
	/** Uses this team instead of the credential's. */
	teamId?: string;
	/** Timeout of one attempt, in milliseconds. */
	timeout?: number;
}

type Attempt<T> = { value: T } | { fault: MaxunFault; refusal: Refusal };

/** The API, as used by one n8n context. Connections derived from each other share the limits on requests. */
export class Connection {
	constructor(
		private readonly context: MaxunContext,
		private readonly protocol: Protocol,
		private readonly account: Account,
		private readonly options: ConnectionOptions = {},
		private readonly limiter = new RequestLimiter(),
		/** Whether a cancellation only prevents POST requests. */
		private readonly isCreating = false,
	) {}

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

	/** Maximum number of simultaneous requests. */
	get concurrency(): number {
		return this.options.concurrency ?? CONCURRENCY;
	}

	/** The team this connection uses; undefined for the credential's team. */
	get teamId(): string | undefined {
		return this.options.teamId;
	}

	/** The same connection with other options. */
	with(options: ConnectionOptions): Connection {
		const { context, protocol, account, limiter, isCreating } = this;
		const merged = { ...this.options, ...options };
		return new Connection(context, protocol, account, merged, limiter, isCreating);
	}

	/** The same connection, with a limit on how long requests wait for retries and the rate limit. */
	within(milliseconds: number): Connection {
		const { maxWait = DEFAULT_RETRY_LIMITS.maxWait } = this.options;
		return this.with({ maxWait: Math.min(maxWait, milliseconds) });
	}

	/** The same connection until the signal is aborted. Then requests that are under way or wait are aborted, too. */
	until(signal: AbortSignal): Connection {
		const { protocol, account, options, limiter, isCreating } = this;
		const own = this.cancelSignal();
		const either = own ? AbortSignal.any([own, signal]) : signal;
		const context = withCancelSignal(this.context, either);
		return new Connection(context, protocol, account, options, limiter, isCreating);
	}

	/** The same connection for cleanup: it sends requests even if the execution was cancelled. */
	afterCancel(): Connection {
		const { context, protocol, account, options, limiter } = this;
		return new Connection(withoutCancelSignal(context), protocol, account, options, limiter);
	}

	/**
	 * The same connection for creations and starts. A cancellation prevents POST requests that were not sent, but aborts
	 * none that was, because its result would be lost. It doesn't affect other requests, which check or use the result.
	 */
	creating(): Connection {
		const { context, protocol, account, options, limiter } = this;
		return new Connection(context, protocol, account, options, limiter, true);
	}

	/**
	 * Sends a request and reads the response. Waits for the rate limit, and retries when that is safe.
	 *
	 * @throws MaxunFault if the request doesn't succeed
	 */
	async send<T>(request: ApiRequest, schema: ResponseSchema<T>): Promise<T> {
		const limits = { ...DEFAULT_RETRY_LIMITS, ...this.options };
		const { method } = request;
		for (let retries = 0, waited = 0; ; ) {
			waited += await this.waitForRateLimit(limits.maxWait - waited, method);
			const outcome = await this.attemptInTurn(request, schema);
			if (!outcome) continue;
			if ('value' in outcome) return outcome.value;
			const { fault, refusal } = outcome;
			// The first deletion worked, but its response was lost. The retry finds nothing.
			if (method === 'DELETE' && retries > 0 && fault.status === 404) return schema.parse(null);
			const delay = retryDelay(refusal, { method, retries, waited }, limits);
			const shown = fault.without(this.account.apiKey).without(this.languageModel?.apiKey ?? '');
			if (delay === undefined) {
				if (method !== 'POST' || !fault.uncertain) throw shown;
				throw shown.adding(MAY_HAVE_SUCCEEDED).repeating(true);
			}
			if (refusal.rateLimited) {
				this.limiter.refused(delay, shown);
				continue;
			}
			retries++;
			waited += delay;
			await sleep(delay, this.cancelSignal(method));
		}
	}

	/** Signs text with the API key. @returns 64 hexadecimal digits */
	sign(text: string): string {
		return createHmac('sha256', this.account.apiKey).update(text).digest('hex');
	}

	/** Rejects if the execution is cancelled meanwhile. */
	async sleep(milliseconds: number): Promise<void> {
		if (milliseconds > 0) await sleep(milliseconds, this.cancelSignal());
	}

	/** @throws n8n's own error if the execution was cancelled */
	throwIfCancelled(): void {
		this.cancelSignal()?.throwIfAborted();
	}

	/**
	 * Downloads a file. Sends the key only to the API's origin, never to another file store or after a redirect.
	 *
	 * @throws MaxunFault if the URL doesn't return a file
	 */
	async download(url: string): Promise<Buffer> {
		const isOwn = new URL(url).origin === new URL(this.baseUrl).origin;
		const { helpers } = this.context;
		const request: IHttpRequestOptions = {
			url,
			encoding: 'arraybuffer',
			timeout: this.options.timeout ?? TIMEOUT,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: isOwn,
		};
		const send = async (): Promise<IN8nHttpFullResponse> =>
			isOwn ? await this.sendWithKey(request) : await helpers.httpRequest(request);
		const { statusCode, body } = await this.limiter
			.run(this.concurrency, send)
			.catch((error: unknown) => {
				throw notDownloaded(url, error instanceof Error ? error.message : String(error));
			});
		if (statusCode === 200 && body instanceof Uint8Array) return Buffer.from(body);
		throw notDownloaded(url, `status ${statusCode}`);
	}

	/**
	 * Waits until the rate limit allows requests. @returns how many milliseconds it waited
	 *
	 * @throws MaxunFault immediately if this would take longer than `atMost` milliseconds
	 */
	private async waitForRateLimit(atMost: number, method: IHttpRequestMethods): Promise<number> {
		const left = this.limiter.timeToWait(atMost);
		if (left > 0) await sleep(left, this.cancelSignal(method));
		return left;
	}

	/** Sends a request when few enough others are active. @returns undefined if the rate limit no longer allows it */
	private async attemptInTurn<T>(
		request: ApiRequest,
		schema: ResponseSchema<T>,
	): Promise<Attempt<T> | undefined> {
		if (request.isLong) return await this.attempt(request, schema);
		return await this.limiter.run(this.concurrency, async () => {
			this.cancelSignal(request.method)?.throwIfAborted();
			return this.limiter.isPaused ? undefined : await this.attempt(request, schema);
		});
	}

	/** @param method of the request that the signal prevents */
	private cancelSignal(method?: IHttpRequestMethods): AbortSignal | undefined {
		const { context, isCreating } = this;
		const isLasting = isCreating && method !== 'POST';
		return CANCEL_SIGNAL in context && !isLasting ? context.getExecutionCancelSignal() : undefined;
	}

	private async attempt<T>(request: ApiRequest, schema: ResponseSchema<T>): Promise<Attempt<T>> {
		const { teamId, timeout = TIMEOUT } = this.options;
		const options: IHttpRequestOptions = {
			method: request.method,
			url: this.baseUrl + request.path,
			qs: request.query,
			body: request.body,
			headers: teamId ? { 'x-team-id': teamId } : {},
			json: true,
			timeout: request.timeout ?? timeout,
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
			(error: unknown) => this.readNetworkError(error),
		);
	}

	/**
	 * Sends a request with the credential. An execution may take hours, so n8n resolves its credential for each request.
	 * All other contexts resolve it once, because each time takes n8n 75 ms of a core to prepare for expressions.
	 */
	private async sendWithKey(request: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		const { protocol, account } = this;
		const context = this.isCreating ? withoutCancelSignal(this.context) : this.context;
		const isExecution = CANCEL_SIGNAL in context;
		const { httpRequestWithAuthentication } = context.helpers;
		const options = isExecution ? undefined : { credentialsDecrypted: account.credential };
		return await httpRequestWithAuthentication.call(
			context,
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
		const refusal: Refusal = {
			transient: [502, 503, 504].includes(status),
			neverSent: false,
			rateLimited: status === 429,
			retryAfter: retryAfter(headers, Date.now()),
		};
		const shown = () => ({ ...response, body: bodyWithoutKey(body, this.account.apiKey) });
		if (status < 200 || status >= 300 || protocol.reportsFailure(body)) {
			return { fault: protocol.faultOf(shown(), request), refusal };
		}
		if (isNotJson(body)) {
			const fault = faultOfContent(shown(), request, protocol);
			return { fault, refusal: { ...refusal, transient: fault.transient } };
		}
		const parsed = schema.safeParse(protocol.payloadOf(body, this.timezone));
		if (parsed.success) return { value: parsed.data };
		const detail = parsed.error.issues
			.map((issue) => `${issue.path.join('.') || 'the response'}: ${issue.message}`)
			.join('; ');
		return { fault: faultOfContent(response, request, protocol, detail), refusal };
	}

	private readNetworkError(error: unknown): Attempt<never> {
		const { code, words } = causeOf(error);
		if (code === 'ERR_CANCELED' && this.cancelSignal()?.aborted) throw error;
		const fault = faultOfNetwork(code, words, this.baseUrl);
		const { transient } = fault;
		return { fault, refusal: { transient, neverSent: wasNeverSent(code), rateLimited: false } };
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

const notDownloaded = (url: string, reason: string) =>
	new MaxunFault('The screenshot could not be downloaded', `${url.split('?')[0]}: ${reason}`);

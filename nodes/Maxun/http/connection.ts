import { createHmac } from 'crypto';
import type { IHttpRequestMethods, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { CANCEL_SIGNAL, withSignal } from '../n8n/internals';
import { sleep, unlessAborted } from '../n8n/olderVersions';
import { CONCURRENCY } from './concurrency';
import type {
	Account,
	ConnectionOptions,
	LanguageModel,
	MaxunContext,
	Protocol,
	Routes,
} from './context';
import { downloadPicture } from './download';
import { faultOfError, readResponse } from './exchange';
import { MaxunFault, recover } from './fault';
import type { ApiRequest, ResponseSchema } from './request';
import { bodyOf, type HttpResponse } from './response';
import { RequestLimiter } from './requestLimiter';
import { DEFAULT_RETRY_LIMITS, isRateLimited, retryDelay } from './retry';
import { Sender } from './sender';
import { MINUTE } from './time';

/** Undefined if another request is rejected because of the rate limit before this request is sent. */
type Sent<T> = { value: T } | undefined;

/**
 * Connections derived from each other share the limits on requests. n8n's request helper never gets the execution's
 * cancel signal, because it would abort requests and lose their results. After a cancellation, the node doesn't send
 * anything, and only waits for requests that create, start or change something.
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

	get baseUrl(): string {
		return this.account.baseUrl;
	}

	get timezone(): string | undefined {
		return this.account.timezone;
	}

	get languageModel(): LanguageModel | undefined {
		return this.account.languageModel;
	}

	get concurrency(): number {
		return this.options.concurrency ?? CONCURRENCY;
	}

	/** Milliseconds that a request may wait for retries and the rate limit. */
	get maxWait(): number {
		const { maxWait = DEFAULT_RETRY_LIMITS.maxWait, cleanupEnd = Infinity } = this.options;
		return Math.min(maxWait, Math.max(0, cleanupEnd - Date.now()));
	}

	get teamId(): string | undefined {
		return this.options.teamId ?? this.account.teamId;
	}

	with(options: ConnectionOptions): Connection {
		const { context, protocol, account, limiter } = this;
		const maxWait = Math.min(this.maxWait, options.maxWait ?? Infinity);
		const all = { ...this.options, ...options, maxWait };
		return new Connection(context, protocol, account, all, limiter);
	}

	through(routes: Routes): Connection {
		const { context, options, limiter } = this;
		const account = { ...this.account, baseUrl: routes.rootOf(this.account.baseUrl) };
		const { credential, probe } = this.protocol;
		const protocol = { ...routes, credential, probe };
		return new Connection(context, protocol, account, options, limiter);
	}

	/** Waits for the rate limit, and retries when that is safe. @throws MaxunFault if the request doesn't succeed */
	async send<T>(request: ApiRequest, schema: ResponseSchema<T>): Promise<T> {
		const { method } = request;
		return await this.persist(method, this.limiter, async (retries) => {
			const sending = this.sendInTurn(request, schema);
			if (method !== 'DELETE' || retries === 0) return await sending;
			// The first deletion worked, but its response was lost. The retry doesn't find anything.
			return await recover(sending, { notFound: () => ({ value: schema.parse(null) }) });
		});
	}

	readonly sign = (text: string): string =>
		createHmac('sha256', this.account.apiKey).update(text).digest('hex');

	/** In epoch milliseconds, from the latest response; n8n's time before the first response. */
	readonly serverTime = (): number => Date.now() + this.limiter.clockOffset;

	readonly sleep = async (milliseconds: number): Promise<void> => {
		if (milliseconds > 0) await sleep(milliseconds, this.cancelSignal);
	};

	readonly throwIfCanceled = (): void => this.cancelSignal?.throwIfAborted();

	/** A picture. A file store's rate limit delays no other request. */
	readonly download = async (url: string): Promise<Buffer> => {
		const limiter = this.isOurs(url) ? this.limiter : new RequestLimiter();
		return await this.persist('GET', limiter, async () => {
			const working = this.limiter.run(this.concurrency, async () =>
				limiter.isRefusing ? undefined : { value: await this.downloadOnce(url) },
			);
			return await unlessAborted(working, this.cancelSignal);
		});
	};

	private async persist<T>(
		method: IHttpRequestMethods,
		limiter: RequestLimiter,
		attempt: (retries: number) => Promise<Sent<T>>,
	): Promise<T> {
		const limits = { ...DEFAULT_RETRY_LIMITS, ...this.options, maxWait: this.maxWait };
		for (let retries = 0, waited = 0; ; ) {
			const left = limiter.timeToWait(limits.maxWait - waited);
			await this.sleep(left);
			waited += left;
			const outcome = await recover(attempt(retries), { any: (fault) => fault });
			if (!outcome) continue;
			if (!(outcome instanceof MaxunFault)) return outcome.value;
			const delay = retryDelay(outcome, { method, retries, waited }, limits);
			// The connection's other requests must wait even if this request can't.
			if (isRateLimited(outcome)) limiter.refused(delay ?? outcome.retryAfter ?? 0, outcome);
			if (delay === undefined) throw outcome;
			if (isRateLimited(outcome)) continue;
			retries++;
			waited += delay;
			await this.sleep(delay);
		}
	}

	private async sendInTurn<T>(request: ApiRequest, schema: ResponseSchema<T>): Promise<Sent<T>> {
		const { limiter, cancelSignal } = this;
		const isAwaited = request.method !== 'GET' && !request.isLong;
		let isSent = false;
		const sending = async () => {
			cancelSignal?.throwIfAborted();
			isSent = true;
			return { value: await this.sendOnce(request, schema) };
		};
		const working =
			request.isLong || this.options.cleanupEnd !== undefined
				? sending()
				: limiter.run(this.concurrency, async () =>
						limiter.isRefusing ? undefined : await sending(),
					);
		return await unlessAborted(working, cancelSignal).catch(async (error: unknown) => {
			if (isSent && isAwaited) return await working;
			throw error;
		});
	}

	/** Undefined for contexts that can't be canceled, and for cleanup. */
	private get cancelSignal(): AbortSignal | undefined {
		const { context, options } = this;
		const canBeCanceled = CANCEL_SIGNAL in context && options.cleanupEnd === undefined;
		return canBeCanceled ? context.getExecutionCancelSignal() : undefined;
	}

	private async sendOnce<T>(request: ApiRequest, schema: ResponseSchema<T>): Promise<T> {
		const { protocol, account, teamId } = this;
		const options: IHttpRequestOptions = {
			...this.exchangeOptions(request.timeout),
			method: request.method,
			url: account.baseUrl + request.path,
			qs: request.query,
			body: request.body,
			headers: {
				...protocol.headersWith?.(account.apiKey),
				...(teamId && { 'x-team-id': teamId }),
			},
			json: true,
		};
		const reader = { protocol, account, typedTexts: this.options.typedTexts };
		const response = await this.receive(options).catch((error: unknown) => {
			throw faultOfError(error, request, reader);
		});
		if (response.status !== 429) this.limiter.accepted(response.headers);
		const read = readResponse(response, request, schema, reader);
		this.limiter.noteTime(response.headers);
		return read;
	}

	private async receive(options: IHttpRequestOptions): Promise<HttpResponse> {
		const { statusCode: status, headers, body } = await this.sendWithKey(options);
		return { status, headers, body: await bodyOf(body) };
	}

	private isOurs = (url: string) => new URL(url).origin === new URL(this.baseUrl).origin;

	/** The key goes only to the API itself. */
	private async downloadOnce(given: string): Promise<Buffer> {
		this.cancelSignal?.throwIfAborted();
		return await downloadPicture(given, this.baseUrl, async (url) => {
			const request = { ...this.exchangeOptions(), url };
			return this.isOurs(url)
				? await this.sendWithKey(request)
				: await this.context.helpers.httpRequest(request);
		});
	}

	private exchangeOptions(wanted = this.options.timeout ?? MINUTE): Partial<IHttpRequestOptions> {
		const left = (this.options.cleanupEnd ?? Infinity) - Date.now();
		if (left <= 0)
			throw new MaxunFault(
				'The execution was canceled before this request was sent',
				'After a cancellation, the node cleans up for 20 seconds. Check whether anything remains in Maxun',
				{ notProcessed: true },
			);
		const timeout = Math.min(wanted, left);
		return {
			timeout,
			// For a response that never ends, because n8n's timeout begins again with each byte.
			abortSignal: AbortSignal.timeout(5 * timeout),
			// n8n decompresses the response without a limit, so it is counted while it arrives.
			encoding: 'stream',
			// Errors that the helper throws can't be reworded, so the status and the body are read here.
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			// Sends the key only to the credential's URL.
			disableFollowRedirect: true,
		};
	}

	/** An execution may take hours, so n8n resolves its credential for each request, which takes 75 ms. Others resolve it once. */
	private async sendWithKey(request: IHttpRequestOptions): Promise<IN8nHttpFullResponse> {
		const { context, protocol, account } = this;
		const isExecution = CANCEL_SIGNAL in context;
		const { httpRequestWithAuthentication } = context.helpers;
		const options = isExecution ? undefined : { credentialsDecrypted: account.credential };
		return await httpRequestWithAuthentication.call(
			isExecution ? withSignal(context, request.abortSignal) : context,
			protocol.credential.name,
			request,
			options,
		);
	}
}

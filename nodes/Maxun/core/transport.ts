import { sleep } from 'n8n-workflow';
import type {
	IExecuteFunctions,
	IHookFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { isForeign, retryAfter, type HttpAnswer } from '../api/answer';
import { faultOfAnswer, faultOfContent, faultOfNetwork, wasNeverSent } from '../api/explain';
import { MaxunFault } from '../api/fault';
import type { Answer, ApiRequest } from '../api/request';

import { services, type Dialect, type Service } from '../api/service';
import { isTimezone } from './parameters';
import { DEFAULT_PATIENCE, retryDelay, type Patience, type Refusal } from './retry';

export type { Answer, Call } from '../api/request';

export type MaxunContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| IWebhookFunctions;

const CANCEL_SIGNAL = 'getExecutionCancelSignal';

/** Milliseconds; a request that may take longer says so. */
const TIMEOUT = 60_000;

export interface SendOptions {
	/** Acts for this team instead of the credential's. */
	teamId?: string;
	patience?: Patience;
	/** Milliseconds that one attempt may take. */
	timeout?: number;
}

type Attempted<T> = { value: T } | { fault: MaxunFault; refusal: Refusal };

/** What a credential holds. */
interface Account {
	dialect: Dialect;
	baseUrl: string;
	apiKey: string;
	timezone?: string;
}

/** The API as one n8n context reaches it. All its requests wait for the rate limit together. */
export class Connection {
	/** The rate limit that an answer told of: nothing is sent before that time, in epoch milliseconds. */
	private pause?: { until: number; fault: MaxunFault };

	constructor(
		private readonly context: MaxunContext,
		private readonly account: Account,
	) {}

	get dialect(): Dialect {
		return this.account.dialect;
	}

	/** The root of the API. */
	get baseUrl(): string {
		return this.account.baseUrl;
	}

	/** The server's time zone, where its points in time name none and the credential does. */
	get serverTimezone(): string | undefined {
		return this.account.timezone;
	}

	/** The type of the credential that signs the requests. */
	get credential(): Service['credential'] {
		return services[this.dialect].credential;
	}

	/**
	 * Sends a request and reads the answer; waits for the rate limit and repeats what may be repeated.
	 *
	 * @throws MaxunFault for everything that is not a success
	 */
	async send<T>(request: ApiRequest, answer: Answer<T>, options: SendOptions = {}): Promise<T> {
		const { patience = DEFAULT_PATIENCE } = options;
		const { method } = request;
		for (let repeated = 0, waited = 0; ; ) {
			waited += await this.waitForRate(patience.maxWait - waited);
			const outcome = await this.attempt(request, answer, options);
			if ('value' in outcome) return outcome.value;
			const { fault, refusal } = outcome;
			// A deletion whose answer was lost has been done: the repeat finds nothing.
			if (method === 'DELETE' && repeated > 0 && fault.status === 404) return answer.parse(null);
			const delay = retryDelay(refusal, { method, repeated, waited }, patience);
			const told = fault.without(this.account.apiKey);
			if (delay === undefined) throw told;
			if (refusal.rateLimited) {
				const until = Math.max(this.pause?.until ?? 0, Date.now() + delay);
				this.pause = { until, fault: told };
				continue;
			}
			repeated++;
			waited += delay;
			await this.sleep(delay);
		}
	}

	/**
	 * Waits until the rate limit lets requests through.
	 *
	 * @returns for how many milliseconds
	 * @throws MaxunFault at once where that is longer than so many milliseconds
	 */
	private async waitForRate(atMost: number): Promise<number> {
		const { pause } = this;
		const left = pause ? pause.until - Date.now() : 0;
		if (!pause || left <= 0) return 0;
		if (left > atMost) throw pause.fault;
		await this.sleep(left);
		return left;
	}

	/** Waits so many milliseconds; rejects when the execution is cancelled meanwhile. */
	async sleep(milliseconds: number): Promise<void> {
		if (milliseconds > 0) await sleep(milliseconds, this.cancelSignal());
	}

	/** @throws n8n's own error when the execution has been cancelled */
	throwIfCancelled(): void {
		this.cancelSignal()?.throwIfAborted();
	}

	/** The same connection for clearing up: its requests go out although the execution has been cancelled. */
	afterwards(): Connection {
		// n8n hands the cancel signal to every request of a context that has one.
		const context = new Proxy(this.context, {
			has: (target, key) => key !== CANCEL_SIGNAL && key in target,
		});
		return new Connection(context, this.account);
	}

	private cancelSignal(): AbortSignal | undefined {
		const { context } = this;
		return CANCEL_SIGNAL in context ? context.getExecutionCancelSignal() : undefined;
	}

	private async attempt<T>(
		request: ApiRequest,
		answer: Answer<T>,
		{ teamId, timeout = TIMEOUT }: SendOptions,
	): Promise<Attempted<T>> {
		const options: IHttpRequestOptions = {
			method: request.method,
			url: this.baseUrl + request.path,
			qs: request.query,
			body: request.body,
			headers: teamId ? { 'x-team-id': teamId } : {},
			json: true,
			timeout: request.timeout ?? timeout,
			// Status and body are read here: what the helper throws cannot be put into better words any more.
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			// The key goes to the credential's own address and nowhere else.
			disableFollowRedirect: true,
		};
		return await this.context.helpers.httpRequestWithAuthentication
			.call(this.context, this.credential, options)
			.then(
				({ statusCode, headers, body }: IN8nHttpFullResponse) =>
					this.outcomeOf({ status: statusCode, headers, body }, request, answer),
				(error: unknown) => this.outcomeWithoutAnswer(error),
			);
	}

	private outcomeOf<T>(reply: HttpAnswer, request: ApiRequest, answer: Answer<T>): Attempted<T> {
		const service = services[this.dialect];
		const { status, headers, body } = reply;
		const refusal: Refusal = {
			passing: [502, 503, 504].includes(status),
			neverSent: false,
			rateLimited: status === 429,
			retryAfter: retryAfter(headers, Date.now()),
		};
		if (status < 200 || status >= 300 || service.saysFailure(body)) {
			return { fault: faultOfAnswer(reply, request, service), refusal };
		}
		const unreadable = (detail?: string) =>
			faultOfContent(reply, request, service.exampleBaseUrl, detail);
		if (isForeign(body)) {
			const cut = /^\s*[[{]/.test(String(body)); // JSON that breaks off, unlike a page of some other server
			return { fault: unreadable(), refusal: { ...refusal, passing: cut } };
		}
		const parsed = answer.safeParse(service.payloadOf(body, this.serverTimezone));
		if (parsed.success) return { value: parsed.data };
		const detail = parsed.error.issues
			.map((issue) => `${issue.path.join('.') || 'the answer'}: ${issue.message}`)
			.join('; ');
		return { fault: unreadable(detail), refusal };
	}

	private outcomeWithoutAnswer(error: unknown): Attempted<never> {
		const { code, words } = causeOf(error);
		if (code === 'ERR_CANCELED') throw error;
		const fault = faultOfNetwork(code, words, this.baseUrl);
		return {
			fault,
			refusal: { passing: fault.transient, neverSent: wasNeverSent(code), rateLimited: false },
		};
	}
}

/** The network's own code and words, which n8n's error carries as its cause. */
function causeOf(error: unknown): { code: string; words: string } {
	if (!(error instanceof Error)) return { code: '', words: String(error) };
	const { cause } = error;
	if (cause instanceof Error) return causeOf(cause);
	const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
	return { code, words: error.message };
}

/**
 * The API with the context's credential.
 *
 * @throws n8n's own error when the node has no credential, MaxunFault for one that is not filled in rightly
 */
export async function connect(
	context: MaxunContext,
	dialect: Dialect = 'cloud',
): Promise<Connection> {
	const { credential, rootOf, exampleBaseUrl } = services[dialect];
	const { baseUrl, apiKey, timezone } = await context.getCredentials(credential);
	const address = String(baseUrl).trim().replace(/\/+$/, '');
	if (!/^https?:\/\//i.test(address)) {
		throw new MaxunFault(
			'The Base URL of the credential is not a web address',
			`It must begin with http:// or https://, such as ${exampleBaseUrl}. It is '${address}'`,
		);
	}
	const zone = typeof timezone === 'string' ? timezone.trim() : '';
	if (zone !== '' && !isTimezone(zone)) {
		throw new MaxunFault(
			`The Server Time Zone of the credential is not known: '${zone}'`,
			'It must be an IANA name, such as Europe/Berlin or UTC. Leave it empty when you do not know it',
		);
	}
	return new Connection(context, {
		dialect,
		baseUrl: rootOf(address),
		apiKey: String(apiKey).trim(),
		timezone: zone || undefined,
	});
}

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
import type { z } from 'zod';
import { isForeign, payloadOf, retryAfter, saysFailure, type HttpAnswer } from '../api/answer';
import { faultOfAnswer, faultOfContent, faultOfNetwork, wasNeverSent } from '../api/explain';
import { MaxunFault } from '../api/fault';
import type { ApiRequest } from '../api/request';
import { DEFAULT_PATIENCE, retryDelay, type Patience, type Refusal } from './retry';

export type MaxunContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| IWebhookFunctions;

/** Reads a payload into what the caller needs, or says what is wrong with it. */
export type Answer<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

/** Sends a request and reads its answer. @throws MaxunFault for everything that is not a success */
export type Call = <T>(request: ApiRequest, answer: Answer<T>) => Promise<T>;

export const CREDENTIAL = 'maxunApi';

const CANCEL_SIGNAL = 'getExecutionCancelSignal';

/** Milliseconds; no request of the API takes longer to answer, as runs go on in the background. */
const TIMEOUT = 60_000;

export interface SendOptions {
	/** Acts for this team instead of the credential's. */
	teamId?: string;
	patience?: Patience;
	/** Milliseconds that one attempt may take. */
	timeout?: number;
}

type Outcome<T> = { value: T } | { fault: MaxunFault; refusal: Refusal };

/** The API as one n8n context reaches it. All its requests wait for the rate limit together. */
export class Connection {
	private pausedUntil = 0;

	constructor(
		private readonly context: MaxunContext,
		readonly baseUrl: string,
		private readonly apiKey: string,
	) {}

	/**
	 * Sends a request and reads the answer; waits for the rate limit and repeats what may be repeated.
	 *
	 * @throws MaxunFault for everything that is not a success
	 */
	async send<T>(request: ApiRequest, answer: Answer<T>, options: SendOptions = {}): Promise<T> {
		const { patience = DEFAULT_PATIENCE } = options;
		const { method } = request;
		for (let repeated = 0, waited = 0; ; ) {
			await this.sleep(this.pausedUntil - Date.now());
			const outcome = await this.attempt(request, answer, options);
			if ('value' in outcome) return outcome.value;
			const { fault, refusal } = outcome;
			// A deletion whose answer was lost has been done: the repeat finds nothing.
			if (method === 'DELETE' && repeated > 0 && fault.status === 404) return answer.parse(null);
			const delay = retryDelay(refusal, { method, repeated, waited }, patience);
			if (delay === undefined) throw fault.without(this.apiKey);
			waited += delay;
			if (refusal.rateLimited) {
				this.pausedUntil = Math.max(this.pausedUntil, Date.now() + delay);
			} else {
				repeated++;
				await this.sleep(delay);
			}
		}
	}

	/** Waits so many milliseconds; rejects when the execution is cancelled meanwhile. */
	async sleep(milliseconds: number): Promise<void> {
		const { context } = this;
		const signal = CANCEL_SIGNAL in context ? context.getExecutionCancelSignal() : undefined;
		if (milliseconds > 0) await sleep(milliseconds, signal);
	}

	/** The same connection for clearing up: its requests go out although the execution has been cancelled. */
	afterwards(): Connection {
		// n8n hands the cancel signal to every request of a context that has one.
		const context = new Proxy(this.context, {
			has: (target, key) => key !== CANCEL_SIGNAL && key in target,
		});
		return new Connection(context, this.baseUrl, this.apiKey);
	}

	private async attempt<T>(
		request: ApiRequest,
		answer: Answer<T>,
		{ teamId, timeout = TIMEOUT }: SendOptions,
	): Promise<Outcome<T>> {
		const options: IHttpRequestOptions = {
			method: request.method,
			url: this.baseUrl + request.path,
			qs: request.query,
			body: request.body,
			headers: teamId ? { 'x-team-id': teamId } : {},
			json: true,
			timeout,
			// Status and body are read here: what the helper throws cannot be put into better words any more.
			ignoreHttpStatusErrors: true,
			returnFullResponse: true,
			// The key goes to the credential's own address and nowhere else.
			disableFollowRedirect: true,
		};
		return await this.context.helpers.httpRequestWithAuthentication
			.call(this.context, CREDENTIAL, options)
			.then(
				({ statusCode, headers, body }: IN8nHttpFullResponse) =>
					outcomeOf({ status: statusCode, headers, body }, request, answer),
				(error: unknown) => this.outcomeWithoutAnswer(error),
			);
	}

	private outcomeWithoutAnswer(error: unknown): Outcome<never> {
		const { code, words } = causeOf(error);
		if (code === 'ERR_CANCELED') throw error;
		const fault = faultOfNetwork(code, words, this.baseUrl);
		return {
			fault,
			refusal: { passing: fault.transient, neverSent: wasNeverSent(code), rateLimited: false },
		};
	}
}

function outcomeOf<T>(reply: HttpAnswer, request: ApiRequest, answer: Answer<T>): Outcome<T> {
	const { status, headers, body } = reply;
	const refusal: Refusal = {
		passing: [502, 503, 504].includes(status),
		neverSent: false,
		rateLimited: status === 429,
		retryAfter: retryAfter(headers, Date.now()),
	};
	if (status < 200 || status >= 300 || saysFailure(body)) {
		return { fault: faultOfAnswer(reply, request), refusal };
	}
	if (isForeign(body)) {
		const cut = /^\s*[[{]/.test(String(body)); // JSON that breaks off, unlike a page of some other server
		return { fault: faultOfContent(reply, request), refusal: { ...refusal, passing: cut } };
	}
	const parsed = answer.safeParse(payloadOf(body));
	if (parsed.success) return { value: parsed.data };
	const detail = parsed.error.issues
		.map((issue) => `${issue.path.join('.') || 'the answer'}: ${issue.message}`)
		.join('; ');
	return { fault: faultOfContent(reply, request, detail), refusal };
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
 * @throws n8n's own error when the node has no credential
 */
export async function connect(context: MaxunContext): Promise<Connection> {
	const { baseUrl, apiKey } = await context.getCredentials(CREDENTIAL);
	const address = String(baseUrl).trim().replace(/\/+$/, '');
	if (!/^https?:\/\//i.test(address)) {
		throw new MaxunFault(
			'The Base URL of the credential is not a web address',
			`It must begin with http:// or https://, such as https://app.maxun.dev/api/v1. It is '${address}'`,
		);
	}
	return new Connection(context, address, String(apiKey));
}

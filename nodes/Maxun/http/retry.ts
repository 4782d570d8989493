import type { IHttpRequestMethods } from 'n8n-workflow';

/** When a connection stops retrying a request. */
export interface RetryLimits {
	/** Maximum number of retries after a network fault or when the server is overloaded. */
	maxRetries: number;
	/** Maximum milliseconds that one request waits for retries and the rate limit. */
	maxWait: number;
}

export const DEFAULT_RETRY_LIMITS: RetryLimits = { maxRetries: 3, maxWait: 5 * 60_000 };

/** Why a request did not succeed. */
export interface Refusal {
	/** A network, gateway or truncation fault: a retry may succeed. */
	transient: boolean;
	/** The server can't have received the request. */
	neverSent: boolean;
	/** The server received the request but did nothing, because the rate limit is exceeded. */
	rateLimited: boolean;
	/** Milliseconds that the server asked to wait. */
	retryAfter?: number;
}

/** The request so far: its retries, and the milliseconds it has waited. */
export interface Progress {
	method: IHttpRequestMethods;
	retries: number;
	waited: number;
}

/** Milliseconds between two attempts. */
const SHORTEST = 1000;
const LONGEST = 30_000;

const IDEMPOTENT: IHttpRequestMethods[] = ['GET', 'PUT', 'DELETE'];

/**
 * Milliseconds to wait before the next retry; undefined if there is none.
 *
 * A request that starts, creates or changes something is retried only if the server can't have accepted it.
 */
export function retryDelay(
	{ transient, neverSent, rateLimited, retryAfter }: Refusal,
	{ method, retries, waited }: Progress,
	{ maxRetries, maxWait }: RetryLimits,
): number | undefined {
	if (rateLimited) {
		// At least a second, regardless of the header. Without a header, each wait is longer.
		const delay = Math.max(retryAfter ?? Math.min(waited, LONGEST), SHORTEST);
		return waited + delay > maxWait ? undefined : delay;
	}
	const delay = retryAfter ?? Math.min(SHORTEST * 2 ** retries, LONGEST);
	if (waited + delay > maxWait) return undefined;
	const mayRetry = neverSent || IDEMPOTENT.includes(method);
	return transient && mayRetry && retries < maxRetries ? delay : undefined;
}

import type { IHttpRequestMethods } from 'n8n-workflow';

/** How far a connection goes before it gives up a request. */
export interface RetryLimits {
	/** How often a request is retried after a network fault or when the service is overloaded. */
	maxRetries: number;
	/** Milliseconds that one request may spend waiting for retries and for the rate limit. */
	maxWait: number;
}

export const DEFAULT_RETRY_LIMITS: RetryLimits = { maxRetries: 3, maxWait: 5 * 60_000 };

/** Why a request was not answered with a success. */
export interface Refusal {
	/** The network, a gateway or a truncated response: a retry may succeed. */
	transient: boolean;
	/** The service can't have received the request. */
	neverSent: boolean;
	/** The service has received it and done nothing, because the rate limit is exceeded. */
	rateLimited: boolean;
	/** Milliseconds that the service asked to wait. */
	retryAfter?: number;
}

/** The request so far: how often it was retried, and how many milliseconds it has waited. */
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
 * How many milliseconds to wait before the request is sent again; undefined if it must not be or is given up.
 *
 * A request that starts, creates or changes something is retried only if the service can't have accepted it.
 */
export function retryDelay(
	{ transient, neverSent, rateLimited, retryAfter }: Refusal,
	{ method, retries, waited }: Progress,
	{ maxRetries, maxWait }: RetryLimits,
): number | undefined {
	if (rateLimited) {
		// At least a second, whatever the header says, and longer each time if there is none.
		const delay = Math.max(retryAfter ?? Math.min(waited, LONGEST), SHORTEST);
		return waited + delay > maxWait ? undefined : delay;
	}
	const delay = retryAfter ?? Math.min(SHORTEST * 2 ** retries, LONGEST);
	if (waited + delay > maxWait) return undefined;
	const mayRetry = neverSent || IDEMPOTENT.includes(method);
	return transient && mayRetry && retries < maxRetries ? delay : undefined;
}

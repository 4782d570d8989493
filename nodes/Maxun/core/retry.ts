import type { IHttpRequestMethods } from 'n8n-workflow';

/** How far a connection goes before it gives a request up. */
export interface Patience {
	/** How often a request is repeated after a network fault or an overloaded service. */
	maxRetries: number;
	/** How long one request waits altogether before it is given up, in milliseconds. */
	maxWait: number;
}

export const DEFAULT_PATIENCE: Patience = { maxRetries: 3, maxWait: 5 * 60_000 };

/** What stood in the way of a request. */
export interface Refusal {
	/** The network, a gateway or a cut answer: a repeat may well get through. */
	passing: boolean;
	/** The service has surely not seen the request. */
	neverSent: boolean;
	/** The service has seen it and done nothing, as the rate limit was used up. */
	rateLimited: boolean;
	/** Milliseconds that the service asked to wait. */
	retryAfter?: number;
}

/** The request so far: how often it was repeated for faults, and how many milliseconds it has waited. */
export interface Progress {
	method: IHttpRequestMethods;
	repeated: number;
	waited: number;
}

/** Milliseconds between two attempts. */
const SHORTEST = 1000;
const LONGEST = 30_000;

const IDEMPOTENT: IHttpRequestMethods[] = ['GET', 'PUT', 'DELETE'];

/**
 * How many milliseconds to wait before the request is sent again; undefined when it must not be or is given up.
 *
 * What starts, creates or changes something is repeated only where the service has surely not taken it.
 */
export function retryDelay(
	{ passing, neverSent, rateLimited, retryAfter }: Refusal,
	{ method, repeated, waited }: Progress,
	{ maxRetries, maxWait }: Patience,
): number | undefined {
	if (rateLimited) {
		// At least a second, whatever was answered, and more and more where nothing was.
		const delay = Math.max(retryAfter ?? Math.min(waited, LONGEST), SHORTEST);
		return waited + delay > maxWait ? undefined : delay;
	}
	const delay = retryAfter ?? Math.min(SHORTEST * 2 ** repeated, LONGEST);
	if (waited + delay > maxWait) return undefined;
	const mayRepeat = neverSent || IDEMPOTENT.includes(method);
	return passing && mayRepeat && repeated < maxRetries ? delay : undefined;
}

import type { IHttpRequestMethods } from 'n8n-workflow';
import type { MaxunFault } from './fault';
import { MINUTE, SECOND } from './time';

export interface RetryLimits {
	maxRetries: number;
	maxWait: number;
}

export const DEFAULT_RETRY_LIMITS: RetryLimits = { maxRetries: 3, maxWait: 5 * MINUTE };

/** Each PATCH of Maxun's API sets values, so it can be repeated. */
const IDEMPOTENT: IHttpRequestMethods[] = ['GET', 'PUT', 'PATCH', 'DELETE'];

export const isRateLimited = ({ status }: Pick<MaxunFault, 'status'>) => status === 429;

/** In milliseconds; undefined for no retry. Only requests that are idempotent or weren't processed are sent again. */
export function retryDelay(
	fault: Pick<MaxunFault, 'status' | 'momentary' | 'notProcessed' | 'retryAfter'>,
	{ method, retries, waited }: { method: IHttpRequestMethods; retries: number; waited: number },
	{ maxRetries, maxWait }: RetryLimits,
): number | undefined {
	const { retryAfter } = fault;
	if (isRateLimited(fault)) {
		// The delay is at least a second, whatever the header says. Without a header, each delay is longer.
		const delay = Math.max(retryAfter ?? Math.min(waited, 30 * SECOND), SECOND);
		return waited + delay > maxWait ? undefined : delay;
	}
	const delay = retryAfter ?? Math.min(SECOND * 2 ** retries, 30 * SECOND);
	if (waited + delay > maxWait) return undefined;
	const mayRetry = fault.notProcessed || IDEMPOTENT.includes(method);
	return fault.momentary && mayRetry && retries < maxRetries ? delay : undefined;
}

import type { RetryLimits } from './retry';
import { SECOND } from './time';

export interface ConnectionOptions extends Partial<RetryLimits> {
	/** Maximum number of simultaneous requests, shared with all connections derived from the same one. */
	concurrency?: number;
	/** Uses this team instead of the credential's. */
	teamId?: string;
	/** Timeout of one exchange in milliseconds; one minute by default. */
	timeout?: number;
	/** Texts that the user types into a page, such as a password. Faults never contain them. */
	typedTexts?: string[];
	/** When the cleanup after a cancellation ends, in epoch milliseconds. */
	cleanupEnd?: number;
}

/**
 * Options for cleanup: sends requests even after a cancellation, but only once, and for at most ten seconds from now.
 */
export const forCleanup = (): ConnectionOptions => ({
	maxRetries: 0,
	cleanupEnd: Date.now() + 10 * SECOND,
});

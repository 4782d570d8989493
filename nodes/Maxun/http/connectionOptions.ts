import type { RetryLimits } from './retry';
import { SECOND } from './time';

export interface ConnectionOptions extends Partial<RetryLimits> {
	/** Maximum number of requests at the same time, together with those of all connections derived from the same one. */
	concurrency?: number;
	/** Uses this team instead of the credential's. */
	teamId?: string;
	/** Timeout of one exchange, in milliseconds. One minute by default. */
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

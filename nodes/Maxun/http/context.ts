import type {
	ICredentialsDecrypted,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import type { RetryLimits } from './retry';
import { SECOND } from './time';

export type MaxunContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| IWebhookFunctions;

/** The language model that a self-hosted server uses for prompts. */
export interface LanguageModel {
	provider: string;
	model?: string;
	apiKey?: string;
	baseUrl?: string;
}

export interface Account {
	credential: ICredentialsDecrypted;
	baseUrl: string;
	apiKey: string;
	/** The server's IANA time zone. */
	timezone?: string;
	/** The language model; undefined for the server's own. */
	languageModel?: LanguageModel;
}

export interface ConnectionOptions extends Partial<RetryLimits> {
	/** Maximum number of simultaneous requests, shared with all connections derived from the same one. */
	concurrency?: number;
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

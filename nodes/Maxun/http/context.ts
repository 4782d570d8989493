import type {
	ICredentialsDecrypted,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import type { MaxunCloudApi } from '../../../credentials/MaxunCloudApi.credentials';
import type { ApiRequest } from './request';
import type { Explanation, HttpResponse } from './response';
import type { RetryLimits } from './retry';
import { SECOND } from './time';

export type MaxunContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| IWebhookFunctions;

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
	teamId?: string;
	/** The server's IANA time zone. */
	timezone?: string;
	languageModel?: LanguageModel;
}

/** What errors say about an API. */
interface Api {
	exampleBaseUrl: string;
	hasTeams?: boolean;
}

export interface Protocol extends Api {
	credential: Pick<MaxunCloudApi, 'name' | 'authenticate'>;
	/** Gets the credential's base URL without trailing slashes. */
	rootOf(baseUrl: string): string;
	/** Tests a credential. Only Maxun's response contains `field`. */
	probe: { path: string; field: string };
	headersWith?(apiKey: string): Record<string, string>;
	/** In the terms of `servers/entities.ts`. */
	payloadOf(body: unknown, timezone?: string): unknown;
	explain(response: HttpResponse, request: ApiRequest, api: Api): Explanation;
}

export type Routes = Omit<Protocol, 'credential' | 'probe'>;

export interface ConnectionOptions extends Partial<RetryLimits> {
	/** Maximum number of simultaneous requests of all connections derived from the same connection. */
	concurrency?: number;
	teamId?: string;
	/** Timeout of one exchange in milliseconds; one minute by default. */
	timeout?: number;
	/** Texts that a robot types, such as a password. Faults never contain them. */
	typedTexts?: string[];
	/** When the cleanup after a cancellation ends, in epoch milliseconds. */
	cleanupEnd?: number;
}

/** Sends requests for 20 seconds after a cancellation, each once. Canceling a run takes up to ten. */
export const forCleanup = (): ConnectionOptions => ({
	maxRetries: 0,
	cleanupEnd: Date.now() + 20 * SECOND,
});

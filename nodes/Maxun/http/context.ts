import type {
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';

/** Every n8n context that can send requests with a credential. */
export type MaxunContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| IPollFunctions
	| IWebhookFunctions;

/** What a credential contains. */
export interface Account {
	/** The root of the API. */
	baseUrl: string;
	apiKey: string;
	/** The server's IANA time zone. */
	timezone?: string;
}

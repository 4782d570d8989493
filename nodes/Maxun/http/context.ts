import type {
	ICredentialsDecrypted,
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

/** The language model that a self-hosted server uses for prompts. */
export interface LanguageModel {
	provider: string;
	model?: string;
	apiKey?: string;
	baseUrl?: string;
}

export interface Access {
	/** The credential as n8n resolves it. */
	credential: ICredentialsDecrypted;
	baseUrl: string;
	apiKey: string;
	/** The server's IANA time zone. */
	timezone?: string;
	/** The language model; undefined for the server's own. */
	languageModel?: LanguageModel;
}

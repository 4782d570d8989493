import type { ApiRequest } from './request';
import type { Explanation, HttpResponse } from './response';

export type Routes = Omit<Protocol, 'credentialType' | 'probe'>;

/** How to send requests to one kind of server, and how to read its responses. */
export interface Protocol {
	credentialType: string;
	/** The API's root, given the credential's base URL without trailing slashes. */
	rootOf(baseUrl: string): string;
	exampleBaseUrl: string;
	/** What tests a credential, and a field that only Maxun's response has. */
	probe: { path: string; field: string };
	/** Headers for each request, besides those that the credential adds. */
	headersWith?(apiKey: string): Record<string, string>;
	/** A successful response's payload, in the terms of `servers/entities.ts`. */
	payloadOf(body: unknown, timezone?: string): unknown;
	explain(response: HttpResponse, request: ApiRequest): Explanation;
}

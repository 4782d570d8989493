import type { ApiRequest } from './request';
import type { Explanation, HttpResponse } from './response';

/** Other routes of a server, which the same credential opens. */
export type Routes = Omit<Protocol, 'credentialType'>;

/** How to send requests to one kind of server, and read its responses. */
export interface Protocol {
	/** Name of the credential type that contains base URL and key. */
	credentialType: string;
	/** The root of the API, given the credential's base URL without trailing slashes. */
	rootOf(baseUrl: string): string;
	exampleBaseUrl: string;
	/** Headers of each request, besides those that the credential adds. */
	headersWith?(apiKey: string): Record<string, string>;
	/** The payload of a successful response, in the terms of `servers/entities.ts`. */
	payloadOf(body: unknown, timezone?: string): unknown;
	/** What happened and what to do, for an unsuccessful response. */
	explain(response: HttpResponse, request: ApiRequest): Explanation;
}

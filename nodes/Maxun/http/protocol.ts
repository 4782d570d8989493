import type { MaxunFault } from './fault';
import type { ApiRequest } from './request';
import type { HttpResponse } from './response';

/** How to address one kind of server and read its responses. */
export interface Protocol {
	/** Name of the credential type that contains base URL and key. */
	credentialType: string;
	/** The root of the API, given the credential's base URL without trailing slashes. */
	rootOf(baseUrl: string): string;
	exampleBaseUrl: string;
	/** Headers of each request, besides those that the credential adds. */
	headersWith?(apiKey: string): Record<string, string>;
	/** The payload of a successful response, in the terms of `servers/entities`. */
	payloadOf(body: unknown, timezone?: string): unknown;
	/** Whether the body reports a failure, regardless of the status. */
	reportsFailure(body: unknown): boolean;
	/** The fault for an unsuccessful response. */
	faultOf(response: HttpResponse, request: ApiRequest): MaxunFault;
}

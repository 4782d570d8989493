import type { MaxunFault } from './fault';
import type { ApiRequest } from './request';
import type { HttpResponse } from './response';

/** How one kind of server is addressed and how it responds: what a connection needs to know about it. */
export interface Protocol {
	/** Name of the credential type that contains base URL and key. */
	credentialType: string;
	/** The root of the API, given the credential's base URL without trailing slashes. */
	rootOf(baseUrl: string): string;
	exampleBaseUrl: string;
	/** The payload of a successful response, in the terms of `servers/entities`. */
	payloadOf(body: unknown, timezone?: string): unknown;
	/** Whether the body reports a refusal, whatever the status. */
	reportsFailure(body: unknown): boolean;
	/** The fault for a response that isn't a success. */
	faultOf(response: HttpResponse, request: ApiRequest): MaxunFault;
}

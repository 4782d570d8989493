import type { ApiRequest } from './request';
import type { Explanation, HttpResponse } from './response';

export type Routes = Omit<Protocol, 'credentialType' | 'probe'>;

export interface Protocol {
	credentialType: string;
	/** Gets the credential's base URL without trailing slashes. */
	rootOf(baseUrl: string): string;
	exampleBaseUrl: string;
	/** Tests a credential. Only Maxun's response contains `field`. */
	probe: { path: string; field: string };
	headersWith?(apiKey: string): Record<string, string>;
	/** In the terms of `servers/entities.ts`. */
	payloadOf(body: unknown, timezone?: string): unknown;
	explain(response: HttpResponse, request: ApiRequest): Explanation;
}

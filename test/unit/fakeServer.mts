import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { connectServer } from '../../nodes/Maxun/servers';
import type { MaxunServer, ServerKind } from '../../nodes/Maxun/servers/types';

/** A request as it would go over the network. */
export interface SentRequest {
	method: string;
	/** The whole URL, without the query. */
	url: string;
	/** Below the root of the API. */
	path: string;
	query?: IDataObject;
	body?: unknown;
}

/** What comes back; status 200 unless it says otherwise. */
export interface FakeResponse {
	status?: number;
	headers?: IDataObject;
	body: unknown;
}

/** The test in place of a server. What it throws is an error of the network. */
export type Respond = (request: SentRequest) => Promise<FakeResponse>;

/** Everything a connection uses of an n8n context: a credential, and requests that go to the test. */
export function fakeContext(baseUrl: string, respond: Respond): IExecuteFunctions {
	const httpRequestWithAuthentication = async (
		_credentialType: string,
		{ method = 'GET', url, qs, body }: IHttpRequestOptions,
	) => {
		const path = url.slice(baseUrl.length);
		const response = await respond({ method, url, path, query: qs, body });
		return {
			statusCode: response.status ?? 200,
			headers: response.headers ?? {},
			body: response.body,
		};
	};
	return Object.assign(Object.create(null), {
		getCredentials: async () => ({ baseUrl, apiKey: 'key', timezone: 'UTC' }),
		helpers: { httpRequestWithAuthentication },
	});
}

/** A server of this kind, as the nodes see it. Only the network is missing: requests go to a function of the test. */
export async function fakeServer(kind: ServerKind, respond: Respond): Promise<MaxunServer> {
	// Each has its own URL: what goes one after another on one server must not wait for another test.
	const baseUrl = `https://${randomUUID()}.example/api`;
	return await connectServer(fakeContext(baseUrl, respond), kind);
}

import { randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, INode } from 'n8n-workflow';
import { connectServer, type ServerKind } from '../../nodes/Maxun/servers';
import type { MaxunServer } from '../../nodes/Maxun/servers/types';

export const NODE: INode = {
	id: 'n',
	name: 'Maxun',
	type: 'n8n-nodes-maxun-robots.maxun',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A request as it would go over the network. */
export interface SentRequest {
	method: string;
	/** The whole URL, without the query. */
	url: string;
	/** The path below the API's root. */
	path: string;
	query?: IDataObject;
	body?: unknown;
}

/** The response; by default, with status 200. */
export interface FakeResponse {
	status?: number;
	headers?: IDataObject;
	body: unknown;
}

/** A test's response to a request. An error that it throws is a network error. */
export type Respond = (request: SentRequest) => Promise<FakeResponse>;

/** The parts of an n8n context for a connection: a credential, and requests that go to the test. */
export function fakeContext(baseUrl: string, respond: Respond, apiKey = 'key'): IExecuteFunctions {
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
		getCredentials: async () => ({ baseUrl, apiKey, timezone: 'UTC' }),
		helpers: { httpRequestWithAuthentication },
	});
}

/** Each server has its own URL, because requests to one server wait for each other. */
export const newUrl = () => `https://${randomUUID()}.example/api`;

/** A server of this kind, as the nodes see it. Requests go to a function of the test instead of the network. */
export async function fakeServer(kind: ServerKind, respond: Respond): Promise<MaxunServer> {
	return await connectServer(fakeContext(newUrl(), respond), kind);
}

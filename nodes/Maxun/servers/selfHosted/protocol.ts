import type { Protocol } from '../../http/protocol';
import { faultOfResponse } from '../../http/responseFaults';
import { isObject } from '../../http/values';
import { explain, isMissingRoute } from './explain';
import { payloadOf, reportsFailure } from './response';

export const selfHostedProtocol: Protocol = {
	credentialType: 'maxunSelfHostedApi',
	rootOf: (baseUrl) => `${baseUrl.replace(/\/api(\/v1)?$/, '')}/api`,
	exampleBaseUrl: 'http://localhost:8080',
	payloadOf,
	reportsFailure,
	faultOf: (response, request) =>
		faultOfResponse(response, explain(response, request), {
			missingRoute: isMissingRoute(response),
			// The server sends this while its database is down, before it does anything.
			isOwn: response.status === 503 && isObject(response.body),
		}),
};

import type { Protocol } from '../../http/protocol';
import { isOwnRefusal } from '../../http/response';
import { faultOfResponse } from '../../http/responseFaults';
import { EXAMPLE_BASE_URL, explain, isMissingRoute } from './explain';
import { payloadOf, reportsFailure } from './response';

export const selfHostedProtocol: Protocol = {
	credentialType: 'maxunSelfHostedApi',
	rootOf: (baseUrl) => `${baseUrl.replace(/\/api(\/v1)?$/, '')}/api`,
	exampleBaseUrl: EXAMPLE_BASE_URL,
	payloadOf,
	reportsFailure,
	faultOf: (response, request) =>
		faultOfResponse(response, request, explain(response, request), {
			missingRoute: isMissingRoute(response),
			// The server sends this while its database is down, before it does anything.
			isRefused: response.status === 503 && isOwnRefusal(response.body),
		}),
};

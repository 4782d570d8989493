import { faultOfResponse } from '../../http/responseFaults';
import type { Protocol } from '../../http/protocol';
import { isNotJson } from '../../http/response';
import { explain } from '../explain';
import { payloadOf as sdkPayloadOf } from '../selfHosted/response';
import { payloadOf, reportsFailure } from './response';

const exampleBaseUrl = 'https://app.maxun.dev/api/v1';

export const cloudProtocol: Protocol = {
	credentialType: 'maxunCloudApi',
	rootOf: (baseUrl) => baseUrl,
	exampleBaseUrl,
	payloadOf,
	reportsFailure,
	faultOf: (response, request) =>
		faultOfResponse(response, request, explain(response, request, exampleBaseUrl)),
};

/** The routes of Maxun's SDK, next to those of version 1. They have the form of a self-hosted server. */
export const sdkProtocol: Protocol = {
	...cloudProtocol,
	rootOf: (baseUrl) => baseUrl.replace(/\/v1$/, ''),
	payloadOf: sdkPayloadOf,
	headersWith: (apiKey) => ({ 'x-api-key': apiKey }),
	faultOf: (response, request) => {
		// The route that creates robots has no ID that could be wrong.
		const isCreation = request.method === 'POST' && request.path === '/sdk/robots';
		const missingRoute = response.status === 404 && (isCreation || isNotJson(response.body));
		const explanation = missingRoute
			? {
					message: "Maxun Cloud does not support robots from selectors at this 'Base URL'",
					description: 'Build the robot in the Maxun dashboard instead',
				}
			: explain(response, request, exampleBaseUrl);
		return faultOfResponse(response, request, explanation, { missingRoute });
	},
};

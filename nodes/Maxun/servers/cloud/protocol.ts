import type { Protocol } from '../../http/protocol';
import { faultOfResponse } from '../../http/responseFaults';
import { explain } from './explain';
import { payloadOf, reportsFailure } from './response';

export const cloudProtocol: Protocol = {
	credentialType: 'maxunCloudApi',
	rootOf: (baseUrl) => baseUrl,
	exampleBaseUrl: 'https://app.maxun.dev/api/v1',
	payloadOf,
	reportsFailure,
	faultOf: (response, request) => faultOfResponse(response, explain(response, request)),
};

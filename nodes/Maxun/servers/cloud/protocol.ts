import type { Protocol, Routes } from '../../http/context';
import { explain, lacksRoute } from '../explain';
import { sdkPayloadOf } from '../sdk/translate';
import { payloadOf } from './response';

const exampleBaseUrl = 'https://app.maxun.dev/api/v1';
const CLOUD = { exampleBaseUrl, hasTeams: true };

export const cloudProtocol: Protocol = {
	credentialType: 'maxunCloudApi',
	rootOf: (baseUrl) => baseUrl,
	exampleBaseUrl,
	// Maxun rejects this request if the key is wrong or the team belongs to another user.
	probe: { path: '/usage', field: 'success' },
	payloadOf,
	explain: (response, request) => explain(response, request, CLOUD),
};

/** The routes of Maxun's SDK. Their responses have a self-hosted server's format. */
export const sdkRoutes: Routes = {
	exampleBaseUrl,
	rootOf: (baseUrl) => baseUrl.replace(/\/v1$/, ''),
	payloadOf: sdkPayloadOf,
	headersWith: (apiKey) => ({ 'x-api-key': apiKey }),
	explain(response, request) {
		// The route that creates robots contains no ID that could be wrong.
		const isCreation = request.method === 'POST' && request.path === '/sdk/robots';
		if (response.status !== 404 || !(isCreation || lacksRoute(response))) {
			return explain(response, request, CLOUD);
		}
		return {
			message: "Maxun Cloud does not support robots from selectors at this 'Base URL'",
			description: 'Build the robot in the Maxun dashboard instead',
			missingRoute: true,
		};
	},
};

import { MaxunSelfHostedApi } from '../../../../credentials/MaxunSelfHostedApi.credentials';
import type { ApiRequest } from '../../http/request';
import { isMaxunsRefusal, type Explanation, type HttpResponse } from '../../http/response';
import { explain, lacksRoute } from '../explain';
import type { Protocol } from '../../http/context';
import { sdkPayloadOf } from '../sdk/translate';

/**
 * All versions have the documented routes, except for schedules. There, only the page of a web framework shows that a
 * route is missing. A proxy's page doesn't show which routes Maxun has.
 */
const isMissingRoute = (response: HttpResponse, { path }: ApiRequest) =>
	lacksRoute(response) &&
	(path.startsWith('/sdk/') ||
		/\bCannot (GET|POST|PUT|PATCH|DELETE)\b/.test(String(response.body)));

const EVERY_VERSION = /^\/robots(\/[^/]+(\/runs.*)?)?$/;

/** Routes that version 0.0.43 lacks, with the first version that has them. */
const NEWER: Array<[route: RegExp, version: string]> = [
	[/^\/sdk\/robots\/document/, '0.0.44'],
	[/\/diff$/, '0.0.47'],
];

function explainMissingRoute({ path }: ApiRequest, exampleBaseUrl: string): Explanation {
	if (EVERY_VERSION.test(path)) {
		return {
			message: 'There is no Maxun API at this URL',
			description: `In the credential, set 'Base URL' to the URL of the Maxun backend, not the dashboard. For example: ${exampleBaseUrl}`,
			cause: 'configuration-invalid',
		};
	}
	const [, version] = NEWER.find(([route]) => route.test(path)) ?? [undefined, '0.0.43'];
	return {
		message: 'This server version does not support this operation',
		description: `Update your Maxun server to version ${version} or later, or use its dashboard instead`,
		cause: 'configuration-invalid',
	};
}

const explainSelfHosted: Protocol['explain'] = (response, request, api) => {
	const { status } = response;
	if (isMissingRoute(response, request))
		return { ...explainMissingRoute(request, api.exampleBaseUrl), missingRoute: true };
	if (status === 503) {
		return {
			message: 'Maxun cannot respond right now',
			description: "Your server's database may be down. Check the server's log, then try again",
			// The server sends this before it does anything.
			isRefused: isMaxunsRefusal(response.body),
		};
	}
	if (status >= 500) {
		return {
			message: `Maxun returned status ${status}`,
			description: "Check your server's log for the reason",
		};
	}
	return explain(response, request, api);
};

export const selfHostedProtocol: Protocol = {
	credential: new MaxunSelfHostedApi(),
	rootOf: (baseUrl) => `${baseUrl.replace(/\/api(\/v1)?$/, '')}/api`,
	exampleBaseUrl: 'http://localhost:8080',
	probe: { path: '/robots', field: 'robots' },
	payloadOf: sdkPayloadOf,
	explain: explainSelfHosted,
};

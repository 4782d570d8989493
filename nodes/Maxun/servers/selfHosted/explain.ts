import { recover } from '../../http/fault';
import type { ApiRequest } from '../../http/request';
import { isOwnRefusal, type Explanation, type HttpResponse } from '../../http/response';
import { explain as explainShared, lacksRoute } from '../explain';

export const EXAMPLE_BASE_URL = 'http://localhost:8080';

/** What to do about a part of the API that earlier servers lack. @param version the first one that has it */
const unsupported = (version: string, part: string): Explanation => ({
	message: `This server version does not support ${part}`,
	description: `Update your Maxun server to version ${version} or later, or use its dashboard instead`,
	cause: 'configuration-invalid',
});

/**
 * The result of a request that earlier servers don't support.
 *
 * @param version the first version that does
 * @throws MaxunFault that names the version if the server lacks the route
 */
export async function since<T>(version: string, part: string, request: Promise<T>): Promise<T> {
	return await recover(request, {
		missingRoute: (fault) => {
			const { message, description } = unsupported(version, part);
			throw fault.with({ message, description });
		},
	});
}

/** The page of Maxun's web framework for an unknown route. A proxy's page doesn't show which routes Maxun has. */
const isOwnPage = ({ status, body }: HttpResponse) =>
	status === 404 && typeof body === 'string' && /\bCannot (GET|POST|PUT|PATCH|DELETE)\b/.test(body);

/** Whether the server lacks this route. The documented routes exist, except for those of schedules on some versions. */
const isMissingRoute = (response: HttpResponse, { path }: ApiRequest) =>
	isOwnPage(response) || (path.startsWith('/sdk/') && lacksRoute(response));

function explainMissingRoute({ path }: ApiRequest): Explanation {
	if (path.startsWith('/sdk/')) return unsupported('0.0.30', 'this operation');
	return {
		message: 'There is no Maxun API at this URL',
		description: `In the credential, set 'Base URL' to the URL of the Maxun backend, not the dashboard. For example: ${EXAMPLE_BASE_URL}`,
		cause: 'configuration-invalid',
	};
}

/** What happened and what to do, for each status of a self-hosted server. */
export function explain(response: HttpResponse, request: ApiRequest): Explanation {
	const { status } = response;
	if (isMissingRoute(response, request))
		return { ...explainMissingRoute(request), missingRoute: true };
	if (status === 503) {
		return {
			message: 'Maxun cannot respond right now',
			description: "Your server's database may be down. Check the server's log, then try again",
			// The server sends this before it does anything.
			isRefused: isOwnRefusal(response.body),
		};
	}
	if (status >= 500) {
		return {
			message: `Maxun returned status ${status}`,
			description: "Check your server's log for the reason",
		};
	}
	return explainShared(response, request, EXAMPLE_BASE_URL);
}

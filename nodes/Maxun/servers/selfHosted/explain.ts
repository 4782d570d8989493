import type { ApiRequest } from '../../http/request';
import { isNotJson, messageOf, type HttpResponse } from '../../http/response';
import type { Explanation } from '../../http/responseFaults';
import { explainStatus } from '../explain';

const FIX_KEY =
	"Open the credential and paste the API key from your server's dashboard, under API Key";

/** What earlier servers lack, by the end of the path. */
const LATER_PARTS: Array<[RegExp, string]> = [
	[/\/schedule$/, 'schedules'],
	[/\/duplicate$/, 'duplicating robots'],
	[/^\/sdk\//, 'this part of the API'],
];

/** Whether the server doesn't have this route: it then responds with a page instead of JSON. */
export const isMissingRoute = ({ status, body }: HttpResponse) => status === 404 && isNotJson(body);

function explainMissingRoute({ path }: ApiRequest): Explanation {
	const part = LATER_PARTS.find(([pattern]) => pattern.test(path));
	if (part) {
		return {
			message: `This server version does not support ${part[1]}`,
			description: 'Update your Maxun server to use it from n8n. The dashboard may offer it',
		};
	}
	return {
		message: 'There is no Maxun API at this URL',
		description:
			'Check the Base URL in the credential. Enter the URL of the Maxun backend, for example http://localhost:8080, not of the dashboard',
	};
}

/** What happened and what to do, for each status of a self-hosted server. */
export function explain(response: HttpResponse, request: ApiRequest): Explanation {
	const { status } = response;
	// A wrong key is a 403 or, as documented, a 401.
	if (status === 401 && /\bmissing\b/i.test(messageOf(response.body))) {
		return { message: 'Your server received no API key', description: FIX_KEY };
	}
	if (status === 401 || status === 403) {
		return { message: 'Your server rejected the API key', description: FIX_KEY };
	}
	if (isMissingRoute(response)) return explainMissingRoute(request);
	if (status === 429) {
		return {
			message: "Your server's rate limit is exceeded",
			description: 'Lower Max Concurrent Requests in the options, or process fewer items at a time',
		};
	}
	if (status === 503) {
		return {
			message: 'Your server cannot respond right now',
			description: "Its database may be down. Check the server's log, then try again",
		};
	}
	if (status >= 500) {
		return {
			message: `Your server could not do this (status ${status})`,
			description: "Check the server's log for the reason",
		};
	}
	return explainStatus(response, request);
}

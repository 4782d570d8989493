import type { ApiRequest } from '../../http/request';
import { isNotJson, messageOf, type HttpResponse } from '../../http/response';
import type { Explanation } from '../../http/responseFaults';
import { explainStatus } from '../explain';

const FIX_KEY =
	"Open the credential and paste the API key from your server's dashboard, under API Key";

/** What earlier server versions lack, by path ending. */
const LATER_PARTS: Array<[RegExp, string]> = [
	[/\/schedule$/, 'schedules'],
	[/\/duplicate$/, 'duplicating robots'],
	[/^\/sdk\//, 'this part of the API'],
];

/** Whether the server lacks this route. If so, it returns a page instead of JSON. */
export const isMissingRoute = ({ status, body }: HttpResponse) => status === 404 && isNotJson(body);

function explainMissingRoute({ path }: ApiRequest): Explanation {
	const part = LATER_PARTS.find(([pattern]) => pattern.test(path));
	if (part) {
		return {
			message: `This server version does not support ${part[1]}`,
			description: 'Update your Maxun server, or use its dashboard instead',
		};
	}
	return {
		message: 'There is no Maxun API at this URL',
		description:
			'In the credential, set Base URL to the URL of the Maxun backend, not the dashboard. For example: http://localhost:8080',
	};
}

/** What happened and what to do, for each status of a self-hosted server. */
export function explain(response: HttpResponse, request: ApiRequest): Explanation {
	const { status } = response;
	// A wrong key returns 403 or, as documented, 401.
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
			message: `Your server returned status ${status}`,
			description: "Check the server's log for the reason",
		};
	}
	return explainStatus(response, request);
}

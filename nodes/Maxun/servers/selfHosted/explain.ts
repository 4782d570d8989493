import type { ApiRequest } from '../../http/request';
import { isNotJson, messageOf, type HttpResponse } from '../../http/response';
import type { Explanation } from '../../http/responseFaults';
import { explainStatus } from '../explain';

const FIX_KEY =
	"Open the credential and paste the API key from your server's dashboard, under API Key";

/** What earlier server versions lack, by path, and the first version that has it. */
const LATER_PARTS: Array<{ path: RegExp; part: string; version: string }> = [
	{ path: /\/schedule$/, part: 'schedules', version: '0.0.30' },
	{ path: /^\/sdk\/status$/, part: 'reading the account', version: '0.0.36' },
	{ path: /^\/sdk\/crawl$/, part: 'creating crawl robots', version: '0.0.31' },
	{ path: /^\/sdk\/search$/, part: 'creating search robots', version: '0.0.31' },
	{ path: /^\/sdk\/extract\/llm$/, part: 'creating agents', version: '0.0.30' },
	{ path: /^\/sdk\/robots\/document/, part: 'document robots', version: '0.0.44' },
	{ path: /^\/sdk\/.*\/diff$/, part: 'comparing runs', version: '0.0.47' },
	{ path: /\/duplicate$/, part: 'duplicating robots', version: '0.0.35' },
	{ path: /^\/sdk\//, part: 'this operation', version: '0.0.30' },
];

/** Whether the server lacks this route. If so, it returns a page instead of JSON. */
export const isMissingRoute = ({ status, body }: HttpResponse) => status === 404 && isNotJson(body);

function explainMissingRoute({ path }: ApiRequest): Explanation {
	const later = LATER_PARTS.find((entry) => entry.path.test(path));
	if (later) {
		return {
			message: `This server version does not support ${later.part}`,
			description: `Update your Maxun server to version ${later.version} or later, or use its dashboard instead`,
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
	if (status === 400 && request.path.endsWith('/abort')) {
		return {
			message: 'The run could not be cancelled',
			description: 'Only queued and running runs can be cancelled. This run has probably finished',
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

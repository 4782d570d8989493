import { recover } from '../../http/fault';
import type { ApiRequest } from '../../http/request';
import { messageOf, type HttpResponse } from '../../http/response';
import type { Explanation } from '../../http/responseFaults';
import { explainForeign, explainStatus } from '../explain';

export const EXAMPLE_BASE_URL = 'http://localhost:8080';

const FIX_KEY =
	"Open the credential and paste the API key from your server's dashboard, under API Key";

/** What earlier server versions lack, and the first version that has it. */
const FIRST_VERSIONS = {
	'comparing runs': '0.0.47',
	'creating agents': '0.0.30',
	'creating crawl robots': '0.0.31',
	'creating search robots': '0.0.31',
	'document robots': '0.0.44',
	'duplicating robots': '0.0.35',
	'reading the account': '0.0.36',
	schedules: '0.0.30',
	'Smart Queries': '0.0.38',
	'this operation': '0.0.30',
};

type Part = keyof typeof FIRST_VERSIONS;

const PARTS_BY_PATH: Array<[path: RegExp, part: Part]> = [
	[/\/schedule$/, 'schedules'],
	[/^\/sdk\/status$/, 'reading the account'],
	[/^\/sdk\/crawl$/, 'creating crawl robots'],
	[/^\/sdk\/search$/, 'creating search robots'],
	[/^\/sdk\/extract\/llm$/, 'creating agents'],
	[/^\/sdk\/robots\/document/, 'document robots'],
	[/^\/sdk\/.*\/diff$/, 'comparing runs'],
	[/\/duplicate$/, 'duplicating robots'],
	[/^\/sdk\//, 'this operation'],
];

/** @param otherwise what to do without an update */
export const explainMissingPart = (
	part: Part,
	otherwise = 'use its dashboard instead',
): Explanation => ({
	message: `This server version does not support ${part}`,
	description: `Update your Maxun server to version ${FIRST_VERSIONS[part]} or later, or ${otherwise}`,
	cause: 'configuration-invalid',
});

/**
 * The result of a request that is the first of several for a part of the API. Servers may have its route for longer than
 * the others.
 *
 * @throws MaxunFault that names the part if the server lacks the route
 */
export async function firstOf<T>(part: Part, request: Promise<T>): Promise<T> {
	return await recover(request, {
		missingRoute: (fault) => {
			const { message, description } = explainMissingPart(part);
			throw fault.with({ message, description });
		},
	});
}

/** Whether the server lacks this route. If so, it returns a page of its web framework, unlike a proxy. */
export const isMissingRoute = ({ status, body }: HttpResponse) =>
	status === 404 && typeof body === 'string' && /\bCannot (GET|POST|PUT|PATCH|DELETE)\b/.test(body);

function explainMissingRoute({ path }: ApiRequest): Explanation {
	const [, part] = PARTS_BY_PATH.find(([pattern]) => pattern.test(path)) ?? [];
	if (part) return explainMissingPart(part);
	return {
		message: 'There is no Maxun API at this URL',
		description: `In the credential, set 'Base URL' to the URL of the Maxun backend, not the dashboard. For example: ${EXAMPLE_BASE_URL}`,
		cause: 'configuration-invalid',
	};
}

/** What happened and what to do, for each status of a self-hosted server. */
export function explain(response: HttpResponse, request: ApiRequest): Explanation {
	const { status } = response;
	if (isMissingRoute(response)) return explainMissingRoute(request);
	const foreign = explainForeign(response, EXAMPLE_BASE_URL);
	if (foreign) return foreign;
	// A wrong key returns 403 or, as documented, 401.
	if (status === 401 && /\bmissing\b/i.test(messageOf(response.body))) {
		return {
			message: 'Your server received no API key',
			description: FIX_KEY,
			cause: 'credential-invalid',
		};
	}
	if (status === 401 || status === 403) {
		return {
			message: 'Your server rejected the API key',
			description: FIX_KEY,
			cause: 'credential-invalid',
		};
	}
	if (status === 429) {
		return {
			message: "Your server's rate limit is exceeded",
			description:
				"Reduce 'Max Concurrent Requests' in the options, or process fewer items at a time",
		};
	}
	if (status === 400 && request.path.endsWith('/abort')) {
		return {
			message: 'The run could not be canceled',
			description: 'Only queued and running runs can be canceled. This run has probably finished',
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

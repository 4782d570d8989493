import type { ApiRequest } from '../http/request';
import { isOwnRefusal, type HttpResponse } from '../http/response';
import type { Explanation } from '../http/responseFaults';

// Explanations for both kinds of server. Each kind explains its own differences first.

const NOUNS: Record<string, string> = {
	agents: 'agent',
	robots: 'robot',
	runs: 'run',
	webhooks: 'webhook',
};

/** Path segments that follow a resource but aren't IDs. */
const ROUTES: Record<string, string[]> = {
	robots: ['scrape', 'crawl', 'search', 'document-extract', 'document-parse'],
	runs: ['active'],
};

/** What a path is about, e.g. `robot 'r1' or webhook 'w1'`; 'this' if it contains no ID. */
export function subjectOf({ path }: ApiRequest): string {
	const segments = path.split('/').slice(1);
	const named = segments.flatMap((segment, index) => {
		const id = segments[index + 1];
		return NOUNS[segment] && id && !ROUTES[segment]?.includes(id)
			? [`${NOUNS[segment]} '${decodeURIComponent(id)}'`]
			: [];
	});
	return named.join(' or ') || 'this';
}

function explainConflict({ method, path }: ApiRequest): Explanation {
	if (path.endsWith('/cancel')) {
		return {
			message: 'The run could not be canceled',
			description: 'Only queued and running runs can be canceled. This run has probably finished',
		};
	}
	if (method === 'DELETE') {
		return {
			message: 'Maxun cannot delete this yet',
			description: 'Active runs must finish or be canceled first. Use Run: Cancel, then try again',
		};
	}
	return {
		message: 'This conflicts with existing data in Maxun',
		description: 'The name is probably in use. Choose another name',
	};
}

/** Statuses that a proxy, a firewall or a login page returns instead of Maxun. */
const OF_OTHERS = [401, 402, 403, 404, 405, 407];

/** What to do about a response that isn't Maxun's own; undefined if it is. */
export const explainForeign = (
	{ status, body }: HttpResponse,
	exampleBaseUrl: string,
): Explanation | undefined =>
	OF_OTHERS.includes(status) && !isOwnRefusal(body)
		? {
				message: `Something other than Maxun responded with status ${status}`,
				description: `A proxy, a firewall or another server may respond in place of Maxun. Check this, and check 'Base URL' in the credential, for example ${exampleBaseUrl}`,
			}
		: undefined;

/** What happened and what to do, for statuses that mean the same on both kinds of server. */
export function explainStatus(response: HttpResponse, request: ApiRequest): Explanation {
	const { status, headers } = response;
	if (status === 400) {
		return {
			message: 'Maxun did not accept the values in this node',
			description: 'Correct the field that Maxun mentions, then run the node again',
		};
	}
	if (status === 404) {
		return {
			message: `Maxun could not find ${subjectOf(request)}`,
			description: 'It may have been deleted. Select it from the list again',
			cause: 'configuration-invalid',
		};
	}
	if (status === 409) return explainConflict(request);
	if (status >= 300 && status < 400) {
		const target = typeof headers.location === 'string' ? `: ${headers.location}` : '';
		return {
			message: "'Base URL' redirects to another URL",
			description: `Enter the final URL as 'Base URL' in the credential${target}. The node never sends the API key to a redirect target`,
		};
	}
	if (status >= 500) {
		return {
			message: `Maxun returned status ${status}`,
			description: `${request.method === 'POST' ? '' : 'Try again later. '}If this continues, contact Maxun support`,
		};
	}
	return {
		message: `Maxun refused the request (status ${status})`,
		description: "Check the values in this node and 'Base URL' in the credential",
	};
}

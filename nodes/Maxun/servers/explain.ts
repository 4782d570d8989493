import type { Protocol } from '../http/context';
import type { ApiRequest } from '../http/request';
import { forMessage } from '../http/text';
import { isText } from '../http/values';
import {
	isNotJson,
	isMaxunsRefusal,
	messageOf,
	type Explanation,
	type HttpResponse,
} from '../http/response';

/** An entry and its ID. The other parts of paths are routes. */
const ENTRY =
	/\/(agent|robot|run|webhook)s\/(?!(?:scrape|crawl|search|document-extract|document-parse|active)$)([^/]+)/g;

/** A text isn't encoded anymore if a secret was removed from it. */
const idIn = (id: string) => (id.includes('[') ? id : decodeURIComponent(id));

/** What a path refers to, such as `robot 'r1' or webhook 'w1'`; 'this' if it doesn't contain an ID. */
export const subjectOf = (path: string): string =>
	[...path.matchAll(ENTRY)].map(([, noun, id]) => `${noun} '${idIn(id)}'`).join(' or ') || 'this';

/** The words of servers and proxies for an unknown route, unlike Maxun's `Robot not found`. */
const NO_ROUTE =
	/\b(route|endpoint|path|url|page)\b|\bcannot (get|post|put|patch|delete)\b|^(not found[.: ]*)*$/i;

export const lacksRoute = ({ status, body }: HttpResponse): boolean =>
	status === 404 && (isNotJson(body) || NO_ROUTE.test(messageOf(body)));

const FIX_KEY =
	"Copy the key from 'API Key' in the Maxun dashboard, and paste it into the credential";

const wrongKey: Explanation = {
	message: 'Maxun rejected the API key',
	description: FIX_KEY,
	cause: 'credential-invalid',
};

const otherTeam: Explanation = {
	message: 'This API key cannot access the team',
	description:
		"Check 'Team ID' in the credential and 'Team' in the 'General Options' of this node. To list your teams, use Account: Get",
	cause: 'configuration-invalid',
};

/** Somebody outside a team has no role there. */
const OUTSIDE = /(?:\bnot|n['’]t|\bno longer|\bnever|\bmust be)(?: an?| the)?(?: \w+)? member\b/i;

function explainForbidden(words: string): Explanation {
	if (OUTSIDE.test(words)) return otherTeam;
	if (/\b(role|viewer|member|admin|permission)/i.test(words)) {
		return {
			message: 'Your role in this Maxun team does not allow this',
			description:
				'Viewers can read. Members can also create, update and run. Only admins can delete. Ask an admin of the team, or use another API key',
			cause: 'configuration-invalid',
		};
	}
	if (/\b(plan|limit|upgrade|quota)/i.test(words)) {
		return {
			message: 'Your Maxun plan does not allow this',
			description: "Delete what you don't need, or upgrade your plan in the Maxun dashboard",
			cause: 'quota-exhausted',
		};
	}
	if (/\bteam/i.test(words)) return otherTeam;
	if (/\bkey\b/i.test(words)) return wrongKey;
	return {
		message: 'Maxun does not allow this',
		description: `${FIX_KEY}. If the key is correct, check your role in the team and the limits of your plan`,
	};
}

function explainConflict({ method }: ApiRequest): Explanation {
	if (method === 'DELETE') {
		return {
			message: 'Maxun cannot delete this yet',
			description: 'Active runs must end or be canceled first. Use Run: Cancel, then try again',
		};
	}
	return {
		message: 'This conflicts with existing data in Maxun',
		description: 'The name is probably in use. Choose another name',
	};
}

type Explain = Protocol['explain'];

const BY_STATUS: Record<number, Explain> = {
	400: () => ({
		message: 'Maxun did not accept the values in this node',
		description: 'Correct the field that Maxun mentions, then run the node again',
	}),
	401: ({ body }) =>
		/\bmissing\b/i.test(messageOf(body))
			? { ...wrongKey, message: 'Maxun received no API key' }
			: wrongKey,
	402: () => ({
		message: 'There are not enough Maxun credits',
		description:
			'A run needs at least one credit. To check your credits, use Account: Get Usage. Add credits in the Maxun dashboard',
		cause: 'quota-exhausted',
	}),
	403: ({ body }) => explainForbidden(messageOf(body)),
	404: (_, request, { hasTeams }) => ({
		message: `Maxun could not find ${subjectOf(request.path)}`,
		description: `It may have been deleted, or may belong to another account. Select it from the list again${hasTeams ? ". If you use a team, check 'Team ID'" : ''}`,
		cause: 'configuration-invalid',
	}),
	409: (_, request) => explainConflict(request),
	429: () => ({
		message: 'The Maxun rate limit is exceeded',
		description:
			"Reduce 'Max Concurrent Requests' in 'General Options', or process fewer items at a time. On Maxun Cloud, Account: Get Rate Limits returns your limits",
	}),
};

/** Statuses that a proxy, a firewall or a login page returns instead of Maxun. */
const OF_OTHERS = [401, 402, 403, 404, 405, 407];

export const explain: Explain = (response, request, api) => {
	const { status, headers, body } = response;
	if (OF_OTHERS.includes(status) && !isMaxunsRefusal(body)) {
		return {
			message: `Something other than Maxun responded with status ${status}`,
			description: `Your API key is probably correct. A proxy or a firewall may respond in place of Maxun. Check what responds there, and 'Base URL' in the credential, for example ${api.exampleBaseUrl}`,
		};
	}
	if ((status === 400 || status === 409) && /\/(cancel|abort)$/.test(request.path)) {
		return {
			message: 'Maxun could not cancel the run',
			description: 'Only queued and running runs can be canceled. This run has probably ended',
		};
	}
	const known = BY_STATUS[status]?.(response, request, api);
	if (known) return known;
	if (status >= 300 && status < 400) {
		const target = isText(headers.location) ? `: ${forMessage(headers.location)}` : '';
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
		message: `Maxun rejected the request (status ${status})`,
		description: "Check the values in this node and 'Base URL' in the credential",
	};
};

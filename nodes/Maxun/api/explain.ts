import { isForeign, wordsOf, type HttpAnswer } from './answer';
import { MaxunFault } from './fault';
import type { ApiRequest } from './request';
import type { Service } from './service';

/** What happened, and how to put it right. */
export interface Explanation {
	message: string;
	description: string;
}

/** Explains an answer that is no success; `words` are the service's own. */
export type Explain = (answer: HttpAnswer, request: ApiRequest, words: string) => Explanation;

const KEY_REMEDY =
	'Open the credential and paste the API key shown in the Maxun dashboard under API Key';

const NOUNS: Record<string, string> = {
	agents: 'agent',
	robots: 'robot',
	runs: 'run',
	webhooks: 'webhook',
};

/** What a path is about, e.g. `robot 'r1' or webhook 'w1'`; 'this' where it names no entry. */
function subjectOf({ path }: ApiRequest): string {
	const segments = path.split('/').slice(1);
	const named = segments.flatMap((segment, index) => {
		const id = segments[index + 1];
		return NOUNS[segment] && id && !NAMES_AFTER[segment]?.includes(id)
			? [`${NOUNS[segment]} '${decodeURIComponent(id)}'`]
			: [];
	});
	return named.join(' or ') || 'this';
}

/** Segments that stand where an id could stand. */
const NAMES_AFTER: Record<string, string[]> = {
	robots: ['scrape', 'crawl', 'search', 'document-extract', 'document-parse'],
	runs: ['active'],
};

function explainForbidden(words: string): Explanation {
	if (/\b(role|viewer|member|admin|permission)/i.test(words)) {
		return {
			message: 'Your role in this Maxun team does not allow this',
			description:
				'A viewer only reads, a member changes and runs robots too, and only an admin deletes. Ask an admin of the team, or use another key',
		};
	}
	if (/\b(plan|limit|upgrade|quota)/i.test(words)) {
		return {
			message: 'Your Maxun plan does not allow this',
			description: 'Delete what you no longer need, or choose a larger plan in the Maxun dashboard',
		};
	}
	if (/\bteam/i.test(words)) {
		return {
			message: 'Maxun does not let this API key act for the team',
			description:
				'Check the Team ID in the credential and in the options of this node: it must be one of the teams that Account: Get lists',
		};
	}
	if (/\bkey\b/i.test(words)) {
		return { message: 'Maxun does not accept the API key', description: KEY_REMEDY };
	}
	return {
		message: 'Maxun does not allow this',
		description: `${KEY_REMEDY}. If it is right, check your role in the team and the limits of your plan`,
	};
}

function explainConflict({ method, path }: ApiRequest): Explanation {
	if (path.endsWith('/cancel')) {
		return {
			message: 'The run cannot be cancelled',
			description: 'Only queued and running runs can be; this one has probably ended already',
		};
	}
	if (method === 'DELETE') {
		return {
			message: 'Maxun cannot delete this yet',
			description:
				'A robot is deleted after its queued and running runs were cancelled, a run after it has ended. Cancel with Run: Cancel, then try again',
		};
	}
	return {
		message: 'This conflicts with something that is in Maxun already',
		description: 'Most often the name is taken: choose another one',
	};
}

/** What the user should know and do for each status the API documents, and for those it does not. */
export function explainStatus(answer: HttpAnswer, request: ApiRequest, words: string): Explanation {
	const { status } = answer;
	if (status === 400) {
		return {
			message: 'Maxun did not accept the values in this node',
			description: 'Correct the field that Maxun names, then run the node again',
		};
	}
	if (status === 401) {
		return { message: 'Maxun received no API key', description: KEY_REMEDY };
	}
	if (status === 402) {
		return {
			message: 'There are not enough Maxun credits',
			description:
				'A run needs at least one credit. Account: Get Usage shows what is left; add credits in the Maxun dashboard',
		};
	}
	if (status === 403) return explainForbidden(words);
	if (status === 404) {
		return {
			message: `Maxun did not find ${subjectOf(request)}`,
			description:
				'It may have been deleted, or it belongs to another account or team. Choose it from the list again, and check the Team ID',
		};
	}
	if (status === 409) return explainConflict(request);
	if (status === 429) {
		return {
			message: "Maxun's rate limit is used up",
			description:
				'Lower Max Concurrent Requests in the options, spread the work over more time, or see Account: Get Rate Limits',
		};
	}
	if (status >= 300 && status < 400) {
		return {
			message: 'The Maxun address sends requests on to another one',
			description: `Put the final address into the Base URL of the credential${target(answer)}. The API key is never sent on`,
		};
	}
	if (status >= 500) {
		return {
			message: `Maxun could not answer (status ${status})`,
			description: 'Try again in a little while. If it stays so, ask Maxun support',
		};
	}
	return {
		message: `Maxun refused the request (status ${status})`,
		description: 'Check the values in this node and the Base URL of the credential',
	};
}

const target = ({ headers }: HttpAnswer) =>
	typeof headers.location === 'string' ? `: it points to ${headers.location}` : '';

/** Statuses of a gateway that got no answer of the service in time: nobody knows what became of the request. */
const OF_GATEWAYS = [502, 503, 504];

/** The fault of an answer that is no success. */
export function faultOfAnswer(
	answer: HttpAnswer,
	request: ApiRequest,
	{ explain = explainStatus, isMissingRoute = () => false }: Partial<Service> = {},
): MaxunFault {
	const words = wordsOf(answer.body);
	const { message, description } = explain(answer, request, words);
	return new MaxunFault(message, words ? `${description}. Maxun says: ${words}` : description, {
		status: answer.status,
		transient: answer.status === 429 || answer.status >= 500,
		missingRoute: isMissingRoute(answer),
		uncertain: OF_GATEWAYS.includes(answer.status) && typeof answer.body !== 'object',
	});
}

/** The fault of a successful answer that the node cannot read. */
export function faultOfContent(
	answer: HttpAnswer,
	request: ApiRequest,
	exampleBaseUrl: string,
	detail?: string,
): MaxunFault {
	const found = isForeign(answer.body)
		? `It begins: ${wordsOf(answer.body).slice(0, 120)}`
		: detail;
	return new MaxunFault(
		'Maxun sent an answer that this node cannot read',
		`Check that the Base URL of the credential is the address of the Maxun API, such as ${exampleBaseUrl}. ${request.method} ${request.path}: ${found ?? 'the answer was empty'}`,
		{ status: answer.status, uncertain: true },
	);
}

const NETWORK: Record<string, string> = {
	ECONNREFUSED: 'Nothing listens at that address, or the server is not running',
	ENOTFOUND: 'There is no server of that name: check the spelling',
	EAI_AGAIN: 'The name could not be looked up just now: check the network of this n8n',
	ECONNRESET: 'The connection was cut before the answer was complete',
	ECONNABORTED: 'The server took too long to answer',
	ETIMEDOUT: 'The server took too long to answer',
	ERR_BAD_RESPONSE: 'The answer was cut off',
	ERR_INVALID_URL: 'It is not a complete address',
	CERT_HAS_EXPIRED: 'The certificate of the server has expired',
	DEPTH_ZERO_SELF_SIGNED_CERT: 'n8n does not trust the certificate of the server',
	SELF_SIGNED_CERT_IN_CHAIN: 'n8n does not trust the certificate of the server',
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'n8n does not trust the certificate of the server',
};

/** Codes of a connection that never came about, so that the service has surely not taken the request. */
const NEVER_SENT = ['ECONNREFUSED', 'EAI_AGAIN', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Codes that the same request will meet again. */
const LASTING = ['ENOTFOUND', 'ERR_INVALID_URL'];

export const wasNeverSent = (code: string) => NEVER_SENT.includes(code);

/** The fault of a request that got no answer; `code` is the network's, `words` what it said. */
export function faultOfNetwork(code: string, words: string, baseUrl: string): MaxunFault {
	const reason = NETWORK[code] ?? words;
	return new MaxunFault(
		'Maxun could not be reached',
		`${reason}. The Base URL of the credential is ${baseUrl}${code ? ` (${code})` : ''}`,
		{
			transient: !LASTING.includes(code) && !code.includes('CERT'),
			uncertain: !wasNeverSent(code) && !LASTING.includes(code) && !code.includes('CERT'),
		},
	);
}

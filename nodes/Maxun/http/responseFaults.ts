import { MaxunFault } from './fault';
import type { Protocol } from './protocol';
import type { ApiRequest } from './request';
import { isNotJson, isTruncated, messageOf, type HttpResponse } from './response';

/** What happened, and how to fix it. */
export interface Explanation {
	message: string;
	description: string;
}

/** Statuses of a gateway that got no response in time. The outcome of the request is unknown. */
export const OF_GATEWAYS = [502, 503, 504];

/**
 * The fault for an unsuccessful response, with the server's own message added.
 *
 * @param isOwn whether the server itself refused the request, despite the status of a gateway
 */
export function faultOfResponse(
	response: HttpResponse,
	{ message, description }: Explanation,
	{ missingRoute = false, isOwn = false } = {},
): MaxunFault {
	const { status, body } = response;
	// The page of a web framework for an unknown route adds nothing.
	const words = missingRoute ? '' : messageOf(body);
	return new MaxunFault(message, words ? `${description}. Maxun says: ${words}` : description, {
		status,
		reason: words || undefined,
		transient: status === 429 || status >= 500,
		missingRoute,
		uncertain: OF_GATEWAYS.includes(status) && !isOwn,
	});
}

/** The fault for a successful response whose content the node can't read. A truncated one is a fault of the network. */
export function faultOfContent(
	{ status, body }: HttpResponse,
	{ method, path }: ApiRequest,
	{ exampleBaseUrl }: Protocol,
	detail = 'The response was empty',
): MaxunFault {
	const found = isNotJson(body) ? `It begins with: ${messageOf(body).slice(0, 120)}` : detail;
	return new MaxunFault(
		'This node could not read the response from Maxun',
		`Check that the Base URL in the credential is the URL of the Maxun API, for example ${exampleBaseUrl}. ${method} ${path}: ${found}`,
		{ status, transient: isTruncated(body), uncertain: true },
	);
}

/** n8n blocks requests to private addresses if its administrator turns that on. */
const SSRF = "n8n's SSRF protection blocks";

const REASONS: Record<string, string> = {
	ECONNREFUSED: 'No server is running at this URL',
	ENOTFOUND: 'No server has this name. Check the spelling',
	EAI_AGAIN: 'n8n could not resolve the server name. Check the network',
	ECONNRESET: 'The connection was closed before the response was complete',
	ECONNABORTED: 'The server took too long to respond',
	ETIMEDOUT: 'The server took too long to respond',
	ERR_BAD_RESPONSE: 'The response was truncated',
	ERR_INVALID_URL: 'This is not a complete URL',
	SsrfBlockedIpError: `${SSRF} this address. Allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES`,
	SsrfBlockedHostnameError: `${SSRF} this host. Allow it with N8N_SSRF_ALLOWED_HOSTNAMES or remove it from N8N_SSRF_BLOCKED_HOSTNAMES`,
	CERT_HAS_EXPIRED: "The server's certificate has expired",
	DEPTH_ZERO_SELF_SIGNED_CERT: "n8n does not trust the server's certificate",
	SELF_SIGNED_CERT_IN_CHAIN: "n8n does not trust the server's certificate",
	UNABLE_TO_VERIFY_LEAF_SIGNATURE: "n8n does not trust the server's certificate",
};

/** The names of n8n's errors for blocked requests. */
const BLOCKED = ['SsrfBlockedIpError', 'SsrfBlockedHostnameError'];

/** Codes of connections that were never made: the server can't have received the request. */
const NEVER_SENT = [
	'ECONNREFUSED',
	'EAI_AGAIN',
	'ENOTFOUND',
	'EHOSTUNREACH',
	'ENETUNREACH',
	...BLOCKED,
];

/** Codes that every retry would return. */
const LASTING = ['ENOTFOUND', 'ERR_INVALID_URL', ...BLOCKED];

export const wasNeverSent = (code: string) => NEVER_SENT.includes(code);

/** The fault for a request without a response. `code` and `words` come from the network. */
export function faultOfNetwork(code: string, words: string, baseUrl: string): MaxunFault {
	const reason = REASONS[code] ?? words;
	const isLasting = LASTING.includes(code) || code.includes('CERT');
	return new MaxunFault(
		'n8n could not connect to Maxun',
		`${reason}. The Base URL in the credential is ${baseUrl}${code ? ` (${code})` : ''}`,
		{ transient: !isLasting, uncertain: !isLasting && !wasNeverSent(code) },
	);
}

import type { Failure } from 'n8n-workflow';
import { MaxunFault, type FaultDetails } from './fault';
import type { Protocol } from './context';
import type { ApiRequest } from './request';
import {
	detailsOf,
	isNotJson,
	isMaxunsRefusal,
	isTruncated,
	messageOf,
	MOST_JSON,
	retryAfter,
	type Explanation,
	type HttpResponse,
} from './response';
import { cut } from './text';

// The only place that says whether Maxun has, hasn't or may have processed a request, according to its response.

/** The server may respond normally a moment later. The request may have been processed. */
const MOMENTARY = [408, 502, 503, 504, 520, 521, 522, 523, 524];

const isVague = (status: number) => status === 500 || MOMENTARY.includes(status);

const MAY_HAVE_HAPPENED =
	'Maxun may have processed the request. Check in Maxun before you run the node again';

/** In n8n's terms. After a failed poll, n8n waits accordingly. */
function failureFor(
	{ status, headers }: HttpResponse,
	cause: Explanation['cause'],
): Failure | undefined {
	if (cause) return { cause };
	const retryAfterMs = retryAfter(headers);
	if (status === 429) return { cause: 'rate-limited', retryAfterMs };
	return status >= 500 ? { cause: 'temporarily-unavailable', retryAfterMs } : undefined;
}

function faultOfRequest(
	{ method }: ApiRequest,
	isUndone: boolean,
	{ message, description }: Explanation,
	details: FaultDetails,
): MaxunFault {
	const fault = new MaxunFault(message, description, details);
	const mayHaveHappened = method === 'POST' && !isUndone;
	return mayHaveHappened ? fault.adding(MAY_HAVE_HAPPENED).with({ mayHaveHappened }) : fault;
}

export function faultOfResponse(
	response: HttpResponse,
	request: ApiRequest,
	protocol: Protocol,
): MaxunFault {
	const { status, body } = response;
	const explanation = protocol.explain(response, request, protocol);
	const { message, description, missingRoute = false, isRefused = false } = explanation;
	const isMaxuns = isMaxunsRefusal(body);
	const notProcessed = status === 429;
	// A web framework's page for an unknown route doesn't say anything useful.
	const words = missingRoute ? '' : messageOf(body);
	const said = words && `${description}. ${isMaxuns ? 'Maxun' : 'The response'} says: ${words}`;
	return faultOfRequest(
		request,
		notProcessed || missingRoute || isRefused || (isMaxuns && !isVague(status)),
		{ message, description: said || description },
		{
			status,
			isMaxuns,
			notProcessed,
			temporary: notProcessed || status >= 500 || status === 408 || (!isMaxuns && !missingRoute),
			momentary: notProcessed || MOMENTARY.includes(status),
			missingRoute,
			reason: words || undefined,
			details: detailsOf(body),
			failure: failureFor(response, explanation.cause),
		},
	);
}

/** For a successful response with unreadable content. A truncated response counts as a network fault. */
export function faultOfContent(
	{ status, body }: HttpResponse,
	request: ApiRequest,
	{ exampleBaseUrl }: Protocol,
	detail = 'The response was empty',
): MaxunFault {
	const { method, path } = request;
	const found = isNotJson(body) ? `The response begins with: ${cut(messageOf(body), 120)}` : detail;
	return faultOfRequest(
		request,
		false,
		{
			message: 'This node could not read the response from Maxun',
			description: `Check that 'Base URL' in the credential is the URL of the Maxun API, for example ${exampleBaseUrl}. ${method} ${path}: ${found}`,
		},
		{ status, temporary: true, momentary: isTruncated(body) },
	);
}

/** Another request would get the same response. */
export const faultOfSize = ({ status }: HttpResponse, request: ApiRequest): MaxunFault =>
	faultOfRequest(
		request,
		false,
		{
			message: `The response from Maxun has more than ${MOST_JSON} MB`,
			description: `Let the robot read fewer pages. A self-hosted server sends all runs of a robot at once, so a copy may help. ${request.method} ${request.path}`,
		},
		{ status },
	);

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
	ERR_CANCELED: 'The response took too long',
	ERR_INVALID_URL: 'This is not a complete URL',
	SsrfBlockedIpError: `${SSRF} this address. Allow it with N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES`,
	SsrfBlockedHostnameError: `${SSRF} this host. Allow it with N8N_SSRF_ALLOWED_HOSTNAMES or remove it from N8N_SSRF_BLOCKED_HOSTNAMES`,
	CERT_HAS_EXPIRED: "The server's certificate has expired",
	ERR_TLS_CERT_ALTNAME_INVALID: "The server's certificate is for a different host name",
};

const NOT_TRUSTED = /SELF_SIGNED|_ISSUER_CERT|LEAF_SIGNATURE/;

const UNREACHABLE = ['ECONNREFUSED', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

/** Requests that never left n8n. Every retry would also fail. ENOTFOUND may pass when a server starts. */
const NEVER_SENT = [
	'ENOTFOUND',
	'ERR_INVALID_URL',
	'SsrfBlockedIpError',
	'SsrfBlockedHostnameError',
];

/** Node.js sends a request after the TLS handshake. Only a broken record leaves it unclear whether it was sent. */
const HANDSHAKE = /^EPROTO$|^ERR_TLS_|^ERR_SSL_(?!.*(MAC|RECORD))|CERT|_SIGNATURE$|^INVALID_CA$/;

const INSECURE =
	'n8n and the server could not agree on a secure connection. Use https:// in the URL only if the server, or a proxy in front of it, uses TLS';

export function faultOfNetwork(
	code: string,
	words: string,
	baseUrl: string,
	request: ApiRequest,
): MaxunFault {
	const isHandshake = HANDSHAKE.test(code);
	const isLasting = isHandshake || NEVER_SENT.includes(code);
	const notProcessed = isLasting || UNREACHABLE.includes(code);
	const ofHandshake = NOT_TRUSTED.test(code)
		? "n8n does not trust the server's certificate"
		: `${INSECURE}. ${words}`;
	const reason = REASONS[code] ?? (isHandshake ? ofHandshake : words);
	return faultOfRequest(
		request,
		notProcessed,
		{
			message: 'n8n could not connect to Maxun',
			description: `${reason}. 'Base URL' in the credential is ${baseUrl}${code ? ` (${code})` : ''}`,
		},
		{ notProcessed, temporary: true, momentary: !isLasting },
	);
}

export const faultOfN8n = (words: string): MaxunFault =>
	new MaxunFault('n8n could not use the credential', words, { notProcessed: true });

export const faultOfDownload = (url: string, reason: string, status?: number): MaxunFault =>
	new MaxunFault(
		'The screenshot could not be downloaded',
		// The rest, and a user's name, may be secret.
		`${cut(url, 500)
			.split(/[?#]/)[0]
			.replace(/\/\/[^/]*@/, '//')}: ${reason}`,
		{
			status,
			notProcessed: status === 429,
			momentary: status === 429 || (status !== undefined && MOMENTARY.includes(status)),
		},
	);

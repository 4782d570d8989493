import { networkCode } from '../n8n/olderVersions';
import type { Account, Protocol } from './context';
import type { MaxunFault } from './fault';
import { bodyWithout, withoutSecrets, type Secrets } from './redaction';
import type { ApiRequest, ResponseSchema } from './request';
import { isNotJson, reportsFailure, retryAfter, type HttpResponse } from './response';
import { faultOfContent, faultOfN8n, faultOfNetwork, faultOfResponse } from './responseFaults';

/** Faults contain neither the keys nor the typed texts. */
interface Origin {
	protocol: Protocol;
	account: Account;
	typedTexts?: string[];
}

const secretsOf = ({ account, typedTexts = [] }: Origin): Secrets => [
	[account.apiKey, '[API key]'],
	[account.languageModel?.apiKey ?? '', '[API key]'],
	...typedTexts.map((text): Secrets[number] => [text, '[typed text]']),
];

/** @throws MaxunFault if the response reports a failure, or doesn't match the schema */
export function readResponse<T>(
	response: HttpResponse,
	request: ApiRequest,
	schema: ResponseSchema<T>,
	origin: Origin,
): T {
	const { protocol, account } = origin;
	const { status, headers, body } = response;
	const shown = () => ({ ...response, body: bodyWithout(body, secretsOf(origin)) });
	const failed = (fault: MaxunFault) => fault.with({ retryAfter: retryAfter(headers) });
	if (status < 200 || status >= 300 || reportsFailure(body)) {
		throw failed(faultOfResponse(shown(), request, protocol));
	}
	if (isNotJson(body)) throw failed(faultOfContent(shown(), request, protocol));
	const parsed = schema.safeParse(protocol.payloadOf(body, account.timezone));
	if (parsed.success) return parsed.data;
	const detail = parsed.error.issues
		.map((issue) => `${issue.path.join('.') || 'the response'}: ${issue.message}`)
		.join('; ');
	throw failed(faultOfContent(response, request, protocol, detail));
}

/** For a request without a response. */
export function faultOfError(error: unknown, request: ApiRequest, origin: Origin): MaxunFault {
	const { code, words, isOfN8n } = causeOf(error);
	const shown = withoutSecrets(words, secretsOf(origin));
	if (isOfN8n && code === '') return faultOfN8n(shown);
	return faultOfNetwork(code, shown, origin.account.baseUrl, request);
}

/** The code and the words of a network error or of n8n's own error, from its cause. */
export function causeOf(error: unknown): { code: string; words: string; isOfN8n: boolean } {
	if (!(error instanceof Error)) return { code: '', words: String(error), isOfN8n: false };
	const { cause } = error;
	if (cause instanceof Error) return causeOf(cause);
	const code = error.name.startsWith('SsrfBlocked') ? error.name : networkCode(error);
	return { code, words: error.message, isOfN8n: 'level' in error };
}

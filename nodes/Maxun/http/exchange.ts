import type { IDataObject } from 'n8n-workflow';
import { networkCode } from '../n8n/olderVersions';
import type { Account, Protocol } from './context';
import type { MaxunFault } from './fault';
import { cleanedValue, cleanerOf, type Secrets } from './redaction';
import type { ApiRequest, ResponseSchema } from './request';
import { isNotJson, reportsFailure, retryAfter, TOO_LARGE, type HttpResponse } from './response';
import { forMessage } from './text';
import { isObject, isText } from './values';
import {
	faultOfContent,
	faultOfN8n,
	faultOfNetwork,
	faultOfResponse,
	faultOfSize,
} from './responseFaults';

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
	const clean = cleanerOf(secretsOf(origin));
	const fail = (faultOf: typeof faultOfContent, detail?: string) => {
		const { location } = headers;
		const shown: HttpResponse = {
			status,
			headers: { ...headers, location: location && clean(String(location)) },
			body: cleanedValue(body, clean),
		};
		const words = detail && forMessage(clean(detail));
		const fault = faultOf(shown, { ...request, path: clean(request.path) }, protocol, words);
		return fault.with({ retryAfter: retryAfter(headers) });
	};
	if (status < 200 || status >= 300 || reportsFailure(body)) throw fail(faultOfResponse);
	if (body === TOO_LARGE) throw fail(faultOfSize);
	if (isNotJson(body)) throw fail(faultOfContent);
	if (isDeep(body)) throw fail(faultOfContent, `It has more than ${MOST_LEVELS} levels`);
	const payload = protocol.payloadOf(body, account.timezone);
	for (const entry of [payload].flat()) if (isObject(entry)) cleanReasons(entry, clean);
	const parsed = schema.safeParse(payload);
	if (parsed.success) return parsed.data;
	const details = parsed.error.issues
		.slice(0, 5)
		.map((issue) => `${issue.path.join('.') || 'the response'}: ${issue.message}`);
	throw fail(faultOfContent, details.join('; '));
}

/** The reason for a failed run may repeat the language model's key. */
function cleanReasons(entry: IDataObject, clean: (text: string) => string): void {
	for (const name of ['error', 'log']) {
		const reason = entry[name];
		if (isText(reason)) entry[name] = clean(reason);
	}
}

/** With more levels, n8n could not store the response. */
const MOST_LEVELS = 200;

function isDeep(body: unknown): boolean {
	let level = [body];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > MOST_LEVELS) return true;
		const inner: unknown[] = [];
		for (const value of level) {
			if (typeof value !== 'object' || value === null) continue;
			for (const entry of Object.values(value)) if (typeof entry === 'object') inner.push(entry);
		}
		level = inner;
	}
	return false;
}

/** For a request without a response. */
export function faultOfError(error: unknown, request: ApiRequest, origin: Origin): MaxunFault {
	const { code, words, isOfN8n } = causeOf(error);
	const shown = forMessage(cleanerOf(secretsOf(origin))(words));
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

import type { ActionableCause, IDataObject } from 'n8n-workflow';
import { forMessage, textOfHtml, withoutColors } from './text';
import { HOUR } from './time';
import { isObject, isText } from './values';

export interface HttpResponse {
	status: number;
	headers: IDataObject;
	body: unknown;
}

export interface Explanation {
	message: string;
	description: string;
	/** In n8n's terms, if only the user can fix the problem, or if a quota is used up. */
	cause?: ActionableCause | 'quota-exhausted';
	missingRoute?: boolean;
	/** Whether Maxun did nothing, although the status doesn't show that. */
	isRefused?: boolean;
}

/** In MB after decompression, which n8n doesn't limit. A larger response would block n8n for seconds. */
export const MOST_JSON = 200;

export const TOO_LARGE = Symbol('too large');

/** The response's JSON or text, or `TOO_LARGE`. */
export async function bodyOf(body: unknown): Promise<unknown> {
	if (!isStream(body)) return body;
	const content = await bytesOf(body, MOST_JSON);
	if (!content) return TOO_LARGE;
	const text = new TextDecoder().decode(content);
	try {
		return text && JSON.parse(text);
	} catch {
		return text;
	}
}

/** Undefined if it has more megabytes. The rest isn't read. @throws what the network throws */
export async function bytesOf(body: unknown, most: number): Promise<Buffer | undefined> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of isStream(body) ? body : [body]) {
		if (!(chunk instanceof Uint8Array)) continue;
		length += chunk.length;
		if (length > most * 2 ** 20) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks);
}

const isStream = (body: unknown): body is AsyncIterable<unknown> =>
	typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** Text instead of JSON, such as a proxy's page or a truncated response. */
export const isNotJson = (body: unknown) => typeof body === 'string' && body.trim() !== '';

export const isTruncated = (body: unknown) => typeof body === 'string' && /^\s*[[{]/.test(body);

/** JSON in one of the documented formats, with `error`, or with `messageCode` and `message`. */
export const isMaxunsRefusal = (body: unknown) =>
	isObject(body) &&
	(typeof body.error === 'string' ||
		(typeof body.messageCode === 'string' && typeof body.message === 'string'));

/** Without an error, or with another status in the body, `ok` may be about something else, such as a sample event. */
export const reportsFailure = (body: unknown) =>
	isObject(body) &&
	(body.success === false ||
		(body.ok === false && typeof body.error === 'string' && typeof body.statusCode !== 'number') ||
		(typeof body.messageCode === 'string' && body.messageCode !== 'success'));

/** The server's own words; empty if there are none. */
export function messageOf(body: unknown): string {
	if (typeof body === 'string') return forMessage(textOfHtml(body));
	if (!isObject(body)) return '';
	const { error, message, details, field } = body;
	const words = [...new Set(textsIn([error, message, details].flat()))].join(': ');
	return forMessage(typeof field === 'string' ? `${words} (field '${field}')` : words);
}

export const detailsOf = (body: unknown): string[] =>
	isObject(body) ? textsIn([body.details].flat()) : [];

const textsIn = (values: unknown[]): string[] =>
	values
		.map((value) => (isObject(value) ? value.message : value))
		.filter(isText)
		.map(withoutColors);

/** In milliseconds, at most an hour. The header contains seconds or a date. */
export function retryAfter(headers: IDataObject, now = Date.now()): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const seconds = Number(value);
	const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(String(value)) - now;
	return Number.isFinite(wait) ? Math.min(Math.max(0, wait), HOUR) : undefined;
}

import type { IDataObject } from 'n8n-workflow';
import { isObject } from './values';

/** What came back over HTTP, whatever it was. */
export interface HttpAnswer {
	status: number;
	headers: IDataObject;
	/** Parsed JSON; a text where the body was something else. */
	body: unknown;
}

/**
 * The payload of a successful answer: `data` of the envelope, or what stands beside `success` in a flat one.
 * `null` for an empty body, as deletions may send.
 */
export function payloadOf(body: unknown): unknown {
	if (!isObject(body)) return body === '' || body === undefined ? null : body;
	if ('data' in body) return body.data;
	return Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'success'));
}

/** Whether the body says that the request did not succeed, whatever the status. */
export const saysFailure = (body: unknown) => isObject(body) && body.success === false;

/** Whether the body is none that the API sends: a text where JSON was due, such as a proxy's page or a cut answer. */
export const isForeign = (body: unknown) => typeof body === 'string' && body.trim() !== '';

/** The service's own words about a refusal, in each of the forms they come in; empty when it said nothing. */
export function wordsOf(body: unknown): string {
	if (typeof body === 'string') return shorten(body.replace(/<[^>]*>/g, ' '));
	if (!isObject(body)) return '';
	const { error, message, field } = body;
	const words = [error, message].map(textOf).find((text) => text !== '') ?? '';
	return shorten(typeof field === 'string' ? `${words} (field '${field}')` : words);
}

function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return isObject(value) ? textOf(value.message) : '';
}

const shorten = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 500);

/**
 * How long the service asks to wait, in milliseconds, from `Retry-After` in seconds or as a date.
 *
 * @returns undefined when the header is missing or makes no sense
 */
export function retryAfter(headers: IDataObject, now: number): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const seconds = Number(value);
	const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(String(value)) - now;
	return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

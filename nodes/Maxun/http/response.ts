import type { ActionableCause, IDataObject } from 'n8n-workflow';
import { cut } from './text';
import { isObject } from './values';

export interface HttpResponse {
	status: number;
	headers: IDataObject;
	/** Parsed JSON, or text if the body isn't JSON. */
	body: unknown;
}

export interface Explanation {
	message: string;
	description: string;
	/**
	 * Why only the user can fix the problem, or that a quota is used up, in n8n's terms. Undefined if the status already
	 * says so, or if the reason is unknown.
	 */
	cause?: ActionableCause | 'quota-exhausted';
	missingRoute?: boolean;
	/** Whether Maxun did nothing, although the status doesn't show that. */
	isRefused?: boolean;
}

/** Whether the body is text instead of JSON, such as a proxy's page or a truncated response. */
export const isNotJson = (body: unknown) => typeof body === 'string' && body.trim() !== '';

export const isTruncated = (body: unknown) => typeof body === 'string' && /^\s*[[{]/.test(body);

/**
 * Whether a rejection is Maxun's own response: JSON in one of the documented formats `{success, error}`, `{ok,
 * error}`, `{error}` and `{statusCode, messageCode, message}`.
 */
export const isMaxunsRefusal = (body: unknown) =>
	isObject(body) &&
	(typeof body.error === 'string' ||
		(typeof body.messageCode === 'string' && typeof body.message === 'string'));

/**
 * Whether the body reports a failure, regardless of the status. Without an error, or with a different status in the
 * body, `ok` may refer to something else, such as whether n8n accepted a sample event.
 */
export const reportsFailure = (body: unknown) =>
	isObject(body) &&
	(body.success === false ||
		(body.ok === false && typeof body.error === 'string' && typeof body.statusCode !== 'number') ||
		(typeof body.messageCode === 'string' && body.messageCode !== 'success'));

/** The server's own error message, in any of its forms; empty if there is none. */
export function messageOf(body: unknown): string {
	if (typeof body === 'string') return shorten(body.replace(/<[^>]*>/g, ' '));
	if (!isObject(body)) return '';
	const { error, message, field } = body;
	const reasons = [error, message].map(textOf).filter((text) => text !== '');
	const words = [...new Set([...reasons, ...detailsOf(body)])].join(': ');
	return shorten(typeof field === 'string' ? `${words} (field '${field}')` : words);
}

export const detailsOf = (body: unknown): string[] =>
	isObject(body)
		? [body.details]
				.flat()
				.map(textOf)
				.filter((text) => text !== '')
		: [];

function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return isObject(value) ? textOf(value.message) : '';
}

const shorten = (text: string) => cut(text.replace(/\s+/g, ' ').trim(), 500);

/** The delay that the server asks for, in milliseconds. `Retry-After` contains seconds or a date. */
export function retryAfter(headers: IDataObject, now: number): number | undefined {
	const value = headers['retry-after'];
	if (typeof value !== 'string' && typeof value !== 'number') return undefined;
	const seconds = Number(value);
	const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(String(value)) - now;
	return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

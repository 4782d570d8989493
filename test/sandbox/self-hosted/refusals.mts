import { STATUS_CODES } from 'node:http';

import { z } from 'zod';
import { escapeHtml } from '../site/html.mts';
import type { SelfHostedForm, UnknownRoute } from './settings.mts';

export type MessageCode = 'error' | 'not_found' | 'bad_request';

/** An error of the self-hosted API. A string body is an HTML page. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly body: Record<string, unknown> | string,
	) {
		super(typeof body === 'string' ? `HTML page with status ${status}` : JSON.stringify(body));
	}
}

export function refusal(
	statusCode: number,
	messageCode: MessageCode,
	message: string,
	field?: string,
): Refusal {
	return new Refusal(statusCode, { statusCode, messageCode, message, ...(field && { field }) });
}

/**
 * The response to an unknown path. The server's framework returns an HTML page. Other servers and proxies respond in
 * other forms.
 */
export function unknownRoute(form: UnknownRoute, method: string, path: string): Refusal {
	const bodies: Record<UnknownRoute, Refusal['body']> = {
		express: htmlPage(`Cannot ${method} ${path}`),
		html: htmlPage('404 Not Found'),
		json: { message: `Route ${method}:${path} not found`, error: 'Not Found', statusCode: 404 },
		text: 'Not Found',
	};
	return new Refusal(404, bodies[form]);
}

export function sdkRefusal(
	status: number,
	error: string,
	more: Record<string, unknown> = {},
): Refusal {
	return new Refusal(status, { error, ...more });
}

export function unreadable(form: SelfHostedForm, status: number, message: string): Refusal {
	if (form === 'observed') return new Refusal(status, htmlPage(STATUS_CODES[status] ?? 'Error'));
	return refusal(status, 'bad_request', message);
}

type Schema<T> = z.ZodType<T, z.ZodTypeDef, unknown>;

interface Complaint {
	field: string | undefined;
	message: string;
}

export function read<T>(
	schema: Schema<T>,
	value: unknown,
	complain: (complaint: Complaint) => Refusal = badRequest,
): T {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw complain(describe(result.error.issues[0]));
}

const badRequest = ({ message, field }: Complaint) => refusal(400, 'bad_request', message, field);

function describe(issue: z.ZodIssue | undefined): Complaint {
	if (issue?.code === 'unrecognized_keys') {
		const field = [...issue.path, issue.keys[0]].join('.');
		return { field, message: `The "${field}" field is not known.` };
	}
	const field = issue?.path.join('.') || undefined;
	if (field === undefined) return { field, message: 'The request must be a JSON object.' };
	const missing = issue?.code === 'invalid_type' && issue.received === 'undefined';
	if (missing) return { field, message: `The "${field}" field is required.` };
	return { field, message: `The "${field}" field is invalid: ${issue?.message ?? ''}.` };
}

function htmlPage(text: string): string {
	return `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>${escapeHtml(text)}</pre>\n</body>\n</html>\n`;
}

import { STATUS_CODES } from 'node:http';
import type { z } from 'zod';
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

/** @throws Refusal that mentions the first wrong field, as `field` if the form is the documented form */
export function read<T>(
	schema: z.ZodType<T, z.ZodTypeDef, unknown>,
	value: unknown,
	form: SelfHostedForm = 'documented',
): T {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	const [issue] = result.error.issues;
	const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : [];
	const field = [...(issue?.path ?? []), ...unknown].join('.');
	const isMissing = issue?.code === 'invalid_type' && issue.received === 'undefined';
	const problem = isMissing ? 'is required' : `is not valid: ${issue?.message ?? ''}`;
	const shown = form === 'documented' ? field : undefined;
	throw refusal(400, 'bad_request', `The "${field}" field ${problem}.`, shown);
}

function htmlPage(text: string): string {
	return `<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>Error</title>\n</head>\n<body>\n<pre>${escapeHtml(text)}</pre>\n</body>\n</html>\n`;
}

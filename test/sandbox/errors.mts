import type { z } from 'zod';

export class ApiError extends Error {
	constructor(
		readonly status: number,
		message: string,
		readonly headers: Record<string, string> = {},
	) {
		super(message);
	}
}

export const badRequest = (message: string) => new ApiError(400, message);
export const notFound = (what: string) => new ApiError(404, `${what} not found`);
export const conflict = (message: string) => new ApiError(409, message);
export const forbidden = (message: string) => new ApiError(403, message);

export const messageOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

export function parse<Output>(
	schema: z.ZodType<Output, z.ZodTypeDef, unknown>,
	value: unknown,
): Output {
	const result = schema.safeParse(value);
	if (result.success) return result.data;
	throw badRequest([...new Set(result.error.issues.map(describe))].join('; '));
}

function describe(issue: z.ZodIssue): string {
	const path = issue.path.join('.');
	if (issue.code === 'unrecognized_keys') {
		const names = issue.keys.map((key) => `"${path === '' ? key : `${path}.${key}`}"`);
		return `Unknown field ${names.join(', ')}`;
	}
	if (path === '') return `Invalid request: ${issue.message}`;
	if (issue.code === 'invalid_type' && issue.received === 'undefined') {
		return `"${path}" is required`;
	}
	return `"${path}": ${issue.message}`;
}

import { z } from 'zod';

export const faultSchema = z
	.object({
		method: z.string().optional(),
		/** A regular expression for the path after `/api/v1` or, if self-hosted, `/api`. */
		path: z.string().refine(isPattern, 'must be a regular expression').optional(),
		skip: z.number().int().min(0).default(0),
		times: z.number().int().min(1).default(1),
		kind: z.enum(['status', 'delay', 'reset', 'truncate', 'body']),
		status: z.number().int().min(200).max(599).optional(),
		headers: z.record(z.coerce.string()).default({}),
		body: z.unknown(),
		contentType: z.string().optional(),
		milliseconds: z.number().min(0).default(1000),
		/** Whether the fault prevents the request. Otherwise, it only affects the response. */
		before: z.boolean().default(true),
	})
	.strict();

export type Fault = z.infer<typeof faultSchema>;
export type FaultFields = z.input<typeof faultSchema>;

export class Faults {
	private rules: Fault[] = [];

	add(fault: Fault): void {
		this.rules.push({ ...fault });
	}

	clear(): void {
		this.rules = [];
	}

	/** Finds the fault for a request, if any, and counts it. */
	take(method: string, path: string): Fault | undefined {
		const matching = this.rules.filter(
			(rule) =>
				(rule.method === undefined || rule.method.toUpperCase() === method) &&
				(rule.path === undefined || new RegExp(rule.path).test(path)),
		);
		for (const rule of matching) {
			if (rule.skip > 0) {
				rule.skip -= 1;
				continue;
			}
			rule.times -= 1;
			if (rule.times === 0) this.rules = this.rules.filter((other) => other !== rule);
			return rule;
		}
		return undefined;
	}
}

/** The response with a fault. @param errorBody the body with an error status, unless the fault contains a body */
export function faultAnswer(
	{ kind, status = kind === 'status' ? 500 : 200, ...fault }: Fault,
	errorBody: (status: number) => unknown,
) {
	const standard = kind === 'status' ? errorBody(status) : { success: true, data: {} };
	const { body = standard, contentType } = fault;
	const [type, text] =
		typeof body === 'string' ? ['text/html', body] : ['application/json', JSON.stringify(body)];
	return { status, contentType: contentType ?? `${type}; charset=utf-8`, text };
}

function isPattern(value: string): boolean {
	try {
		return new RegExp(value) instanceof RegExp;
	} catch {
		return false;
	}
}

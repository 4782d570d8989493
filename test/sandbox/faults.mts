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

export function faultAnswer(fault: Fault): { status: number; contentType: string; text: string } {
	const status = fault.status ?? (fault.kind === 'status' ? 500 : 200);
	const standard =
		fault.kind === 'status'
			? { success: false, error: `Injected fault (status ${status})` }
			: { success: true, data: {} };
	const body = fault.body === undefined ? standard : fault.body;
	if (typeof body === 'string') {
		return { status, contentType: fault.contentType ?? 'text/html; charset=utf-8', text: body };
	}
	const contentType = fault.contentType ?? 'application/json; charset=utf-8';
	return { status, contentType, text: JSON.stringify(body) };
}

function isPattern(value: string): boolean {
	try {
		return new RegExp(value) instanceof RegExp;
	} catch {
		return false;
	}
}

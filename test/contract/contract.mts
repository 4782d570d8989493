import { z } from 'zod';
import type { Subject } from './subject.mts';

/** What an operation does on any self-hosted server that supports it. */
export interface Case {
	resource: string;
	operation: string;
	check(on: Subject): Promise<void>;
}

export const contractCase = (resource: string, operation: string, check: Case['check']): Case => ({
	resource,
	operation,
	check,
});

export interface Result {
	operation: string;
	outcome: 'works' | 'refused' | 'failed';
	/** The error message; empty if the operation works. */
	message: string;
	seconds: number;
}

const NOT_SUPPORTED = /server version does not support/;

/** Runs the cases one after another, because a real server has only two browsers. */
export async function runCases(
	on: Subject,
	cases: Case[],
	report: (result: Result) => void = () => {},
): Promise<Result[]> {
	const results: Result[] = [];
	for (const entry of cases) {
		const began = performance.now();
		const outcome = await tryCase(entry, on);
		const seconds = (performance.now() - began) / 1000;
		const result = { operation: `${entry.resource}: ${entry.operation}`, ...outcome, seconds };
		results.push(result);
		report(result);
	}
	return results;
}

async function tryCase({ check }: Case, on: Subject): Promise<Pick<Result, 'outcome' | 'message'>> {
	try {
		await check(on);
		return { outcome: 'works', message: '' };
	} catch (error) {
		const message = messageOf(error);
		return { outcome: NOT_SUPPORTED.test(message) ? 'refused' : 'failed', message };
	}
}

/** Errors of an execution may be plain objects. */
const errorSchema = z.object({ message: z.string(), description: z.string().nullish() });

function messageOf(error: unknown): string {
	const { success, data } = errorSchema.safeParse(error);
	if (!success) return String(error);
	return data.description ? `${data.message}. ${data.description}` : data.message;
}

export function tableOf(results: Result[]): string {
	const width = Math.max(...results.map(({ operation }) => operation.length));
	return results
		.map(({ operation, outcome, message, seconds }) =>
			[operation.padEnd(width), outcome.padEnd(7), `${seconds.toFixed(1)} s`.padStart(7), message]
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

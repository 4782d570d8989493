import { setTimeout as sleep } from 'node:timers/promises';

/** How long tests wait for things that happen soon, in milliseconds, with a margin for busy machines. */
export const PATIENCE = 180_000;

/** The limit for "at once" in milliseconds, even on a busy machine. The alternative takes far longer. */
export const AT_ONCE = 10_000;

/** Asks repeatedly until there is a result, which is neither undefined nor false. */
export async function until<T>(
	what: string,
	limit: number,
	ask: () => Promise<T | false | undefined> | T | false | undefined,
): Promise<T> {
	const end = Date.now() + limit;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined && answer !== false) return answer;
		if (Date.now() > end) throw new Error(`Waited ${limit / 1000} s in vain for ${what}`);
		await sleep(50);
	}
}

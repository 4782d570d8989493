import { setTimeout as sleep } from 'node:timers/promises';

/** How long tests wait for what happens soon, in milliseconds: what takes no time may take some on a busy machine. */
export const PATIENCE = 20_000;

/** Within so many milliseconds something has happened at once, on a busy machine too; what it is told from takes far longer. */
export const AT_ONCE = 10_000;

/**
 * Asks again and again until there is an answer.
 * @param limit milliseconds
 * @throws Error that names what was waited for when the limit passes
 */
export async function until<T>(
	what: string,
	limit: number,
	ask: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
	const end = Date.now() + limit;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > end) throw new Error(`Waited ${limit / 1000} s in vain for ${what}`);
		await sleep(50);
	}
}

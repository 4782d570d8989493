import { vi } from 'vitest';

/** Work that never ends. */
export const never = async () => await new Promise<never>(() => {});

/**
 * The outcome of work after this much simulated time.
 * @throws Error if the work takes longer
 */
export async function after<T>(milliseconds: number, outcome: Promise<T>): Promise<T> {
	const settled = outcome.then((value) => ({ value }));
	await vi.advanceTimersByTimeAsync(milliseconds);
	const early = await Promise.race([settled, Promise.resolve(undefined)]);
	if (!early) throw new Error(`It took more than ${milliseconds / 1000} s`);
	return early.value;
}

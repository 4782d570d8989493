import type { Played, Waiter } from '../view.mts';

/** Checks a history after its end. The name of the function says what must hold. @returns a sentence for each violation */
export type Rule = (played: Played) => string[];

/** A rule for each execution with the Maxun node. */
export const forEach =
	(check: (waiter: Waiter, played: Played) => string[]) =>
	(played: Played): string[] =>
		played.waiters.flatMap((waiter) =>
			check(waiter, played).map((text) => `${waiter.name}: ${text}`),
		);

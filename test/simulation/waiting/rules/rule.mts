import type { Played, Visit, Waiter } from '../view.mts';

/** Checks a history after its end. The function's name says what must hold. @returns a sentence for each violation */
export type Rule = (played: Played) => string[];

/** A rule for each execution with a Maxun node. */
export const forEach =
	(check: (waiter: Waiter, played: Played) => string[]) =>
	(played: Played): string[] =>
		played.waiters.flatMap((waiter) =>
			check(waiter, played).map((text) => `${waiter.name}: ${text}`),
		);

/** A rule for each visit of n8n's engine to a Maxun node. */
export const forEachVisit = (
	check: (visit: Visit, waiter: Waiter, played: Played) => string[],
): Rule =>
	forEach((waiter, played) => waiter.visits.flatMap((visit) => check(visit, waiter, played)));

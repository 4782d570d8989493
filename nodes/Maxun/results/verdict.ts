import { isBlank, type Captured } from './captured';
import { screenshotsOf } from './screenshots';
import type { RunOutput } from './types';

/**
 * What a run is worth. `empty` means that the page was read and has no rows. `refused` means that the page showed
 * something else. `partial` means that some of the data is missing. `failed` includes canceled and active runs.
 */
export type Verdict = 'good' | 'partial' | 'empty' | 'refused' | 'failed' | 'failsChecks';

/** Whether a run's data counts. */
export const isUsable = (verdict?: Verdict): boolean => verdict === 'good' || verdict === 'partial';

/** What a run is worth, apart from the checks. @param rowsBefore how many rows the last good run has */
export function verdictOf(
	captured: Captured,
	lists?: RunOutput['lists'],
	rowsBefore = 0,
): Exclude<Verdict, 'failsChecks'> {
	const { run, unread } = captured;
	if (run.status !== 'success') return 'failed';
	if (capturedNothing(captured, lists))
		return unread.length > 0 || rowsBefore > 0 ? 'refused' : 'empty';
	return run.isPartial === true || unread.length > 0 ? 'partial' : 'good';
}

/**
 * Whether a run has no rows, or only pages that could not be read. A screenshot counts as data, except of such a page.
 * Single fields, such as a heading, don't count without rows of the lists that the robot reads.
 */
export const capturedNothing = (
	{ run, parts, unread }: Captured,
	lists: RunOutput['lists'] = [],
): boolean =>
	(unread.length > 0 || screenshotsOf(run).length === 0) &&
	!parts.some(
		({ kind, rows }) =>
			(kind !== 'fields' || lists.every(({ isOptional }) => isOptional)) &&
			rows.some((row) => !isBlank(row, kind)),
	);

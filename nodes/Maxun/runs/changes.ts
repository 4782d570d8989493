import type { IDataObject } from 'n8n-workflow';
import { counted } from '../http/text';
import type { Captured } from '../results/captured';
import { rowsChanged } from '../results/changeOutput';
import { knownRun } from '../results/comparison';
import { isUsable, verdictOf } from '../results/outcome';
import { rowsOf } from '../results/rows';
import type { PendingRun, WatchSettings } from './types';

/**
 * What has changed since the run that the node last returned. The first check of a page only remembers its rows, and a
 * test returns all rows as added.
 * @returns `rowsBefore` is the number of rows of that run
 */
export async function changesSince(
	{ context, settings, known, robotId }: PendingRun,
	later: Captured,
	changes: WatchSettings,
): Promise<{ rows?: IDataObject[]; rowsBefore?: number }> {
	const { maxun, hint } = context;
	const { subject = '', lists, ifNoData, keeping, address } = settings;
	const { runId, robotId: knownId = robotId } = known ?? {};
	const robotIds = [...new Set([knownId, robotId])];
	const before = runId && (await knownRun(maxun.runs, robotIds, runId, later, changes));
	const mayBeEmpty = ifNoData !== undefined && ifNoData !== 'error';
	const rowsBefore = before && !mayBeEmpty ? rowsOf(before).length : 0;
	const verdict = verdictOf(later, lists, rowsBefore);
	if (!isUsable(verdict) && !(verdict === 'empty' && mayBeEmpty)) return { rowsBefore };
	if (before && before.run.id !== runId) hint(GONE, 1, subject);
	const compared = { ...changes, address };
	if (before)
		return { rows: await rowsChanged(maxun, [before, later], compared, hint), rowsBefore };
	const about = `${subject} (${counted(rowsOf(later).length, 'row')})`;
	const isTest = keeping === undefined;
	if (isTest || runId || changes.firstCheck === 'nothing')
		hint(isTest ? TEST : runId ? LOST : FIRST, 1, about);
	const nothing = { ...later, parts: [], unread: [] };
	const all = { ...compared, onlyIf: [], missingOnce: false };
	// Also shows a key column that doesn't exist.
	const rows = await rowsChanged(maxun, [nothing, later], all, hint);
	return { rows: isTest || (changes.firstCheck === 'all' && !runId) ? rows : [] };
}

const TEST =
	'In a test, all rows count as added, and the node remembers nothing. Only production executions find changes';

const FIRST =
	'The node has checked these pages for the first time. From the next production execution on, it returns what has changed. Pages';

const GONE =
	'Maxun no longer has the run that the node last returned, so the pages are compared with the last good run before. Pages';

const LOST =
	'Maxun no longer has the run that the node last returned, so it is not known what has changed since then. Pages';

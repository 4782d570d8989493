import type { IDataObject } from 'n8n-workflow';
import { counted } from '../http/text';
import type { Captured } from '../results/captured';
import { rowsChanged } from '../results/changeOutput';
import { knownRun } from '../results/baseline';
import { verdictOf } from '../results/outcome';
import { rowsOf } from '../results/rows';
import type { PendingRun, WatchSettings } from './types';

interface Found {
	rows: IDataObject[];
	/** The run that the node last returned, and its number of rows. */
	former?: Captured;
	rowsBefore?: number;
}

/**
 * What has changed since the run that the node last returned. The first check of a page only remembers its rows, and a
 * test returns all rows as added.
 */
export async function changesSince(
	{ context, settings, known, robotId }: PendingRun,
	later: Captured,
	changes: WatchSettings,
): Promise<Found> {
	const { maxun, hint } = context;
	const { subject = '', lists, ifNoData, keeping, address } = settings;
	const { runId, robotId: knownId = robotId } = known ?? {};
	const robotIds = [robotId, knownId];
	const before = runId && (await knownRun(maxun.runs, robotIds, runId, later, changes));
	const rowsBefore = before && ifNoData === undefined ? rowsOf(before).length : 0;
	const ofBefore = { rowsBefore, former: before || undefined };
	const verdict = verdictOf(later, lists, rowsBefore);
	if (verdict !== 'good' && verdict !== 'partial') return { rows: [], ...ofBefore };
	const compared = { ...changes, address };
	if (before)
		return { rows: await rowsChanged(maxun, [before, later], compared, hint), ...ofBefore };
	const about = `${subject} (${counted(rowsOf(later).length, 'row')})`;
	const isTest = keeping === undefined;
	hint(isTest ? TEST : runId ? LOST : FIRST, 1, about);
	const nothing = { ...later, parts: [], unread: [] };
	const all = { ...compared, fromNothing: true };
	// Also shows whether the settings fit the page.
	const rows = await rowsChanged(maxun, [nothing, later], all, hint);
	return { rows: !isTest && changes.firstCheck === 'nothing' ? [] : rows };
}

const TEST =
	'In a test, all rows count as added, and the node remembers nothing. Only production executions find changes';

const FIRST =
	'The node has checked these pages for the first time. From the next production execution on, it returns what has changed. Pages';

const LOST =
	'Maxun no longer has the run that the node last returned, so it is not known what has changed since then. Pages';

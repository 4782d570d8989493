import { LINK, TITLE } from '../automatic/names';
import { recover } from '../http/fault';
import { counted } from '../http/text';
import type { Captured } from '../results/captured';
import { rowsChanged } from '../results/changeOutput';
import { knownRun, partIn } from '../results/baseline';
import { isUsable, verdictOf } from '../results/verdict';
import { allRows, columnsOf, rowsOf } from '../results/rows';
import { RunFault } from '../results/runFault';
import type { OutcomeSettings } from '../results/types';
import { isMissing } from '../results/values';
import type { MaxunServer } from '../servers/types';
import type { PendingRun, WaitSettings, WatchSettings } from './types';

/** `former` is the run that the node last returned. */
export type RowsFound = Pick<OutcomeSettings, 'rows' | 'former' | 'rowsBefore'>;

/**
 * What has changed since the run that the node last returned. The first check of a page only stores its rows, and a
 * test returns all rows as added.
 */
export async function changesSince(
	{ context, settings, known: robot }: PendingRun,
	later: Captured,
	given: WatchSettings,
): Promise<RowsFound> {
	const { hint, maxun: own } = context;
	const maxun = robot?.formerId ? withFormer(own, robot.formerId) : own;
	const { subject = '', lists, ifNoData, keeping, address } = settings;
	const { runId, robotId = '' } = robot ?? {};
	const mayBeEmpty = ifNoData !== undefined && ifNoData !== 'error';
	const known = { ...given, mayBeEmpty };
	const found = runId ? await knownRun(maxun.runs, robotId, runId, later, known) : undefined;
	const isOther = robot?.isOutdated && found && hasOtherColumns(found, later);
	const before = isOther ? undefined : found;
	const findsKey = keeping?.isAutomatic && !given.key?.length;
	const key = findsKey ? identityIn([before ?? later, later], given) : given.key;
	const changes = { ...given, key };
	const rowsBefore = before && !mayBeEmpty ? rowsOf(before).length : 0;
	const verdict = verdictOf(later, lists, rowsBefore);
	const ofBefore = { rowsBefore, former: before };
	if (!isUsable(verdict) && !(verdict === 'empty' && mayBeEmpty)) return ofBefore;
	if (before && before.run.id !== runId) hint(GONE, 1, subject);
	if (before) demandColumns(before, later, settings);
	const compare = async (earlier: Captured, more: Partial<WatchSettings> = {}) => {
		const none = earlier.parts.map((part) => ({ ...part, rows: [] }));
		const now = verdict === 'empty' ? { ...later, parts: none } : later;
		if (now.parts.length === 0) return [];
		return await rowsChanged(maxun, [earlier, now], { ...changes, ...more, address }, hint);
	};
	if (before) return { rows: await compare(before), ...ofBefore };
	const isTest = keeping === undefined;
	const isLost = runId !== undefined && !isOther;
	const returnsAll = isTest || (changes.firstCheck === 'all' && !isLost);
	const about = `${subject} (${counted(rowsOf(later).length, 'row')})`;
	if (isTest || !returnsAll)
		hint(isTest ? TEST : isOther ? OTHER : isLost ? LOST : FIRST, 1, about);
	// Also finds a key column that doesn't exist.
	const nothing = { run: { ...later.run, isPartial: false }, parts: [], unread: [] };
	const rows = await compare({ ...later, ...nothing }, { onlyIf: [], missingOnce: false });
	return { rows: returnsAll ? rows : [] };
}

/** Also lists the runs of the robot that a robot has replaced. */
function withFormer({ runs, ...maxun }: MaxunServer, formerId: string): MaxunServer {
	const list: typeof runs.list = async (robotId, filter, limit) => {
		const own = await runs.list(robotId, filter, limit);
		if (own.length >= limit) return own;
		const more = runs.list(formerId, filter, limit - own.length);
		return [...own, ...(await recover(more, { any: () => [] }))];
	};
	const get: typeof runs.get = async (id, robotIds) => await runs.get(id, [...robotIds, formerId]);
	return { ...maxun, runs: { ...runs, get, list } };
}

function hasOtherColumns(...runs: [Captured, Captured]): boolean {
	const [former, now] = runs.map((run) => columnsOf(rowsOf(run)).sort().join('\n'));
	return former !== '' && now !== '' && former !== now;
}

/**
 * What identifies a row if the user hasn't chosen it: its link, its title, or a text that differs in nearly every row. A
 * number may change.
 */
function identityIn(runs: Captured[], { ignore = [] }: WatchSettings): string[] {
	const tables = runs.map(({ parts }) => allRows(parts.filter(({ kind }) => kind === 'rows')));
	const isOwn = (column: string) =>
		tables.every((rows) => {
			const values = new Set(rows.map((row) => row[column]).filter((value) => !isMissing(value)));
			return values.size >= rows.length * USUAL_SHARE;
		});
	const isText = (column: string) => !tables.flat().some((row) => /\d/.test(String(row[column])));
	const names = columnsOf(tables.flat());
	const main = [LINK, TITLE].filter((name) => names.includes(name));
	const [key = ''] = [...main, ...names.filter(isText)].filter(isOwn);
	return key === '' || ignore.includes(key) ? [] : [key];
}

/** How many rows before and now show that a column is lost, and the share of rows that had a value before. */
const [ROWS_BEFORE, ROWS_NOW] = [3, 2];
export const USUAL_SHARE = 0.9;

/**
 * A redesign may empty a column. It would look like a change of each row, and the next check would compare with it.
 * @throws RunFault
 */
function demandColumns(before: Captured, later: Captured, settings: WaitSettings): void {
	for (const part of later.parts) {
		const { kind, rows } = part;
		const former = partIn(before, part)?.rows ?? [];
		if (kind !== 'rows' || former.length < ROWS_BEFORE || rows.length < ROWS_NOW) continue;
		const lost = columnsOf(former).find((column) => {
			const had = former.filter((row) => !isMissing(row[column])).length;
			return had >= former.length * USUAL_SHARE && rows.every((row) => isMissing(row[column]));
		});
		if (lost === undefined) continue;
		const repair = settings.repairSelectors ? '' : "turn on 'Repair Selectors', or ";
		throw new RunFault(
			`Run ${later.run.id} for ${settings.subject} has no value in '${lost}', although nearly all rows had a value before`,
			`The page may have changed. Check it in a browser. Then ${repair}describe '${lost}' again`,
			`no value in '${lost}'`,
		);
	}
}

export const BEING_CHECKED =
	'Another execution is checking some of the pages, so this execution skipped them. Pages';

const TEST =
	'In a test, all rows count as added, and the node does not store anything. Only production executions find changes';

const FIRST =
	'The node has checked these pages for the first time. From the next production execution on, it returns what has changed. Pages';

const OTHER = "The robot's columns have changed, so this was the first check of these pages. Pages";

const NO_RUN = 'Maxun no longer has the run that the node last returned, so';

const GONE = `${NO_RUN} the pages are compared with the last good run before it. Pages`;

const LOST = `${NO_RUN} the node cannot find what has changed since then. Pages`;

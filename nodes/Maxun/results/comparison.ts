import type { IDataObject } from 'n8n-workflow';
import { mapInTurns, resting, type Rest } from '../http/concurrency';
import { MaxunFault } from '../http/fault';
import { quoted } from '../http/text';
import { nameIn, valueAt } from '../http/values';
import type { Run } from '../servers/entities';
import { goodRunsBefore, partIn, runBefore, unreadIn } from './baseline';
import type { Runs } from './goodRun';
import { isOfPages, type Captured, type Part } from './captured';
import { changesOf, columnsIn, groupedInTurns, missingIn, requireColumns, rowId } from './changes';
import type { Change, ChangeSettings, ComparedPart } from './changes';
import type { Hint } from './hint';
import { changesThatMeet, comparedColumns, type ConditionSettings, type Side } from './conditions';
import { changesOfText, hasPart, RUNS_OF_ALWAYS, type NoiseSettings } from './noise';
import { numbersOf } from './numbers';
import { textOf } from './pageText';
import { allRows, namedParts } from './rows';
import { comparedRows, tableParts, tableRows, type TableSettings } from './table';
import { isMissing } from './values';

export interface ComparisonSettings extends NoiseSettings, ConditionSettings, TableSettings {
	/** Whether rows and values that are missing for the first time don't count. */
	missingOnce?: boolean;
}

interface Earlier extends Captured {
	/** The rows without a number that a condition compares, with their last numbers. */
	known?: Map<IDataObject, IDataObject>;
	/** The good runs before, which show what always changes. */
	former?: Captured[];
}

/** Completes two runs from earlier runs, which it only reads if they are needed. */
export async function withRunsBefore(
	runs: Runs,
	robotId: string,
	both: [earlier: Captured, later: Captured],
	settings: ComparisonSettings,
): Promise<[earlier: Earlier, later: Captured]> {
	const [earlier, later] = both;
	const rest = resting();
	const first = settings.missingOnce
		? await runBefore(runs, robotId, earlier, settings)
		: undefined;
	const before = first ? await withMissing(first, earlier, settings, rest) : earlier;
	const after = settings.missingOnce ? await withMissing(earlier, later, settings, rest) : later;
	const known = await lastKnown(runs, robotId, [before, after], settings, rest);
	const former = await formerTexts(runs, robotId, both, settings, rest);
	return [{ ...before, known, former }, after];
}

/** The runs before two runs whose texts differ. */
async function formerTexts(
	runs: Runs,
	robotId: string,
	[{ run, parts }, later]: [Captured, Captured],
	{ ignoreInTexts }: ComparisonSettings,
	rest: Rest,
): Promise<Captured[]> {
	if (!ignoreInTexts?.always) return [];
	const textsIn = async (all: Part[]) => {
		const pages = all.filter(isOfPages).flatMap(({ rows }) => rows);
		return (await mapInTurns(pages, rest, (page) => JSON.stringify(page))).join('\n');
	};
	if ((await textsIn(parts)) === (await textsIn(later.parts))) return [];
	const former: Captured[] = [];
	for await (const captured of goodRunsBefore(runs, robotId, run)) {
		if (former.push(captured) === RUNS_OF_ALWAYS) break;
	}
	return former;
}

/** A product that was sold out in between is compared with its last price. */
async function lastKnown(
	runs: Runs,
	robotId: string,
	[earlier, later]: [Captured, Captured],
	settings: ComparisonSettings,
	rest: Rest,
): Promise<Earlier['known']> {
	const columns = settings.key?.length ? comparedColumns(settings) : [];
	if (columns.length === 0) return undefined;
	const numberIn = (row: IDataObject = {}, column: string) => {
		const value = valueAt(row, column);
		const isNumber = numbersOf([value]).numbers[0] !== null;
		return isNumber && (typeof value === 'string' || typeof value === 'number') ? value : undefined;
	};
	const after = await byId(later, settings, rest);
	const all = await mapInTurns([...(await byId(earlier, settings, rest))], rest, ([id, row]) =>
		(row ? columns : []).flatMap((column) => {
			const hasNumber = /\d/.test(String(row && valueAt(row, column)));
			const isComparable = row && !hasNumber && numberIn(after.get(id), column) !== undefined;
			return isComparable ? { id, row, column } : [];
		}),
	);
	let wanted = all.flat();
	const known = new Map<IDataObject, IDataObject>();
	if (wanted.length === 0) return known;
	for await (const former of goodRunsBefore(runs, robotId, earlier.run)) {
		// Some servers' times are whole seconds, so the later run may have the same time.
		if (former.run.id === later.run.id) continue;
		const rows = await byId(former, settings, rest);
		wanted = wanted.filter(({ id, row, column }) => {
			const value = numberIn(rows.get(id), column);
			if (value === undefined) return true;
			known.set(row, { ...(known.get(row) ?? row), [nameIn(row, column)]: value });
			return false;
		});
		if (wanted.length === 0) break;
	}
	return known;
}

/** The rows by their keys; undefined if several have the key. */
async function byId({ parts }: Captured, settings: ChangeSettings, rest: Rest) {
	const found = new Map<string, IDataObject | undefined>();
	for (const { kind, list, rows } of parts) {
		for (const row of rows) {
			await rest();
			const id = rowId(row, kind, settings);
			const key = JSON.stringify([kind, list, id]);
			if (id !== undefined) found.set(key, found.has(key) ? undefined : row);
		}
	}
	return found;
}

/** Adds what only the previous run has. So rows and values count as removed only if they are missing twice. */
async function withMissing(before: Captured, run: Captured, settings: ChangeSettings, rest: Rest) {
	const parts: Part[] = [];
	for (const part of run.parts) {
		const former = partIn(before, part);
		parts.push(
			former ? { ...part, rows: await rowsWithMissing(former, part, settings, rest) } : part,
		);
	}
	return { ...run, parts };
}

async function rowsWithMissing(former: Part, part: Part, settings: ChangeSettings, rest: Rest) {
	const { kind } = part;
	const idOf = (row: IDataObject) => rowId(row, kind, settings) ?? (kind === 'fields' ? kind : '');
	const candidates = await groupedInTurns([...former.rows].reverse(), rest, idOf);
	candidates.delete('');
	const rows = await mapInTurns(part.rows, rest, (row) => {
		const old = candidates.get(idOf(row))?.pop() ?? {};
		const missing = Object.entries(old).filter(([name]) => isMissing(row[name]));
		return { ...row, ...Object.fromEntries(missing) };
	});
	return [...rows, ...[...candidates.values()].flat().reverse()];
}

/**
 * The changes between two runs that meet the conditions. Each run is converted with its own time before they are
 * compared. Rows that a partial run didn't reach don't count as removed.
 * @throws MaxunFault if a run lacks a key column, or if the rows don't have a condition's column
 */
export async function changesBetween(
	earlier: Earlier,
	later: Captured,
	settings: ComparisonSettings,
	rest: Rest,
	hint: Hint,
): Promise<Change[]> {
	const isNamed = Math.max(earlier.lists.length, later.lists.length) > 1;
	const read = await comparedParts(later, isNamed, settings, rest, hint);
	const own = await comparedParts(earlier, isNamed, settings, rest);
	// Rows count as removed only if the later run has read their page, or rows of their list.
	const readAgain = own.filter((part) => partIn({ parts: read }, part));
	const before = readAgain.map((part) => readIn(later, part));
	const after = read.map((part) => readIn(earlier, part));
	const from = { run: earlier.run, parts: before };
	const to = { run: later.run, parts: after };
	await demandPart([...before, ...after], settings.ignoreInTexts?.part, rest);
	checkColumns([from, to], settings, hint);
	const found = await changesOf(before, after, settings, rest);
	const changes = await changesOfText(
		reachedByBoth(found, [earlier, later], hint),
		settings,
		earlier.former ?? [],
		{ rest, hint },
	);
	const has = (change: Change['change']) =>
		changes.some((entry) => entry.kind === 'rows' && entry.change === change);
	if (!settings.key?.length && has('added') && has('removed')) hint(NO_KEY);
	const met = await changesThatMeet(changes, { sides: [from, to], settings, hint, rest });
	for (const { otherUnits = [] } of changes)
		for (const name of otherUnits) hint(OTHER_UNIT, 1, `'${name}'`);
	return met;
}

/** A row that a run didn't reach is neither removed nor, in the next run, added. */
function reachedByBoth(changes: Change[], [earlier, later]: [Captured, Captured], hint: Hint) {
	const without = (all: Change[], { id, isPartial }: Run, unknown: Change['change']) => {
		const known = isPartial ? all.filter(({ change }) => change !== unknown) : all;
		if (known.length < all.length)
			hint(`Run ${id} stopped early, so rows that it did not reach do not count as ${unknown}`);
		return known;
	};
	const removed = without(changes, later.run, 'removed');
	return without(removed, earlier.run, 'added');
}

/** A part without the pages that another run could not read. */
function readIn(other: Captured, part: ComparedPart): ComparedPart {
	if (other.unread.length === 0 || !isOfPages(part)) return part;
	const isUnread = unreadIn(other);
	const { rows, shown, captured } = part;
	const isRead = (_: IDataObject, index: number) => !isUnread(rows[index]);
	const [own, others, raw] = [rows, shown, captured].map((all = rows) => all.filter(isRead));
	return { ...part, rows: own, shown: others, captured: raw };
}

/** @param isNamed whether one of the runs has several lists; otherwise, the list's name doesn't count */
async function comparedParts(
	{ run, parts, known }: Earlier,
	isNamed: boolean,
	settings: TableSettings,
	rest: Rest,
	hint: Hint = () => {},
): Promise<ComparedPart[]> {
	const own = isNamed ? parts : parts.map((part) => ({ ...part, list: '' }));
	const withKnown = ({ rows }: Part) => rows.map((row) => known?.get(row) ?? row);
	if (!settings.columns?.length) {
		const shown = namedParts(own, isNamed);
		return own.map((part, index) => ({
			...part,
			shown: shown[index].rows,
			captured: withKnown(part),
		}));
	}
	const made: ComparedPart[] = [];
	for (const part of await tableParts(own, run, settings, hint, rest)) {
		const [named] = namedParts([part], isNamed);
		const shown = await tableRows({ ...part, rows: named.rows }, settings, rest);
		const rows = await comparedRows(part, rest);
		made.push({ ...part, rows, shown, captured: withKnown(part) });
	}
	return made;
}

const OTHER_UNIT =
	'The currency or unit of some numbers has changed, so they have no calculated difference, and do not meet any condition. Columns';

const NO_KEY =
	"Without 'Key Column Names or IDs', a row that changed counts as removed and added. Select a column that identifies a row, such as an SKU";

async function demandPart(parts: Part[], part: string | undefined, rest: Rest): Promise<void> {
	const pages = parts.filter(isOfPages).filter(({ rows }) => rows.length > 0);
	if (!part || pages.length === 0) return;
	for (const { rows, kind } of pages) {
		for (const row of rows) {
			await rest();
			if (hasPart(textOf(row, kind), part)) return;
		}
	}
	throw new MaxunFault(
		`No page contains '${part}', so nothing is compared`,
		"In 'Part of the Page', enter a text from this part, such as its heading",
		{ forModel: 'Call the tool again with another text, or without a text' },
	);
}

function checkColumns(sides: Side[], { key = [], ignore = [] }: ChangeSettings, hint: Hint) {
	const all = sides.flatMap(({ parts }) => parts);
	requireColumns(all, key, 'key column', 'Key Column Names or IDs');
	for (const { run, parts } of sides) {
		const missing = missingIn(parts, key);
		// A run without rows has no columns.
		if (missing.length === 0 || allRows(parts).length === 0) continue;
		throw new MaxunFault(
			`Run ${run.id} has no key column ${quoted(missing)}`,
			`The robot's columns were probably renamed between the runs. This run has the columns ${quoted(columnsIn(parts))}. Compare runs with the same columns`,
		);
	}
	const ignored = missingIn(all, ignore);
	if (ignored.length > 0)
		hint(
			`No row has the ignored column ${quoted(ignored)}. The columns are ${quoted(columnsIn(all))}`,
		);
}

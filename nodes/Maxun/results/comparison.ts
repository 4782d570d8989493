import type { IDataObject } from 'n8n-workflow';
import { mapInTurns, resting, type Rest } from '../http/concurrency';
import { MaxunFault, recover } from '../http/fault';
import { addressOf } from '../http/links';
import { quoted } from '../http/text';
import { nameIn, valueAt } from '../http/values';
import type { ListedRun, Run } from '../servers/entities';
import { startOf } from '../servers/dates';
import type { MaxunServer } from '../servers/types';
import { capturedInTurns, isOfPages, type Captured, type Part } from './captured';
import { changesOf, columnsIn, groupedBy, missingIn, requireColumns, rowId } from './changes';
import type { Change, ChangeSettings, ComparedPart } from './changes';
import type { Hint } from './hint';
import { verdictOf } from './outcome';
import { changesThatMeet, comparedColumns, type ConditionSettings, type Side } from './conditions';
import { numbersOf } from './numbers';
import { namedParts } from './rows';
import { comparedRows, tableParts, tableRows, type TableSettings } from './table';
import { isMissing } from './values';

type Runs = Pick<MaxunServer['runs'], 'get' | 'list'>;

const MAX_RUNS = 20;

/** The last completed runs of a robot, newest first. @param until a time in UTC */
export const lastRuns = async (runs: Pick<Runs, 'list'>, robotId: string, until?: string) =>
	await runs.list(robotId, { status: ['success'], until }, MAX_RUNS + 1);

interface Baseline extends Captured {
	/** Whether it is the last completed run before the other one. */
	isPrevious: boolean;
}

/**
 * The previous run of a run: the last completed one with all its data. Pages that it could not read, and lists without
 * rows, come from runs before it, so that neither a block nor its end counts as a change.
 * @param known the last run with data. Read if none of the listed runs has data
 */
export async function runBefore(
	runs: Runs,
	robotId: string,
	later: Captured,
	listed?: ListedRun[],
	known: () => string | undefined = () => undefined,
): Promise<Baseline | undefined> {
	let baseline: Baseline | undefined;
	for await (const captured of goodRunsBefore(runs, robotId, later.run, listed)) {
		baseline = baseline ? filled(baseline, captured) : captured;
		const hasGaps = filled(baseline, later).parts.length > baseline.parts.length;
		if (!hasGaps) return baseline;
	}
	const lastId = baseline ? undefined : known();
	const last = lastId && (await goodRunBefore(runs, robotId, later.run, lastId));
	return last ? { ...last, isPrevious: false } : baseline;
}

/**
 * A run to compare a later one with, if it still exists; otherwise, the last good run before the later one. What it lacks
 * comes from good runs before it.
 * @param robotIds the later run's robot, and the one that the run may belong to
 */
export async function knownRun(
	runs: Runs,
	robotIds: string[],
	runId: string,
	later: Captured,
	settings: ChangeSettings,
): Promise<Captured | undefined> {
	const found = await recover(runs.get(runId, robotIds), { notFound: () => undefined });
	if (!found) return await runBefore(runs, robotIds[0], later);
	const known = await capturedInTurns(found);
	const { robotId = robotIds.at(-1), isPartial } = found;
	const hasGaps = filled(known, later).parts.length > known.parts.length;
	if (!robotId || (!isPartial && !hasGaps)) return known;
	const former = await runBefore(runs, robotId, known);
	return former ? filled(isPartial ? keptFrom(former, known, settings) : known, former) : known;
}

/** The last completed runs before a run that have all their data, newest first. Each is read when it is needed. */
async function* goodRunsBefore(
	runs: Runs,
	robotId: string,
	run: Run,
	listed?: ListedRun[],
): AsyncGenerator<Baseline> {
	const all = listed ?? (await runsUntil(runs, robotId, run));
	const earlier = all.filter((other) => startedBefore(other, run)).slice(0, MAX_RUNS);
	for (const { id } of earlier) {
		const captured = await goodRunBefore(runs, robotId, run, id);
		if (captured) yield { ...captured, isPrevious: id === earlier[0].id };
	}
}

async function goodRunBefore(runs: Runs, robotId: string, run: Run, id: string) {
	const found = await recover(runs.get(id, [robotId]), { notFound: () => undefined });
	if (!found || found.isPartial || !startedBefore(found, run)) return undefined;
	const captured = await capturedInTurns(found);
	return ['good', 'partial'].includes(verdictOf(captured)) ? captured : undefined;
}

const startedBefore = (other: ListedRun, run: Run): boolean =>
	other.id !== run.id && (startOf(other) ?? Infinity) <= (startOf(run) ?? 0);

/** A run with what another run has captured in its place: pages that could not be read, and lists without rows. */
function filled<C extends Captured>(captured: C, other: Captured): C {
	const isUnread = unreadIn(captured);
	const has = ({ kind, list }: Part) =>
		captured.parts.some((part) => part.kind === kind && part.list === list);
	const missing = other.parts.flatMap((part) => {
		if (part.kind === 'rows') return captured.lists.includes(part.list) && !has(part) ? part : [];
		const rows = isOfPages(part) ? part.rows.filter(isUnread) : [];
		return rows.length > 0 ? { ...part, rows } : [];
	});
	const found = new Set(missing.filter(isOfPages).flatMap(({ rows }) => rows.map(pageOf)));
	const unread = captured.unread.filter((page) => !found.has(pageOf(page)));
	return { ...captured, parts: [...captured.parts, ...missing], unread };
}

const pageOf = (page: { url?: unknown }): string => addressOf(String(page.url ?? ''));

function unreadIn({ unread }: Captured): (row: IDataObject) => boolean {
	const pages = new Set(unread.map(pageOf));
	return (row) => pages.has(pageOf(row));
}

/** If a server's dates have no time zone, all runs are listed. */
async function runsUntil(runs: Runs, robotId: string, { startedAt }: Run): Promise<ListedRun[]> {
	const until = String(startedAt);
	return /^\d{4}-\d\d-\d\dT.*Z$/.test(until)
		? await lastRuns(runs, robotId, until)
		: await runs.list(robotId, { status: ['success'] }, Infinity);
}

export interface ComparisonSettings extends ChangeSettings, ConditionSettings, TableSettings {
	/** Whether rows and values that are missing for the first time don't count. */
	missingOnce?: boolean;
}

interface Earlier extends Captured {
	/** The rows without a number that a condition compares, with their last numbers. */
	known?: Map<IDataObject, IDataObject>;
}

/** Two runs with what counts from the runs before them. Reads these only if they are needed. */
export async function withKept(
	runs: Runs,
	robotId: string,
	[earlier, later]: [Captured, Captured],
	settings: ComparisonSettings,
): Promise<[earlier: Earlier, later: Captured]> {
	const first = settings.missingOnce ? await runBefore(runs, robotId, earlier) : undefined;
	const rest = resting();
	const before = first ? await keptFrom(first, earlier, settings, rest) : earlier;
	const after = settings.missingOnce ? await keptFrom(earlier, later, settings, rest) : later;
	const known = await lastKnown(runs, robotId, [before, after], settings, rest);
	return [{ ...before, known }, after];
}

/** So a product that was sold out in between is compared with its last price. */
async function lastKnown(
	runs: Runs,
	robotId: string,
	[earlier, later]: [Captured, Captured],
	settings: ComparisonSettings,
	rest: Rest,
): Promise<Earlier['known']> {
	const columns = settings.key?.length ? comparedColumns(settings.onlyIf) : [];
	if (columns.length === 0) return undefined;
	const numberIn = (row: IDataObject = {}, column: string) => {
		const value = valueAt(row, column);
		const isNumber = numbersOf([value], 'automatic').numbers[0] !== null;
		return isNumber && (typeof value === 'string' || typeof value === 'number') ? value : undefined;
	};
	const after = await byId(later, settings, rest);
	const all = await mapInTurns([...(await byId(earlier, settings, rest))], rest, ([id, row]) =>
		columns
			.filter((column) => !/\d/.test(String(valueAt(row, column))))
			.filter((column) => numberIn(after.get(id), column) !== undefined)
			.map((column) => ({ id, row, column })),
	);
	let wanted = all.flat();
	const known = new Map<IDataObject, IDataObject>();
	if (wanted.length === 0) return known;
	for await (const former of goodRunsBefore(runs, robotId, earlier.run)) {
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

/** The rows whose key no other row has. */
async function byId({ parts }: Captured, settings: ChangeSettings, rest: Rest) {
	const entries: Array<{ id: string; row: IDataObject }> = [];
	for (const { kind, list, rows } of parts) {
		for (const row of rows) {
			await rest();
			const id = rowId(row, kind, settings);
			if (id !== undefined) entries.push({ id: JSON.stringify([kind, list, id]), row });
		}
	}
	const groups = [...groupedBy(entries, ({ id }) => id)];
	return new Map(groups.flatMap(([id, group]) => (group.length === 1 ? [[id, group[0].row]] : [])));
}

/** A run with what it lacks, but its previous run has. So only what is missing twice counts as removed. */
async function keptFrom(
	before: Captured,
	run: Captured,
	settings: ChangeSettings,
	rest: Rest,
): Promise<Captured> {
	const parts: Part[] = [];
	for (const part of run.parts) {
		const former = before.parts.find(({ kind, list }) => kind === part.kind && list === part.list);
		parts.push(former ? { ...part, rows: await rowsKept(former, part, settings, rest) } : part);
	}
	return { ...run, parts };
}

async function rowsKept(former: Part, part: Part, settings: ChangeSettings, rest: Rest) {
	const { kind } = part;
	const idOf = (row: IDataObject) => rowId(row, kind, settings) ?? (kind === 'fields' ? kind : '');
	const identified = await mapInTurns([...former.rows].reverse(), rest, (row) => ({
		row,
		id: idOf(row),
	}));
	const candidates = groupedBy(identified, ({ id }) => id);
	candidates.delete('');
	const rows = await mapInTurns(part.rows, rest, (row) => {
		const old = candidates.get(idOf(row))?.pop()?.row ?? {};
		const missing = Object.entries(old).filter(([name]) => isMissing(row[name]));
		return { ...row, ...Object.fromEntries(missing) };
	});
	const left = [...candidates.values()].flat().reverse();
	return [...rows, ...left.map(({ row }) => row)];
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
	const before = own.flatMap((part) => readAgain(part, later, read));
	const after = read.map((part) => readIn(earlier, part));
	const from = { run: earlier.run, parts: before };
	const to = { run: later.run, parts: after };
	checkColumns([from, to], settings, hint);
	const found = await changesOf(before, after, settings, rest);
	const { id, isPartial } = later.run;
	const changes = isPartial ? found.filter(({ change }) => change !== 'removed') : found;
	if (changes.length < found.length) {
		hint(`Run ${id} stopped early, so rows that it did not reach do not count as removed`);
	}
	const has = (change: Change['change']) =>
		changes.some((entry) => entry.kind === 'rows' && entry.change === change);
	if (!settings.key?.length && has('added') && has('removed')) hint(NO_KEY);
	const met = await changesThatMeet(changes, { sides: [from, to], settings, hint }, rest);
	for (const { otherUnits = [] } of changes)
		for (const name of otherUnits) hint(OTHER_UNIT, 1, `'${name}'`);
	return met;
}

/** The rows that count as removed if they are missing: the later run has read their page, or rows of their list. */
function readAgain(part: ComparedPart, later: Captured, after: ComparedPart[]): ComparedPart[] {
	if (!after.some(({ kind, list }) => kind === part.kind && list === part.list)) return [];
	return [readIn(later, part)];
}

/** A part without the pages that another run could not read. */
function readIn(other: Captured, part: ComparedPart): ComparedPart {
	if (other.unread.length === 0 || !isOfPages(part)) return part;
	const isUnread = unreadIn(other);
	const { rows, shown, captured } = part;
	const isKept = (_: IDataObject, index: number) => !isUnread(rows[index]);
	const [own, others, raw] = [rows, shown, captured].map((all = rows) => all.filter(isKept));
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
	'Some numbers have another currency or unit than before, so they have no difference, and meet no condition. Columns';

const NO_KEY =
	"Without 'Key Column Names or IDs', a row that changed counts as one that was removed and one that was added. Select a column that identifies a row, such as an SKU";

function checkColumns(sides: Side[], { key = [], ignore = [] }: ChangeSettings, hint: Hint) {
	const all = sides.flatMap(({ parts }) => parts);
	requireColumns(all, key, 'key column', 'Key Column Names or IDs');
	for (const { run, parts } of sides) {
		const missing = missingIn(parts, key);
		if (missing.length === 0 || parts.length === 0) continue;
		throw new MaxunFault(
			`Run ${run.id} has no key column ${quoted(missing)}`,
			`The robot's columns were probably renamed between the runs. This run has the columns ${quoted(columnsIn(parts))}. Compare runs with the same columns`,
		);
	}
	const ignored = missingIn(all, ignore);
	const columns = quoted(columnsIn(all));
	if (ignored.length > 0)
		hint(`No row has the ignored column ${quoted(ignored)}. The columns are ${columns}`);
}

import type { IDataObject } from 'n8n-workflow';
import type { Rest } from '../http/concurrency';
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
import { changesOfText, hasPart, RUNS_OF_ALWAYS, type NoiseSettings } from './noise';
import { numbersOf } from './numbers';
import { textOf } from './pageText';
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

export interface ComparisonSettings extends NoiseSettings, ConditionSettings, TableSettings {
	/** Whether rows and values that are missing for the first time don't count. */
	missingOnce?: boolean;
	/** Whether all rows count as added, even those that meet no condition. */
	fromNothing?: boolean;
}

interface Earlier extends Captured {
	/** The rows without a number that a condition compares, with their last numbers. */
	known?: Map<IDataObject, IDataObject>;
	/** The good runs before, which show what always changes. */
	former?: Captured[];
}

/** Two runs with what counts from the runs before them. Reads these only if they are needed. */
export async function withKept(
	runs: Runs,
	robotId: string,
	both: [earlier: Captured, later: Captured],
	settings: ComparisonSettings,
): Promise<[earlier: Earlier, later: Captured]> {
	const [earlier, later] = both;
	const first = settings.missingOnce ? await runBefore(runs, robotId, earlier) : undefined;
	const before = first ? keptFrom(first, earlier, settings) : earlier;
	const after = settings.missingOnce ? keptFrom(earlier, later, settings) : later;
	const known = await lastKnown(runs, robotId, [before, after], settings);
	return [{ ...before, known, former: await formerTexts(runs, robotId, both, settings) }, after];
}

/** The runs before two runs whose texts differ. */
async function formerTexts(
	runs: Runs,
	robotId: string,
	[{ run, parts }, later]: [Captured, Captured],
	{ ignoreInTexts }: ComparisonSettings,
): Promise<Captured[]> {
	const pages = (all: Part[]) => JSON.stringify(all.filter(isOfPages));
	if (!ignoreInTexts?.always || pages(parts) === pages(later.parts)) return [];
	const former: Captured[] = [];
	for await (const captured of goodRunsBefore(runs, robotId, run)) {
		if (former.push(captured) === RUNS_OF_ALWAYS) break;
	}
	return former;
}

/** So a product that was sold out in between is compared with its last price. */
async function lastKnown(
	runs: Runs,
	robotId: string,
	[earlier, later]: [Captured, Captured],
	settings: ComparisonSettings,
): Promise<Earlier['known']> {
	const columns = settings.key?.length ? comparedColumns(settings.onlyIf) : [];
	if (columns.length === 0) return undefined;
	const numberIn = (row: IDataObject = {}, column: string) => {
		const value = valueAt(row, column);
		const isNumber = numbersOf([value], 'automatic').numbers[0] !== null;
		return isNumber && (typeof value === 'string' || typeof value === 'number') ? value : undefined;
	};
	const after = byId(later, settings);
	let wanted = [...byId(earlier, settings)].flatMap(([id, row]) =>
		columns
			.filter((column) => !/\d/.test(String(valueAt(row, column))))
			.filter((column) => numberIn(after.get(id), column) !== undefined)
			.map((column) => ({ id, row, column })),
	);
	const known = new Map<IDataObject, IDataObject>();
	if (wanted.length === 0) return known;
	for await (const former of goodRunsBefore(runs, robotId, earlier.run)) {
		const rows = byId(former, settings);
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
function byId({ parts }: Captured, settings: ChangeSettings): Map<string, IDataObject> {
	const entries = parts.flatMap(({ kind, list, rows }) =>
		rows.flatMap((row) => {
			const id = rowId(row, kind, settings);
			return id === undefined ? [] : { id: JSON.stringify([kind, list, id]), row };
		}),
	);
	const groups = [...groupedBy(entries, ({ id }) => id)];
	return new Map(groups.flatMap(([id, group]) => (group.length === 1 ? [[id, group[0].row]] : [])));
}

/** A run with what it lacks, but its previous run has. So only what is missing twice counts as removed. */
const keptFrom = (before: Captured, run: Captured, settings: ChangeSettings): Captured => ({
	...run,
	parts: run.parts.map((part) => {
		const former = before.parts.find(({ kind, list }) => kind === part.kind && list === part.list);
		return former ? { ...part, rows: rowsKept(former, part, settings) } : part;
	}),
});

function rowsKept(former: Part, part: Part, settings: ChangeSettings): IDataObject[] {
	const { kind } = part;
	const idOf = (row: IDataObject) => rowId(row, kind, settings) ?? (kind === 'fields' ? kind : '');
	const candidates = groupedBy([...former.rows].reverse(), idOf);
	candidates.delete('');
	const rows = part.rows.map((row) => {
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
	const read = comparedParts(later, isNamed, settings, hint);
	const before = comparedParts(earlier, isNamed, settings).flatMap((part) =>
		readAgain(part, later, read),
	);
	const after = read.map((part) => readIn(earlier, part));
	const from = { run: earlier.run, parts: before };
	const to = { run: later.run, parts: after };
	checkColumns([from, to], settings, hint);
	const found = await changesOf(before, after, settings, rest);
	const { id, isPartial } = later.run;
	const reached = isPartial ? found.filter(({ change }) => change !== 'removed') : found;
	if (reached.length < found.length) {
		hint(`Run ${id} stopped early, so rows that it did not reach do not count as removed`);
	}
	const changes = await changesOfText(reached, settings, earlier.former ?? [], { rest, hint });
	const has = (change: Change['change']) =>
		changes.some((entry) => entry.kind === 'rows' && entry.change === change);
	if (!settings.key?.length && has('added') && has('removed')) hint(NO_KEY);
	const met = changesThatMeet(changes, { sides: [from, to], settings, hint });
	for (const { otherUnits = [] } of changes)
		for (const name of otherUnits) hint(OTHER_UNIT, 1, `'${name}'`);
	return settings.fromNothing ? changes : met;
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
function comparedParts(
	{ run, parts, known }: Earlier,
	isNamed: boolean,
	settings: TableSettings,
	hint: Hint = () => {},
): ComparedPart[] {
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
	return tableParts(own, run, settings, hint).map((part) => {
		const [named] = namedParts([part], isNamed);
		const shown = tableRows({ ...part, rows: named.rows }, settings);
		return { ...part, rows: comparedRows(part), shown, captured: withKnown(part) };
	});
}

const OTHER_UNIT =
	'Some numbers have another currency or unit than before, so they have no difference, and meet no condition. Columns';

const noPart = (part: string) =>
	new MaxunFault(
		`No page contains '${part}', so nothing is compared`,
		"In 'Part of the Page', enter a text that stands in the part, such as its heading",
		{ forModel: 'Call the tool again with another text, or without one' },
	);

const NO_KEY =
	"Without 'Key Column Names or IDs', a row that changed counts as one that was removed and one that was added. Select a column that identifies a row, such as an SKU";

function checkColumns(
	sides: Side[],
	{ key = [], ignore = [], ignoreInTexts: { part } = {} }: NoiseSettings,
	hint: Hint,
) {
	const all = sides.flatMap(({ parts }) => parts);
	const texts = all
		.filter(isOfPages)
		.flatMap(({ rows, kind }) => rows.map((row) => textOf(row, kind)));
	if (part && texts.length > 0 && !texts.some((text) => hasPart(text, part))) throw noPart(part);
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

import type { IDataObject } from 'n8n-workflow';
import { inTurns, mapInTurns, type Rest } from '../http/concurrency';
import { cut, MAX_LENGTH, quoted, valueIn } from '../http/text';
import { nameIn, pickFields, valueAt } from '../http/values';
import type { Run } from '../servers/entities';
import { instant } from '../servers/dates';
import { isOfPages, type Captured, type Part } from './captured';
import { datesIn } from './dates';
import { numbersIn, type NumberFormat } from './numbers';
import { allRows, columnsOf, fieldReader, shownParts } from './rows';
import type { Hint } from './hint';
import { flagOf, isMissing, isRelative, leavesOf, linkOf } from './values';

export type ColumnType = 'any' | 'boolean' | 'date' | 'link' | 'number' | 'text';

export interface Column {
	column: string;
	name: string;
	list?: string;
	type: ColumnType;
	numberFormat?: NumberFormat;
	/** The format in Luxon's tokens. Without it, dates are recognized. */
	dateFormat?: string;
	trueWords?: string[];
	falseWords?: string[];
}

export interface TableSettings {
	/** All columns of the output. If there are none, rows keep their own. */
	columns?: Column[];
	keepOtherColumns?: boolean;
	/** The first columns of rows that keep their own. Maxun's database sorts them by length. */
	first?: string[];
	/** Whether values that can't be converted are kept. Otherwise, they become null. */
	ignoreConversionErrors?: boolean;
	/** The page that relative links belong to, in rows without a URL. */
	base?: string;
	/** The operation's own fields, which can also be columns. */
	extra?: IDataObject;
	maxCellLength?: number;
}

interface TablePart extends Part {
	columns: Array<Column & { cells: Typed[]; isCaptured: boolean }>;
}

export async function tableOf(
	captured: Captured,
	settings: TableSettings,
	hint: Hint,
	rest: Rest,
): Promise<IDataObject[]> {
	const all = shownParts(captured);
	const parts = settings.columns?.length
		? await rowsIn(await tableParts(all, captured.run, settings, hint, rest), settings, rest)
		: all;
	return await shownRows(allRows(parts), settings, rest, hint);
}

async function rowsIn(parts: TablePart[], settings: TableSettings, rest: Rest): Promise<Part[]> {
	const made: Part[] = [];
	for (const part of parts) made.push({ ...part, rows: await tableRows(part, settings, rest) });
	return made;
}

/** Cuts long cells. Rows that keep their own columns begin with the `first` columns. */
export async function shownRows(
	rows: IDataObject[],
	{ maxCellLength: most, columns = [], first = [] }: TableSettings,
	rest: Rest,
	hint: Hint = () => {},
): Promise<IDataObject[]> {
	const keepsOrder = columns.length > 0 || first.length === 0;
	if (most === undefined && keepsOrder) return rows;
	const note = (name: string) => hint(CUT, 1, `'${name}'`);
	return await mapInTurns(rows, rest, (given) => {
		const row = keepsOrder ? given : { ...pickFields(given, first), ...given };
		return most === undefined ? row : shortCells(row, most, note);
	});
}

export function shortCells(row: IDataObject, most: number, note?: (name: string) => void) {
	const shown = { ...row };
	for (const [name, cell] of Object.entries(row)) {
		if (lengthOf(cell) <= most) continue;
		shown[name] = cutCell(cell, most);
		note?.(name);
	}
	return shown;
}

const lengthOf = (cell: Typed): number => leavesOf(cell).join('').length;

/** All texts in a cell together have at most this many characters. */
function cutCell(cell: Typed, most: number): Typed {
	if (typeof cell === 'string') return cut(cell, most);
	if (typeof cell !== 'object' || cell === null) return cell;
	const kept: Array<[name: string, inner: Typed]> = [];
	let left = most;
	for (const [name, inner] of Object.entries(cell)) {
		if (left <= 0) break;
		const short = cutCell(inner, left);
		kept.push([name, short]);
		left -= lengthOf(short);
	}
	return Array.isArray(cell) ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
}

const CUT = "Some texts or lists are longer than 'Max Text Length', so they are cut. Columns";

/** The parts in the table. Rows lack the columns that were not captured in their part. */
export async function checkedParts(
	captured: Captured,
	settings: TableSettings,
	rest: Rest,
): Promise<Part[]> {
	const all = shownParts(captured);
	if (!settings.columns?.length) return all;
	const parts = await tableParts(all, captured.run, settings, () => {}, rest);
	const own = parts.map(({ columns, ...part }) => ({
		...part,
		columns: columns.filter(({ isCaptured }) => isCaptured),
	}));
	return await rowsIn(own, settings, rest);
}

/** Parts with one of the table's columns, or all parts if it keeps other columns. */
export function partsInTable(
	parts: Part[],
	{ columns = [], keepOtherColumns }: TableSettings,
): Part[] {
	if (columns.length === 0 || keepOtherColumns) return parts;
	const found = parts.filter(({ rows, list }) => {
		const own = columns.filter(({ column }) => column !== 'list' || list === '');
		return rows.some((row) => own.some(({ column }) => valueAt(row, column) !== undefined));
	});
	return found.length > 0 ? found : parts;
}

interface Context {
	/** When Maxun read the page, in epoch milliseconds; undefined if the server's time zone is unknown. */
	now?: number;
	bases: Array<string | undefined>;
	keepsValues?: boolean;
	hint: Hint;
	rest: Rest;
}

/** The parts in the table with their cells. The values of a list's column have one format. */
export async function tableParts(
	all: Part[],
	run: Run,
	settings: TableSettings,
	hint: Hint,
	rest: Rest,
): Promise<TablePart[]> {
	const { columns = [], base, ignoreConversionErrors: keepsValues } = settings;
	const parts = partsInTable(all, settings);
	const rows = allRows(parts);
	const read = fieldReader(run, settings.extra);
	const unknown = columns
		.map(({ column }) => column)
		.filter((path) => rows.every((row) => read(row, path) === undefined));
	if (rows.length > 0 && unknown.length > 0)
		hint(`No row has the column ${quoted(unknown)}. The columns are ${quoted(columnsOf(rows))}`);
	const now = Date.parse(instant(run.startedAt) ?? '') || undefined;
	const tables: TablePart[] = [];
	for (const part of parts) {
		const bases = await mapInTurns(part.rows, rest, (row) => pageOfRow(row, part, base));
		const made: TablePart['columns'] = [];
		for (const column of columnsFor(part, columns)) {
			const values = await mapInTurns(part.rows, rest, (row) => read(row, column.column));
			hintAtEmpty(values, column, hint);
			const cells = await convert(values, column, { now, bases, keepsValues, hint, rest });
			const isCaptured = values.some((value) => value !== undefined);
			made.push({ ...column, cells, isCaptured });
		}
		tables.push({ ...part, columns: made });
	}
	return tables;
}

/** A part's columns, in the table's order. If several lists have a column of the same name, each has its own format. */
const columnsFor = ({ list }: Part, columns: Column[]): Column[] => {
	const isOwn = (column: Column) => !column.list || list === '' || column.list === list;
	return [...new Set(columns.map(({ name }) => name))].map((name) => {
		const same = columns.filter((column) => column.name === name);
		const own = same.filter(isOwn);
		const isClear = own.length > 0 && own.every(({ type }) => type === own[0].type);
		return isClear ? own[0] : { ...same[0], type: 'any' };
	});
};

/** A part's rows with the table's columns. If these belong to several lists, each row has its list's name. */
export async function tableRows(
	{ rows, columns }: TablePart,
	{ keepOtherColumns }: TableSettings,
	rest: Rest,
): Promise<IDataObject[]> {
	const isOfLists = columns.some(({ list }) => list);
	return await mapInTurns(rows, rest, (row, index) => {
		const made: IDataObject = {};
		for (const { name, cells } of columns) made[name] = cells[index];
		if (keepOtherColumns) return { ...made, ...othersOf(row, columns) };
		return isOfLists && !('list' in made) ? { ...made, ...pickFields(row, ['list']) } : made;
	});
}

export async function comparedRows(
	{ rows, columns }: TablePart,
	rest: Rest,
): Promise<IDataObject[]> {
	const converted = columns.filter(({ type }) => type !== 'any' && type !== 'text');
	if (converted.length === 0) return rows;
	return await mapInTurns(rows, rest, (row, index) => {
		const made = { ...row };
		for (const { column, cells } of converted) {
			const name = nameIn(row, column);
			made[name] = cells[index] ?? row[name];
		}
		return made;
	});
}

type Typed = IDataObject[string];

const othersOf = (row: IDataObject, columns: Column[]) =>
	Object.fromEntries(
		Object.entries(row)
			.filter(([name]) => !columns.some(({ column }) => nameIn(row, column) === name))
			.map(([name, cell]) => [nameOfOther(name, columns), cell]),
	);

/** The name of a column that the table keeps. Another column may have been given its own name. */
export const nameOfOther = (column: string, columns: Column[]): string =>
	columns.some(({ name }) => name === column) ? `${column} (captured)` : column;

function hintAtEmpty(values: unknown[], { name }: Column, hint: Hint) {
	// Rows of other lists don't have the column.
	const own = values.filter((value) => value !== undefined);
	const empty = own.filter((value) => value === null || value === '').length;
	if (empty === 0) return;
	if (empty === own.length) hint('Columns without any value', 1, `'${name}'`);
	else hint('Columns with empty cells', empty, `'${name}'`, { all: own.length });
}

/** The page that a row was read from. A captured `url` is only a column. */
const pageOfRow = (row: IDataObject, part: Part, address: string | undefined) => {
	const own = isOfPages(part) ? linkOf(row.url, address) : null;
	return own?.startsWith('http') ? own : address;
};

/** Whether a run has relative links, but doesn't show the page that they belong to. */
export function needsPage({ run, parts }: Captured, { columns = [] }: TableSettings): boolean {
	const links = columns.filter(({ type }) => type === 'link');
	if (links.length === 0) return false;
	const read = fieldReader(run);
	const isNeeded = (row: IDataObject) => links.some(({ column }) => isRelative(read(row, column)));
	return parts.some((part) =>
		part.rows.some((row) => isNeeded(row) && pageOfRow(row, part, undefined) === undefined),
	);
}

async function convert(values: unknown[], column: Column, context: Context): Promise<Typed[]> {
	const { name, type } = column;
	const { keepsValues, hint, rest } = context;
	const most = type === 'link' ? MAX_LENGTH.link : MAX_LENGTH.value;
	const isText = type === 'any' || type === 'text';
	const readable = isText ? values : await mapInTurns(values, rest, (cell) => valueIn(cell, most));
	const read = await cellsOf(readable, column, context);
	// In other types, a placeholder such as `N/A` is a missing value, unless it means false.
	const isEmpty = isText ? (value: unknown) => value === '' : isMissing;
	const unread: string[] = [];
	const cells = await mapInTurns(values, rest, (value, index): Typed => {
		if (value === undefined || value === null) return null;
		const cell = read[index];
		if (cell !== null || isEmpty(value)) return cell;
		unread.push(String(value));
		return keepsValues ? value : null;
	});
	if (unread.length > 0) {
		const [kind, advice] = UNREAD[type];
		const outcome = keepsValues ? 'unchanged' : 'empty';
		const message = `Some values are not ${kind}, so they are ${outcome}. ${advice}. Columns`;
		const all = values.filter((value) => !isMissing(value)).length;
		hint(message, unread.length, `'${name}'`, { all, example: unread[0] });
	}
	return cells;
}

const UNREAD: Record<ColumnType, [kind: string, advice: string]> = {
	any: ['', ''],
	boolean: ['true or false', "In 'True If' and 'False If', enter the words on the page"],
	date: ['dates', "Enter the 'Date Format' of the page, or use the type Text"],
	link: ['links', 'Use the type Text'],
	number: ['numbers', "Select a 'Number Format', or use the type Text"],
	text: ['', ''],
};

/** All values of a column together show its format. */
async function cellsOf(values: unknown[], column: Column, context: Context): Promise<Typed[]> {
	const { now, bases, hint, rest } = context;
	switch (column.type) {
		case 'any':
			return values.map((value) => (value === '' ? null : (value ?? null)));
		case 'boolean':
			return await mapInTurns(values, rest, flagOf(column.trueWords, column.falseWords));
		case 'date':
			return await inTurns(datesIn(values, { format: column.dateFormat, now }), rest);
		case 'link':
			return await mapInTurns(values, rest, (value, index) => linkOf(value, bases[index]));
		case 'number': {
			const reading = numbersIn(values, column.numberFormat);
			const { numbers, isGuess } = await inTurns(reading, rest);
			if (isGuess) hint(`Column '${column.name}': ${GUESS}`);
			return numbers;
		}
		case 'text':
			return await mapInTurns(values, rest, (value) => {
				if (value === '' || value === undefined) return null;
				return typeof value === 'object' ? JSON.stringify(value) : String(value);
			});
	}
}

const GUESS =
	"nothing shows whether the comma in 1,249 separates thousands or decimals, so the node assumes thousands. If that is wrong, select a 'Number Format'";

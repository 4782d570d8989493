import type { IDataObject } from 'n8n-workflow';
import { cut, MAX_LENGTH, quoted, valueIn } from '../http/text';
import { nameIn, pickFields, valueAt } from '../http/values';
import type { Run } from '../servers/entities';
import { instant } from '../servers/dates';
import { isOfPages, type Captured, type Part } from './captured';
import { datesOf } from './dates';
import { numbersOf, type NumberFormat } from './numbers';
import { allRows, columnsOf, fieldReader, shownParts } from './rows';
import type { Hint } from './hint';
import { flagsOf, isMissing, isRelative, leavesOf, linkOf } from './values';

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
	/** Whether values that can't be converted stay. Otherwise, they become null. */
	ignoreConversionErrors?: boolean;
	/** The page that relative links belong to, in rows without a URL. */
	base?: string;
	/** The operation's own fields, which can be columns, too. */
	extra?: IDataObject;
	maxCellLength?: number;
}

interface TablePart extends Part {
	columns: Array<Column & { cells: Cell[]; isCaptured: boolean }>;
}

export function tableOf(captured: Captured, settings: TableSettings, hint: Hint): IDataObject[] {
	const parts = shownParts(captured);
	const rows = settings.columns?.length
		? tableParts(parts, captured.run, settings, hint).flatMap((part) => tableRows(part, settings))
		: allRows(parts);
	return shortened(rows, settings, hint);
}

export function shortened(
	rows: IDataObject[],
	{ maxCellLength: most }: TableSettings,
	hint: Hint = () => {},
): IDataObject[] {
	if (most === undefined) return rows;
	return rows.map((row) => {
		const shown = { ...row };
		for (const [name, cell] of Object.entries(row)) {
			if (lengthOf(cell) <= most) continue;
			shown[name] = cutCell(cell, most);
			hint(CUT, 1, `'${name}'`);
		}
		return shown;
	});
}

const lengthOf = (cell: Cell): number => leavesOf(cell).join('').length;

/** All texts in a cell together have at most this many characters. */
function cutCell(cell: Cell, most: number): Cell {
	if (typeof cell === 'string') return cut(cell, most);
	if (typeof cell !== 'object' || cell === null) return cell;
	const kept: Array<[name: string, inner: Cell]> = [];
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

/** The parts that a table contains. Their rows lack the columns that were not captured in them. */
export function checkedParts(captured: Captured, settings: TableSettings): Part[] {
	const parts = shownParts(captured);
	if (!settings.columns?.length) return parts;
	return tableParts(parts, captured.run, settings).map((part) => {
		const columns = part.columns.filter(({ isCaptured }) => isCaptured);
		return { ...part, rows: tableRows({ ...part, columns }, settings) };
	});
}

/** The parts that a table contains: those with one of its columns, or all if it keeps other columns. */
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
}

/** The parts that a table contains, with their cells. The values of a list's column have one format. */
export function tableParts(
	all: Part[],
	run: Run,
	settings: TableSettings,
	hint: Hint = () => {},
): TablePart[] {
	const { columns = [], base, ignoreConversionErrors: keepsValues } = settings;
	const parts = partsInTable(all, settings);
	const rows = allRows(parts);
	const read = fieldReader(run, settings.extra);
	const unknown = columns
		.map(({ column }) => column)
		.filter((path) => rows.every((row) => read(row, path) === undefined));
	if (rows.length > 0 && unknown.length > 0)
		hint(`No row has the column ${quoted(unknown)}. The columns are ${quoted(columnsOf(rows))}`);
	const now = Date.parse(instant(run.startedAt, undefined) ?? '') || undefined;
	return parts.map((part) => {
		const bases = part.rows.map((row) => pageOfRow(row, part, base));
		const made = columnsFor(part, columns).map((column) => {
			const values = part.rows.map((row) => read(row, column.column));
			hintAtEmpty(values, column, hint);
			const cells = convert(values, column, { now, bases, keepsValues, hint });
			return { ...column, cells, isCaptured: values.some((value) => value !== undefined) };
		});
		return { ...part, columns: made };
	});
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

/** A part's rows with the table's columns. If these belong to several lists, each row contains its list's name. */
export function tableRows(
	{ rows, columns }: TablePart,
	{ keepOtherColumns }: TableSettings,
): IDataObject[] {
	const isOfLists = columns.some(({ list }) => list);
	return rows.map((row, index) => {
		const made: IDataObject = {};
		for (const { name, cells } of columns) made[name] = cells[index];
		if (keepOtherColumns) return { ...made, ...othersOf(row, columns) };
		return isOfLists && !('list' in made) ? { ...made, ...pickFields(row, ['list']) } : made;
	});
}

export function comparedRows({ rows, columns }: TablePart): IDataObject[] {
	const converted = columns.filter(({ type }) => type !== 'any' && type !== 'text');
	if (converted.length === 0) return rows;
	return rows.map((row, index) => {
		const cells = converted.map(({ column, cells: own }) => {
			const name = nameIn(row, column);
			return [name, own[index] ?? row[name]];
		});
		return { ...row, ...Object.fromEntries(cells) };
	});
}

type Cell = IDataObject[string];

const othersOf = (row: IDataObject, columns: Column[]) =>
	Object.fromEntries(
		Object.entries(row)
			.filter(([name]) => !columns.some(({ column }) => nameIn(row, column) === name))
			.map(([name, cell]) => [nameOfKept(name, columns), cell]),
	);

/** The name of a column that the table keeps. Another column may have been given its own name. */
export const nameOfKept = (column: string, columns: Column[]): string =>
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

function convert(values: unknown[], column: Column, context: Context): Cell[] {
	const { name, type } = column;
	const { keepsValues, hint } = context;
	const most = type === 'link' ? MAX_LENGTH.link : MAX_LENGTH.value;
	const isText = type === 'any' || type === 'text';
	const read = cellsOf(
		isText ? values : values.map((value) => valueIn(value, most)),
		column,
		context,
	);
	// Only texts keep placeholders such as `N/A`, which may even mean false.
	const isEmpty = isText ? (value: unknown) => value === '' : isMissing;
	const unread: string[] = [];
	const cells = values.map((value, index): Cell => {
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
	boolean: ['true or false', "Enter the page's words in 'True If' and 'False If'"],
	date: ['dates', "Enter the 'Date Format' of the page, or use the type Text"],
	link: ['links', 'Use the type Text'],
	number: ['numbers', "Select a 'Number Format', or use the type Text"],
	text: ['', ''],
};

/** All values of a column together show its format. */
function cellsOf(values: unknown[], column: Column, { now, bases, hint }: Context): Cell[] {
	switch (column.type) {
		case 'any':
			return values.map((value) => (value === '' ? null : (value ?? null)));
		case 'boolean':
			return flagsOf(values, column.trueWords, column.falseWords);
		case 'date':
			return datesOf(values, { format: column.dateFormat, now });
		case 'link':
			return values.map((value, index) => linkOf(value, bases[index]));
		case 'number': {
			const { numbers, isGuess } = numbersOf(values, column.numberFormat ?? 'automatic');
			if (isGuess) hint(`Column '${column.name}': ${GUESS}`);
			return numbers;
		}
		case 'text':
			return values.map((value) => {
				if (value === '' || value === undefined) return null;
				return typeof value === 'object' ? JSON.stringify(value) : String(value);
			});
	}
}

const GUESS =
	"nothing shows whether the comma in 1,249 separates thousands or decimals, so the node assumes thousands. If that is wrong, select a 'Number Format'";

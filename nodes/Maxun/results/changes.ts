import type { IDataObject } from 'n8n-workflow';
import { atOnce, inTurns, type Rest } from '../http/concurrency';
import { MaxunFault } from '../http/fault';
import { addressOf, withAddresses, type LinkSettings } from '../http/links';
import { looksLike, quoted } from '../http/text';
import { isEmpty, isObject, isText, omitFields, valueAt } from '../http/values';
import { urlOf, type Part } from './captured';
import { isPage, TEXT_FORMS, textOf } from './pageText';
import { haveOtherUnits } from './numbers';
import { allRows, columnsOf } from './rows';

/** Columns may be paths. */
export interface ChangeSettings extends LinkSettings {
	key?: string[];
	ignore?: string[];
}

export type Texts = [before?: string, after?: string];

export interface Change {
	change: 'added' | 'changed' | 'removed';
	kind: Part['kind'];
	/** The new row, or the old row if it was removed. */
	row: IDataObject;
	/** The old row, if it changed, and the columns that differ. */
	old?: IDataObject;
	columns?: string[];
	/** A page's texts, as far as they count. */
	texts?: Texts;
	/** The row and the old row as items show them. */
	shown: IDataObject;
	shownOld?: IDataObject;
	/** By column: the numbers before and after, if a condition has read them. */
	numbers?: Record<string, [number, number]>;
	/** The columns whose numbers have another unit than before, such as another currency. */
	otherUnits?: string[];
}

/** Its rows have the types of the table's columns. */
export interface ComparedPart extends Part {
	/** The rows as items show them, and as Maxun captured them. */
	shown?: IDataObject[];
	captured?: IDataObject[];
}

/**
 * How a run's rows differ from an earlier run's: first the added or changed rows in their order, then the removed
 * rows. Rows of a list with the same key are the same. Without a key, pages with the same URL are the same, and rows
 * with the same content.
 */
export async function changesOf(
	before: ComparedPart[],
	after: ComparedPart[],
	settings: ChangeSettings,
	rest: Rest,
): Promise<Change[]> {
	const old = await identified(before, settings, rest);
	const young = await identified(after, settings, rest);
	const candidates = await groupedInTurns(old, rest, ({ id }) => id);
	for (const [id, group] of await groupedInTurns(young, rest, (entry) => entry.id)) {
		await rest();
		pair(candidates.get(id) ?? [], group);
	}
	const changes: Change[] = [];
	for (const entry of young) {
		await rest();
		const { kind, row, shown, content, captured, match } = entry;
		if (!match) changes.push({ change: 'added', kind, row, shown });
		// The same number may have another unit.
		else if (match.content !== content || captured !== row) {
			const { row: old, shown: shownOld } = match;
			const otherUnits = otherUnitsIn(match, entry);
			const columns = differencesOf(old, row, kind, settings, otherUnits);
			if (columns.length > 0)
				changes.push({ change: 'changed', kind, row, shown, old, shownOld, columns, otherUnits });
		}
	}
	for (const { kind, row, shown, match } of old)
		if (!match) changes.push({ change: 'removed', kind, row, shown });
	return changes;
}

interface IdentifiedRow {
	kind: Part['kind'];
	row: IDataObject;
	shown: IDataObject;
	captured: IDataObject;
	id: string;
	content: string;
	match?: IdentifiedRow;
}

/** The rows with their identities. A crawl may have read a page twice. */
async function identified(parts: ComparedPart[], settings: ChangeSettings, rest: Rest) {
	const entries: IdentifiedRow[] = [];
	const pages = new Set<string>();
	for (const { kind, list, rows, shown = rows, captured = rows } of parts) {
		const isOnly = rows.length === 1 && (kind === 'fields' || kind === 'formats');
		for (const [index, row] of rows.entries()) {
			await rest();
			const url = kind === 'pages' ? urlOf(row) : undefined;
			const page = url && addressOf(url);
			if (page && pages.has(page)) continue;
			if (page) pages.add(page);
			const content = contentOf(row, kind, settings);
			const own = rowId(row, kind, settings) ?? (isOnly ? '' : content);
			const id = JSON.stringify([kind, list, own]);
			entries.push({ kind, row, shown: shown[index], captured: captured[index], content, id });
		}
	}
	return entries;
}

export function rowId(row: IDataObject, kind: Part['kind'], settings: ChangeSettings) {
	const values = (settings.key ?? []).map((path) => normal(valueAt(row, path), settings));
	if (values.some((value) => value !== '')) return JSON.stringify(values);
	const url = kind === 'pages' ? urlOf(row) : undefined;
	return url === undefined ? undefined : addressOf(url, settings);
}

/** Pairs the rows with the same key: equal rows first, then the others in their order. */
function pair(old: IdentifiedRow[], young: IdentifiedRow[]) {
	// Each group begins with its last row, because taking the first one of many is slow.
	const equal = groupedBy([...old].reverse(), ({ content }) => content);
	for (const entry of young) match(equal.get(entry.content)?.pop(), entry);
	const rest = old.filter((entry) => !entry.match).reverse();
	for (const entry of young) if (!entry.match) match(rest.pop(), entry);
}

function match(old: IdentifiedRow | undefined, young: IdentifiedRow) {
	if (!old) return;
	old.match = young;
	young.match = old;
}

export const groupedBy = <T>(entries: T[], keyOf: (entry: T) => string): Map<string, T[]> =>
	atOnce(grouping(entries, keyOf));

export const groupedInTurns = async <T>(
	entries: T[],
	rest: Rest,
	keyOf: (entry: T) => string,
): Promise<Map<string, T[]>> => await inTurns(grouping(entries, keyOf), rest);

function* grouping<T>(entries: T[], keyOf: (entry: T) => string) {
	const groups = new Map<string, T[]>();
	for (const entry of entries) {
		yield;
		const key = keyOf(entry);
		const group = groups.get(key) ?? [];
		group.push(entry);
		groups.set(key, group);
	}
	return groups;
}

/** Equal if nothing that counts differs between two rows. */
export const contentOf = (
	row: IDataObject,
	kind: Part['kind'],
	settings: ChangeSettings,
): string =>
	isPage(row, kind)
		? withAddresses(looksLike(textOf(row, kind)), settings)
		: JSON.stringify(normal(compared(row, settings), settings));

const compared = (row: IDataObject, { ignore = [] }: ChangeSettings) =>
	ignore.length > 0 ? omitFields(row, ignore) : row;

/** The columns in which two rows differ. For two pages, only a text format that both have counts. */
function differencesOf(
	old: IDataObject,
	young: IDataObject,
	kind: Part['kind'],
	settings: ChangeSettings,
	otherUnits: string[],
): string[] {
	const isOfPage = isPage(young, kind);
	const form = isOfPage ? sharedForm(old, young) : undefined;
	const [before, after] = [old, young].map((row) => (isOfPage ? row : compared(row, settings)));
	const columns = form ? [form] : Object.keys({ ...after, ...before });
	return columns.filter(
		(name) => otherUnits.includes(name) || isDifferent(before[name], after[name], settings),
	);
}

const otherUnitsIn = ({ captured: old }: IdentifiedRow, { row, captured }: IdentifiedRow) =>
	captured === row
		? []
		: Object.keys(row).filter(
				(name) =>
					typeof row[name] === 'number' &&
					haveOtherUnits(valueAt(old, name), valueAt(captured, name)),
			);

const sharedForm = (old: IDataObject, young: IDataObject): string | undefined =>
	TEXT_FORMS.find((name) => isText(old[name]) && isText(young[name]));

/** The text of a page or row before and after. For a page, in a form that both have, as far as it counts. */
export function textsOf({ change, kind, row, old, texts }: Change): Texts {
	if (texts) return texts;
	const form = old && isPage(row, kind) ? sharedForm(old, row) : undefined;
	const textIn = (given?: IDataObject) =>
		given && (form ? String(given[form]) : textOf(given, kind));
	return change === 'removed' ? [textIn(row)] : [textIn(old), textIn(row)];
}

export const isDifferent = (one: unknown, other: unknown, settings: ChangeSettings): boolean =>
	one !== other &&
	JSON.stringify(normal(one, settings)) !== JSON.stringify(normal(other, settings));

/** A value without the differences that never count. Empty values become an empty text. */
function normal(value: unknown, settings: ChangeSettings): unknown {
	if (isEmpty(value)) return '';
	if (Array.isArray(value)) return value.map((inner: unknown) => normal(inner, settings));
	if (!isObject(value)) return withAddresses(looksLike(String(value)), settings);
	const fields = Object.entries(value)
		.map(([name, inner]): [string, unknown] => [name, normal(inner, settings)])
		.filter(([, inner]) => inner !== '')
		.sort(([one], [other]) => (one < other ? -1 : 1));
	return fields.length > 0 ? fields : '';
}

export const columnsIn = (parts: Part[]): string[] => columnsOf(allRows(parts));

export const missingIn = (parts: Part[], columns: string[]): string[] =>
	columns.filter((path) =>
		parts.every(({ rows }) => rows.every((row) => valueAt(row, path) === undefined)),
	);

/** @throws MaxunFault if no row has the columns in a field of the form */
export function requireColumns(parts: Part[], columns: string[], noun: string, field: string) {
	const unknown = missingIn(parts, columns);
	if (unknown.length === 0) return;
	const all = quoted(columnsIn(parts));
	throw new MaxunFault(
		`No row has the ${noun} ${quoted(unknown)}`,
		`Change '${field}'. The columns are ${all}`,
		{ forModel: `Call the tool again with other ${noun}s: ${all}` },
	);
}

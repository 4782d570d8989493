import type { IDataObject } from 'n8n-workflow';
import { thingOn } from '../html/thing';
import { atOnce, inTurns, mapping, resting } from '../http/concurrency';
import { withoutUndefined } from '../http/request';
import { isEmpty, isObject, isText, omitFields } from '../http/values';
import type { Run } from '../servers/entities';
import { NOT_CONTENT, refusalOf, TEXTS, type Refusal } from './pageState';
import { isMissing } from './values';

export interface Part {
	/** `fields` are single values from a page, and `formats` is a page in several formats. */
	kind: 'fields' | 'formats' | 'rows' | 'pages';
	/** The list's name; empty if Maxun doesn't return a name. */
	list: string;
	rows: IDataObject[];
}

export interface Captured {
	run: Run;
	data: IDataObject;
	/** Only parts with rows, lists first, because n8n shows the columns of the first row. */
	parts: Part[];
	/** The names of all lists, also of empty lists. */
	lists: string[];
	unread: Array<Refusal & { url?: string }>;
}

/**
 * Reads a run's data. Each entry of a list, crawled page, search result or document record becomes a row. The single
 * fields become a row, and so do the formats and anything that isn't known. No field is lost.
 */
export const capturedOf = (run: Run): Captured => atOnce(readingOf(run));

/** The same, with rests between rows and pages. */
export async function capturedInTurns(run: Run, rest = resting()): Promise<Captured> {
	const { textData, ...data } = contents(run);
	const texts = entriesOf(textData).map(asRow);
	if (!texts.some((row) => DECLARED in row)) return await inTurns(readingOf(run), rest);
	const declared: IDataObject[] = [];
	for (const { [DECLARED]: html, ...row } of texts)
		declared.push({ ...(isText(html) && (await thingOn(html, '', rest))?.fields), ...row });
	const found = declared.filter((row) => !isEmpty(row));
	return await inTurns(readingOf({ ...run, data: { ...data, textData: found } }), rest);
}

/** The field of a robot that reads what a page declares about its subject. It contains the whole page. */
export const DECLARED = 'Declared by the Page';

function* readingOf(run: Run): Generator<void, Captured> {
	const data = contents(run);
	const { textData, listData, crawlData, searchData, documentData, ...page } = data;
	const lists = yield* listParts(listData);
	const all: Part[] = [
		...lists,
		{ kind: 'pages', list: '', rows: yield* mapping(entriesOf(crawlData), asPage) },
		{ kind: 'pages', list: '', rows: yield* mapping(resultsOf(searchData), asPage) },
		{ kind: 'rows', list: '', rows: yield* mapping(recordsOf(documentData), asRow) },
		{ kind: 'fields', list: '', rows: fieldsOf(textData) },
		{ kind: 'formats', list: '', rows: isEmpty(page) ? [] : [page] },
	];
	const unread: Captured['unread'] = [];
	for (const part of all.filter(isOfPages)) {
		const pages = part.rows;
		part.rows = [];
		for (const page of pages) {
			const refusal = refusalOf(page);
			if (!refusal) part.rows.push(page);
			else unread.push({ url: urlOf(page), ...refusal });
			yield;
		}
	}
	const parts = all.filter(({ rows }) => rows.length > 0);
	return { run, data, parts, lists: lists.map(({ list }) => list), unread };
}

/** Whether a row has only empty cells, or a page's text is empty and nothing else was captured. */
export function isBlank(row: IDataObject, kind: Part['kind']): boolean {
	const hasText = isOfPages({ kind }) && TEXTS.some((name) => name in row);
	return isMissing(hasText ? omitFields(row, NOT_CONTENT) : row);
}

export const isOfPages = ({ kind }: Pick<Part, 'kind'>): boolean =>
	kind === 'pages' || kind === 'formats';

export const urlOf = ({ url }: IDataObject): string | undefined => (isText(url) ? url : undefined);

function contents({ data }: Run): IDataObject {
	const content = isObject(data) ? data : { listData: Array.isArray(data) ? data : [] };
	return Object.fromEntries(Object.entries(content).filter(([, value]) => !isEmpty(value)));
}

function* listParts(part: unknown): Generator<void, Part[]> {
	const lists: Part[] = [];
	for (const [list, entries] of Object.entries(namedLists(part) ?? { '': part })) {
		const rows: IDataObject[] = [];
		for (const entry of entriesOf(entries)) {
			yield;
			const row = asRow(entry);
			if (hasValue(row)) rows.push(row);
		}
		lists.push({ kind: 'rows', list, rows });
	}
	return lists;
}

/** A row selector may also match a table's head, whose cells are all empty. Most rows begin with a value. */
function hasValue(row: IDataObject): boolean {
	let cells = 0;
	for (const name in row) {
		const cell = row[name];
		if (typeof cell === 'string' ? cell.trim() !== '' : cell !== null) return true;
		cells++;
	}
	return cells < 2;
}

/** The lists in `{Shop: [a], Blog: [b]}`. An object with any other field is a row itself. */
function namedLists(part: unknown): IDataObject | undefined {
	if (!isObject(part)) return undefined;
	const areLists = Object.values(part).every((list) => list === null || isListOfObjects(list));
	return areLists ? part : undefined;
}

/** One row, unless a field occurs twice. */
function fieldsOf(part: unknown): IDataObject[] {
	const rows = entriesOf(part).map(asRow);
	const names = rows.flatMap(Object.keys);
	const isOneRow = rows.length > 0 && new Set(names).size === names.length;
	return isOneRow ? [Object.fromEntries(rows.flatMap(Object.entries))] : rows;
}

function entriesOf(part: unknown): unknown[] {
	if (isEmpty(part)) return [];
	if (Array.isArray(part)) {
		// Most lists contain only rows. Copying them would take as long as parsing them.
		return part.every(isObject)
			? part
			: part.flatMap((entry) => (isObject(entry) ? [entry] : entriesOf(entry)));
	}
	const lists = namedLists(part);
	return lists ? Object.values(lists).flatMap(entriesOf) : [part];
}

/** Names of lists in an object that isn't an entry itself. */
const HOLDERS = ['rows', 'items', 'results', 'data'];

/** The results in the report of a search, such as `{query, results: [a, b]}`. */
function resultsOf(part: unknown): unknown[] {
	const holder = HOLDERS.find((name) => isObject(part) && isListOfObjects(part[name]));
	return entriesOf(isObject(part) && holder ? part[holder] : part);
}

/** The record of a document, or the entries of its only list, such as `{items: [a, b]}`. */
function recordsOf(part: unknown): unknown[] {
	if (!isObject(part) || isEmpty(part)) return entriesOf(part);
	const [name, ...others] = Object.keys(part);
	return others.length === 0 && HOLDERS.includes(name) ? entriesOf(part) : [part];
}

const isListOfObjects = (value: unknown) =>
	Array.isArray(value) && (value.length === 0 || typeof value[0] === 'object');

const asRow = (entry: unknown): IDataObject => (isObject(entry) ? entry : { value: String(entry) });

/** A crawled page or a search result, with the URL and title from its `metadata`. */
function asPage(entry: unknown): IDataObject {
	const row = asRow(entry);
	const { metadata } = row;
	if (!isObject(metadata)) return row;
	const { url = metadata.sourceURL, title } = metadata;
	return { ...withoutUndefined({ url, title }), ...row };
}

import type { IDataObject } from 'n8n-workflow';
import { withoutUndefined } from '../http/request';
import { isEmpty, isObject } from '../http/values';
import type { Run } from '../servers/entities';
import { unreadReason } from './pageState';

/** Rows of one kind in a run's data. */
export interface Part {
	/** `fields` are single values from a page, and `formats` is a page in several formats. The others are lists. */
	kind: 'fields' | 'formats' | 'rows' | 'pages';
	/** The list's name; empty if Maxun doesn't return one. */
	list: string;
	rows: IDataObject[];
}

export interface UnreadPage {
	url?: string;
	reason: string;
}

export interface Captured {
	run: Run;
	/** The data without empty parts. */
	data: IDataObject;
	/** The parts that have rows, lists first, because n8n shows the columns of the first row. */
	parts: Part[];
	/** The names of all lists, including empty ones. */
	lists: string[];
	/** The pages that could not be read. They are in no part. */
	unread: UnreadPage[];
}

/**
 * Reads a run's data: one object per captured row, crawled page, search result or document record. No field is lost.
 * These are the rules:
 *
 * 1. Single fields of a page form one row, unless they were captured several times.
 * 2. The formats of a page form one row: `{markdown, links}`. So does anything in the data that isn't known.
 * 3. Each entry of a list is a row, whatever it contains: `listData: [{Order: 1, items: […]}]` → `{Order: 1, items: […]}`.
 *    An entry that isn't an object becomes `{value}`. Empty entries are left out.
 * 4. Lists in a list are joined: `[[a], [b]]` → a, b. Each list in `{Shop: [a], Blog: [b]}` is a part. An object with any
 *    other field is a row itself.
 * 5. The report of a search becomes its results: `searchData: {query, results: [a, b]}` → a, b.
 * 6. The record of a document is a row, with its lists: `documentData: {number, lines: […]}`. An object that contains
 *    only a list under one of the usual names becomes its entries: `{items: [a, b]}` → a, b.
 *
 * Pages and search results also get `url` and `title` from their metadata.
 */
export function capturedOf(run: Run): Captured {
	const data = contentOf(run);
	const { textData, listData, crawlData, searchData, documentData, ...page } = data;
	const lists = listsOf(listData);
	const all: Part[] = [
		...lists,
		{ kind: 'pages', list: '', rows: entriesOf(crawlData).map(asPage) },
		{ kind: 'pages', list: '', rows: resultsOf(searchData).map(asPage) },
		{ kind: 'rows', list: '', rows: recordsOf(documentData).map(asRow) },
		{ kind: 'fields', list: '', rows: fieldsOf(textData) },
		{ kind: 'formats', list: '', rows: isEmpty(page) ? [] : [page] },
	];
	const unread: UnreadPage[] = [];
	const isRead = (row: IDataObject) => {
		const reason = unreadReason(row);
		if (reason !== undefined) unread.push({ url: urlOf(row), reason });
		return reason === undefined;
	};
	const parts = all
		.map((part) => (isOfPages(part) ? { ...part, rows: part.rows.filter(isRead) } : part))
		.filter(({ rows }) => rows.length > 0);
	return { run, data, parts, lists: lists.map(({ list }) => list), unread };
}

/** Whether a part's rows are pages or search results. */
export const isOfPages = ({ kind }: Pick<Part, 'kind'>): boolean =>
	kind === 'pages' || kind === 'formats';

/** A page's URL; undefined if the row doesn't contain it. */
export const urlOf = ({ url }: IDataObject): string | undefined =>
	typeof url === 'string' && url !== '' ? url : undefined;

function contentOf({ data }: Run): IDataObject {
	if (Array.isArray(data)) return data.length > 0 ? { listData: data } : {};
	return isObject(data)
		? Object.fromEntries(Object.entries(data).filter(([, value]) => !isEmpty(value)))
		: {};
}

function listsOf(part: unknown): Part[] {
	const lists = Object.entries(namedLists(part) ?? { '': part });
	return lists.map(([list, entries]) => ({
		kind: 'rows',
		list,
		rows: entriesOf(entries).map(asRow),
	}));
}

function namedLists(part: unknown): IDataObject | undefined {
	if (!isObject(part)) return undefined;
	const areLists = Object.values(part).every((list) => list === null || isListOfObjects(list));
	return areLists ? part : undefined;
}

/** Single fields as one row, unless a field occurs twice. */
function fieldsOf(part: unknown): IDataObject[] {
	const rows = entriesOf(part).map(asRow);
	const names = rows.flatMap(Object.keys);
	const isOneRow = rows.length > 0 && new Set(names).size === names.length;
	return isOneRow ? [Object.fromEntries(rows.flatMap(Object.entries))] : rows;
}

/** The entries of a list, of nested lists, or of named lists. Anything else is the only entry. */
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

/** Fields that may contain entries, in an object that isn't an entry itself. */
const HOLDERS = ['rows', 'items', 'results', 'data'];

function resultsOf(part: unknown): unknown[] {
	const holder = HOLDERS.find((name) => isObject(part) && isListOfObjects(part[name]));
	return entriesOf(isObject(part) && holder ? part[holder] : part);
}

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

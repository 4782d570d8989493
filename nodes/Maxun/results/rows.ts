import type { IDataObject } from 'n8n-workflow';
import { withoutUndefined } from '../http/request';
import { isEmpty, isObject, pathsOf, pickFields, valueAt } from '../http/values';
import type { Run } from '../servers/entities';

const USEFUL_RUN_FIELDS = [
	'id',
	'robotId',
	'robotName',
	'status',
	'source',
	'startedAt',
	'finishedAt',
	'durationMs',
	'isPartial',
	'hasChanges',
	'changedFormats',
	'error',
];

/** The prefix of a selected field that belongs to the run instead of its rows. */
const OF_RUN = 'run.';

/** The fields of a run that can be selected. */
export const RUN_FIELDS = USEFUL_RUN_FIELDS.map((name) => OF_RUN + name);

/**
 * Each row's selected fields; one item if all of them belong to the run. Leaves out parts of the data that have none of
 * the fields, such as a page's formats next to a list.
 */
export function selectedOf(run: Run, fields: string[]): IDataObject[] {
	const ofRun = pickFields({ run }, fields.filter(belongsTo(run)));
	const ofRows = fields.filter((field) => !belongsTo(run)(field));
	if (ofRows.length === 0) return [ofRun];
	const parts = joinedParts(run).map(({ rows }) => rows.map((row) => pickFields(row, ofRows)));
	const found = parts.filter((rows) => rows.some((row) => !isEmpty(row)));
	return (found.length > 0 ? found : parts).flat().map((row) => ({ ...row, ...ofRun }));
}

const belongsTo = (run: Run) => (field: string) =>
	RUN_FIELDS.includes(field) || (field.startsWith(OF_RUN) && valueAt({ run }, field) !== undefined);

/** Reads a selectable field of a row or its run. */
export function fieldReader(run: Run): (row: IDataObject, path: string) => unknown {
	const isOfRun = belongsTo(run);
	return (row, path) => valueAt(row, path) ?? (isOfRun(path) ? valueAt({ run }, path) : undefined);
}

/** All columns of the rows. */
export const columnsOf = (rows: IDataObject[]): string[] => [...new Set(rows.flatMap(Object.keys))];

/** The selectable fields, each with its first value: first the rows' fields, then the run's. */
export function selectableFields(run: Run): Array<{ path: string; value: unknown }> {
	const rows = partsOf(run).flatMap((part) => part.rows.slice(0, 20));
	const ofRows = pathsOf(rows).map((path) => ({
		path,
		value: rows.map((row) => valueAt(row, path)).find((value) => !isEmpty(value)),
	}));
	return [...ofRows, ...RUN_FIELDS.map((path) => ({ path, value: valueAt({ run }, path) }))];
}

/** A run's most useful fields, and its data without empty parts. `hasData` shows whether there is any. */
export function simplified(run: Run): IDataObject {
	const data = contentOf(run);
	const fields = withoutUndefined(pickFields(run, USEFUL_RUN_FIELDS));
	return { ...fields, hasData: !isEmpty(data), data };
}

function contentOf(run: Run): IDataObject {
	if (Array.isArray(run.data)) return run.data.length > 0 ? { listData: run.data } : {};
	return isObject(run.data)
		? Object.fromEntries(Object.entries(run.data).filter(([, value]) => !isEmpty(value)))
		: {};
}

/** Rows of one kind in a run's data. */
export interface Part {
	/** `fields` are single values from a page, and `formats` is a page in several formats. The others are lists. */
	kind: 'fields' | 'formats' | 'rows' | 'pages';
	/** The list's name, if there are several lists. */
	list?: string;
	rows: IDataObject[];
}

/**
 * The rows of a run: one object per captured row, crawled page, search result or document record. No field is lost.
 * Lists come first, because n8n shows the columns of the first row. These are the rules:
 *
 * 1. Single fields of a page are added to each captured row: `textData: {A: 1}, listData: [{B: 2}, {B: 3}]` →
 *    `{B: 2, A: 1}`, `{B: 3, A: 1}`. They form a row of their own without such rows, or if a row has a field of the same
 *    name. If they were captured several times, they form several rows.
 * 2. The formats of a page form one row: `{markdown, links}`. So does anything in the data that isn't known.
 * 3. Each entry of a list is a row, whatever it contains: `listData: [{Order: 1, items: […]}]` → `{Order: 1, items: […]}`.
 *    An entry that isn't an object becomes `{value}`. Empty entries are left out.
 * 4. Lists in a list, or by name, are joined: `[[a], [b]]` and `{Shop: [a], Blog: [b]}` → a, b. Rows of several named lists
 *    get the name of theirs as `list`. An object with any other field is a row itself.
 * 5. The report of a search becomes its results: `searchData: {query, results: [a, b]}` → a, b.
 * 6. The record of a document is a row, with its lists: `documentData: {number, lines: […]}`. An object that contains
 *    only a list under one of the usual names becomes its entries: `{items: [a, b]}` → a, b.
 *
 * Pages and search results also get `url` and `title` from their metadata.
 */
export function rowsOf(run: Run): IDataObject[] {
	const parts = joinedParts(run);
	return parts.length === 1 ? parts[0].rows : parts.flatMap(({ rows }) => rows);
}

/**
 * The parts of a run's data. Each captured row also contains the page's single fields, unless that would hide a value.
 */
export function joinedParts(run: Run): Part[] {
	const parts = partsOf(run);
	const [single, ...more] = parts.find(({ kind }) => kind === 'fields')?.rows ?? [];
	const captured = parts.filter(({ kind }) => kind === 'rows').flatMap(({ rows }) => rows);
	const isHidden = (name: string) => captured.some((row) => name in row);
	if (!single || more.length > 0 || captured.length === 0) return parts;
	if (Object.keys(single).some(isHidden)) return parts;
	return parts
		.filter(({ kind }) => kind !== 'fields')
		.map((part) =>
			part.kind === 'rows'
				? { ...part, rows: part.rows.map((row) => ({ ...row, ...single })) }
				: part,
		);
}

/** The parts of a run's data that have rows, in the order of the rows. */
export function partsOf(run: Run): Part[] {
	const { textData, listData, crawlData, searchData, documentData, ...page } = contentOf(run);
	const parts: Part[] = [
		...listsOf(listData),
		{ kind: 'pages', rows: entriesOf(crawlData).map(asPage) },
		{ kind: 'pages', rows: resultsOf(searchData).map(asPage) },
		{ kind: 'rows', rows: recordsOf(documentData).map(asRow) },
		{ kind: 'fields', rows: fieldsOf(textData) },
		{ kind: 'formats', rows: isEmpty(page) ? [] : [page] },
	];
	return parts.filter(({ rows }) => rows.length > 0);
}

/** A run's lists. If there are several, each row contains its list's name, unless it has such a field. */
function listsOf(part: unknown): Part[] {
	const lists = namedLists(part) ?? [];
	if (lists.length < 2) return [{ kind: 'rows', rows: entriesOf(part).map(asRow) }];
	return lists.map(([list, entries]) => {
		const rows = entriesOf(entries).map(asRow);
		return {
			kind: 'rows',
			list,
			rows: rows.map((row) => ('list' in row ? row : { ...row, list })),
		};
	});
}

/** The lists in an object that contains nothing else, by name. */
function namedLists(part: unknown): Array<[string, unknown]> | undefined {
	const lists = isObject(part) ? Object.entries(part) : [];
	const areLists = lists.every(([, list]) => list === null || isListOfObjects(list));
	return isObject(part) && areLists ? lists : undefined;
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
	return namedLists(part)?.flatMap(([, list]) => entriesOf(list)) ?? [part];
}

/** Fields that may contain entries, in an object that isn't an entry itself. */
const HOLDERS = ['rows', 'items', 'results', 'data'];

/** The results in a search report. */
function resultsOf(part: unknown): unknown[] {
	const holder = HOLDERS.find((name) => isObject(part) && isListOfObjects(part[name]));
	return entriesOf(isObject(part) && holder ? part[holder] : part);
}

/** The records of a document. */
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

import type { IDataObject } from 'n8n-workflow';
import type { Run } from '../api/entities';
import { isObject } from '../api/values';

/** What an operation makes of a run. */
export type Output = 'simplified' | 'rows' | 'full';

/** A run as items: itself with the essentials, its rows, or as the service sent it. */
export function outputOf(run: Run, output: Output): IDataObject[] {
	if (output === 'full') return [run];
	return output === 'rows' ? rowsOf(run) : [simplified(run)];
}

const ESSENTIALS = [
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

/** The essentials of a run, and of its data what is not empty; `hasData` tells whether anything is. */
export function simplified(run: Run): IDataObject {
	const essentials = ESSENTIALS.filter((key) => run[key] !== undefined).map((key) => [
		key,
		run[key],
	]);
	const data = contentOf(run);
	return { ...Object.fromEntries(essentials), hasData: Object.keys(data).length > 0, data };
}

function contentOf(run: Run): IDataObject {
	if (Array.isArray(run.data)) return run.data.length > 0 ? { listData: run.data } : {};
	return isObject(run.data)
		? Object.fromEntries(Object.entries(run.data).filter(([, value]) => !isEmpty(value)))
		: {};
}

/**
 * One object for each captured row, crawled page, search result or document record.
 *
 * A robot that captures single fields gives one row of them, or several where it captured them several times; so does one that reads a page, with the page's formats.
 */
export function rowsOf(run: Run): IDataObject[] {
	const { listData, crawlData, searchData, documentData, textData, ...page } = contentOf(run);
	const lists = [...[listData, crawlData, searchData].map(entriesOf), recordsOf(documentData)];
	const rows = lists.flatMap((list) => (list.length > 0 ? [list.map(asRow)] : []));
	if (rows.length > 0) return rows.length === 1 ? rows[0] : rows.flat();
	const fields = entriesOf(textData).map(asRow);
	if (fields.length > 0) return haveNoneTwice(fields) ? [Object.assign({}, ...fields)] : fields;
	return Object.keys(page).length > 0 ? [page] : [];
}

/** Whether rows are parts of one: fields that were captured one by one, and not several times. */
function haveNoneTwice(rows: IDataObject[]): boolean {
	const names = rows.flatMap(Object.keys);
	return new Set(names).size === names.length;
}

/** Under which names an object holds its rows, where it is not a row itself. */
const HOLDERS = ['rows', 'items', 'results', 'data'];

/**
 * The rows in a part of a run's data, whose shape is not documented: a list of rows, a list of such lists, lists by
 * name, an object that holds a list, or a single record. Only as deep as needed, since data can be large.
 */
function entriesOf(part: unknown): unknown[] {
	if (isEmpty(part)) return [];
	if (Array.isArray(part)) {
		// Most lists hold rows and nothing else; copying those would cost as much as parsing them.
		const isNested = (entry: unknown) => Array.isArray(entry) || isHolder(entry);
		return part.some(isNested)
			? part.flatMap((entry) => (isNested(entry) ? entriesOf(entry) : [entry]))
			: part;
	}
	if (!isObject(part)) return [part];
	const lists = Object.values(part);
	if (lists.every(isListOfObjects)) return lists.flatMap(entriesOf);
	const holder = holderOf(part);
	return holder ? entriesOf(part[holder]) : [part];
}

/** The records of a document. One may hold lists of its own, such as the lines of an invoice, and stays in one piece. */
function recordsOf(part: unknown): unknown[] {
	if (isEmpty(part)) return [];
	if (Array.isArray(part)) return part.flat();
	const isList = isObject(part) && Object.keys(part).length === 1 && holderOf(part) !== undefined;
	return isList ? entriesOf(part) : [part];
}

/** Whether this is a list with its name; what has more fields is a row, to which the list belongs. */
const isHolder = (value: unknown) =>
	isObject(value) && holderOf(value) !== undefined && Object.keys(value).length <= 2;

const holderOf = (value: unknown) =>
	isObject(value) ? HOLDERS.find((name) => isListOfObjects(value[name])) : undefined;

const isListOfObjects = (value: unknown) =>
	Array.isArray(value) && (value.length === 0 || typeof value[0] === 'object');

const asRow = (entry: unknown): IDataObject => (isObject(entry) ? entry : { value: String(entry) });

const isEmpty = (value: unknown) =>
	value === null ||
	value === undefined ||
	value === '' ||
	(Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0);

/** A run as the cloud lists it: a self-hosted server sends the data of all runs along. */
export const withoutData = (run: Run): IDataObject =>
	Object.fromEntries(Object.entries(run).filter(([key]) => key !== 'data'));

import type { IDataObject } from 'n8n-workflow';
import { withoutUndefined } from '../http/request';
import { isObject, pathsOf, pickFields, valueAt } from '../http/values';
import type { Run } from '../servers/entities';
import type { Output } from './types';

/** A run as items: simplified, its rows, its selected fields, or as the service sent it. */
export function outputOf(run: Run, output: Output, fields: string[] = []): IDataObject[] {
	if (output === 'raw') return [run];
	if (output === 'fields') return selectedOf(run, fields);
	return output === 'rows' ? rowsOf(run) : [simplified(run)];
}

const USEFUL_FIELDS = [
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

/** The prefix of a selected field that belongs to the run, and not to its rows. */
const OF_RUN = 'run.';

/** The fields of a run that can be selected. */
export const RUN_FIELDS = USEFUL_FIELDS.map((name) => OF_RUN + name);

/** The selected fields of each row. One item if they all belong to the run. */
function selectedOf(run: Run, fields: string[]): IDataObject[] {
	const rows = fields.every((field) => field.startsWith(OF_RUN)) ? [{}] : rowsOf(run);
	return rows.map((row) => pickFields({ run, ...row }, fields));
}

/** The fields that can be selected, each with its first value: those of the rows, then those of the run. */
export function selectableFields(run: Run): Array<{ path: string; value: unknown }> {
	const rows = rowsOf(run).slice(0, SAMPLE);
	const ofRows = pathsOf(rows).map((path) => ({
		path,
		value: rows.map((row) => valueAt(row, path)).find((value) => !isEmpty(value)),
	}));
	return [...ofRows, ...RUN_FIELDS.map((path) => ({ path, value: valueAt({ run }, path) }))];
}

/** Number of rows to read for the list of fields. */
const SAMPLE = 20;

/** The most useful fields of a run, and its data without empty parts; `hasData` shows whether there is any. */
export function simplified(run: Run): IDataObject {
	const fields = USEFUL_FIELDS.filter((key) => run[key] !== undefined).map((key) => [
		key,
		run[key],
	]);
	const data = contentOf(run);
	return { ...Object.fromEntries(fields), hasData: hasData(run), data };
}

/** Whether a run has any data. */
export const hasData = (run: Run): boolean => Object.keys(contentOf(run)).length > 0;

function contentOf(run: Run): IDataObject {
	if (Array.isArray(run.data)) return run.data.length > 0 ? { listData: run.data } : {};
	return isObject(run.data)
		? Object.fromEntries(Object.entries(run.data).filter(([, value]) => !isEmpty(value)))
		: {};
}

/**
 * One object per captured row, crawled page, search result or document record.
 *
 * Single fields form one row, or several if they were captured several times. A page forms one row with its formats.
 */
export function rowsOf(run: Run): IDataObject[] {
	const { listData, crawlData, searchData, documentData, textData, ...page } = contentOf(run);
	const lists = [
		entriesOf(listData).map(asRow),
		...[crawlData, searchData].map((part) => entriesOf(part).map(asPage)),
		recordsOf(documentData).map(asRow),
	];
	const rows = lists.filter((list) => list.length > 0);
	if (rows.length > 0) return rows.length === 1 ? rows[0] : rows.flat();
	const fields = entriesOf(textData).map(asRow);
	if (fields.length > 0)
		return haveDistinctFields(fields) ? [Object.assign({}, ...fields)] : fields;
	return Object.keys(page).length > 0 ? [page] : [];
}

/** Whether rows are parts of one row: no field appears twice. */
function haveDistinctFields(rows: IDataObject[]): boolean {
	const names = rows.flatMap(Object.keys);
	return new Set(names).size === names.length;
}

/** Fields that may contain the rows of an object that isn't a row itself. */
const HOLDERS = ['rows', 'items', 'results', 'data'];

/**
 * The rows in a part of a run's data. The shape isn't documented: a list of rows or of such lists, lists by name, an
 * object that contains a list, or a single record. Reads only as deep as needed, because data can be large.
 */
function entriesOf(part: unknown): unknown[] {
	if (isEmpty(part)) return [];
	if (Array.isArray(part)) {
		// Most lists contain only rows. Copying them would cost as much as parsing them.
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

/** The records of a document. A record that contains lists, such as the lines of an invoice, stays one row. */
function recordsOf(part: unknown): unknown[] {
	if (isEmpty(part)) return [];
	if (Array.isArray(part)) return part.flat();
	const isList = isObject(part) && Object.keys(part).length === 1 && holderOf(part) !== undefined;
	return isList ? entriesOf(part) : [part];
}

/** Whether this is a list with its name. An object with more fields is a row that contains a list. */
const isHolder = (value: unknown) =>
	isObject(value) && holderOf(value) !== undefined && Object.keys(value).length <= 2;

const holderOf = (value: unknown) =>
	isObject(value) ? HOLDERS.find((name) => isListOfObjects(value[name])) : undefined;

const isListOfObjects = (value: unknown) =>
	Array.isArray(value) && (value.length === 0 || typeof value[0] === 'object');

const asRow = (entry: unknown): IDataObject => (isObject(entry) ? entry : { value: String(entry) });

/** A crawled page or a search result, with its URL and title. Pages contain them in `metadata`. */
function asPage(entry: unknown): IDataObject {
	const row = asRow(entry);
	const { metadata } = row;
	if (!isObject(metadata)) return row;
	const { url = metadata.sourceURL, title } = metadata;
	return { ...withoutUndefined({ url, title }), ...row };
}

const isEmpty = (value: unknown) =>
	value === null ||
	value === undefined ||
	value === '' ||
	(Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0);

import { PAGE_URL } from '../results/rows';
import type { IDataObject } from 'n8n-workflow';
import { isObject, nameIn, valueAt } from '../http/values';
import type { Column } from '../results/table';
import type { PendingRun } from './types';
import type { Item } from '../results/types';

/** The fields go next to a row's fields, or into a document's metadata. A row's own value wins, and a hint says so. */
export function withFields(
	{ fields, duplicateOf, settings: { output, columns = [] }, context }: PendingRun,
	items: Item[],
): Item[] {
	if (!fields) return items;
	if (output === 'documents') {
		return items.map((item) => withMetadata(item, fields));
	}
	// A selected field is already a column.
	const chosen = columns.map(({ column }) => nameIn(fields, column));
	const others = Object.fromEntries(
		Object.entries(fields).filter(([name]) => !chosen.includes(name)),
	);
	const hidden = Object.keys(others).filter(
		(name) => duplicateOf !== undefined && items.some(({ json }) => name in json),
	);
	for (const name of hidden) context.hint(HIDDEN, 1, `'${name}'`);
	return items.map((item) => ({ ...item, json: { ...others, ...item.json } }));
}

export const emptyOf = (columns: Column[], fields: IDataObject = {}): IDataObject =>
	columns.length > 0
		? Object.fromEntries(columns.map(({ column, name }) => [name, valueAt(fields, column) ?? null]))
		: { hasData: false };

function withMetadata({ json, ...item }: Item, fields: IDataObject): Item {
	const others = Object.entries(fields).filter(([name]) => name !== PAGE_URL);
	const own = isObject(json.metadata) ? json.metadata : {};
	return { ...item, json: { ...json, metadata: { ...Object.fromEntries(others), ...own } } };
}

const HIDDEN =
	'The rows and the input have fields with the same name. The output contains the values of the rows';

import type { IDataObject } from 'n8n-workflow';
import type { Rest } from '../http/concurrency';
import { withoutUndefined } from '../http/request';
import { cut } from '../http/text';
import { valueAt } from '../http/values';
import { sharedForm, type Change } from './changes';
import { lineDiff } from './lineDiff';
import { isPage, textOf, titleOf, urlOf } from './pageText';

/** The fields of a change next to the columns of its row, and their names if the rows have such columns themselves. */
const NAMES = { change: 'maxunChange', before: 'maxunBefore', diff: 'maxunDiff' };

/**
 * Changes as items: the columns of each row, with `change`. A changed row also has `before`, with what its changed
 * columns were, and a changed page has `diff`, with the changed lines.
 *
 * @param rest is called between two pieces of work of a few milliseconds
 */
export async function changedRows(changes: Change[], rest: Rest): Promise<IDataObject[]> {
	const isTaken = (name: string) => changes.some(({ row }) => name in row);
	const nameOf = (name: keyof typeof NAMES) => (isTaken(name) ? NAMES[name] : name);
	const [change, before, diff] = [nameOf('change'), nameOf('before'), nameOf('diff')];
	const items: IDataObject[] = [];
	for (const entry of changes) {
		await rest();
		const { row, old } = entry;
		const item: IDataObject = { ...row, [change]: entry.change };
		if (old) item[before] = beforeOf(entry);
		if (old && isPage(row, entry.kind)) item[diff] = await diffOf(entry, rest);
		items.push(item);
	}
	return items;
}

/** What the changed columns of a row were. */
const beforeOf = ({ old = {}, columns = [] }: Change): IDataObject =>
	Object.fromEntries(columns.map((name) => [name, old[name] ?? null]));

/** The number of changes of each kind, and the first 100 in short. */
export function summaryOf(changes: Change[], key: string[]): IDataObject {
	const count = (kind: Change['change']) => changes.filter(({ change }) => change === kind).length;
	return {
		added: count('added'),
		changed: count('changed'),
		removed: count('removed'),
		changes: changes.slice(0, 100).map((entry) => shortOf(entry, key)),
	};
}

function shortOf(entry: Change, key: string[]): IDataObject {
	const { change, kind, row, columns } = entry;
	const about = isPage(row, kind) ? identityOf(entry, key) : row;
	const inShort = (object: IDataObject): IDataObject =>
		Object.fromEntries(
			Object.entries(object).map(([name, value]) => [
				name,
				typeof value === 'string' ? cut(value, 200) : value,
			]),
		);
	return { change, row: inShort(about), ...(columns && { before: inShort(beforeOf(entry)) }) };
}

/** What identifies a row for a reader: its key, or the URL and title of a page. */
const identityOf = ({ row }: Change, key: string[]): IDataObject =>
	withoutUndefined({
		key: key.length > 0 ? key.map((path) => valueAt(row, path)).join(', ') : undefined,
		url: urlOf(row),
		title: titleOf(row),
	});

/** Changes as text, one item per page or row: `diff` contains the changed lines with `-` and `+`. */
export async function textDiffs(
	changes: Change[],
	key: string[],
	rest: Rest,
): Promise<IDataObject[]> {
	const items: IDataObject[] = [];
	for (const entry of changes) {
		const diff = await diffOf(entry, rest);
		items.push({ change: entry.change, ...identityOf(entry, key), diff });
	}
	return items;
}

/** The changed lines of a page or a row. White space and empty lines don't count. */
async function diffOf({ change, kind, row, old }: Change, rest: Rest): Promise<string> {
	const form = old && isPage(row, kind) ? sharedForm(old, row) : undefined;
	const linesOf = (given: IDataObject) =>
		(form ? String(given[form]) : textOf(given, kind))
			.split('\n')
			.map((line) => line.replace(/\s+/g, ' ').trim())
			.filter(Boolean)
			.join('\n');
	const [before, after] = change === 'removed' ? [row, undefined] : [old, row];
	const oldLines = before ? linesOf(before) : '';
	await rest();
	return await lineDiff(oldLines, after ? linesOf(after) : '', rest);
}

import type { IDataObject } from 'n8n-workflow';
import { inTurn, restRegularly, type Rest } from '../http/concurrency';
import { withoutUndefined } from '../http/request';
import { looksLike } from '../http/text';
import { valueAt } from '../http/values';
import { urlOf, type Captured } from './captured';
import { textsOf, type Change } from './changes';
import { changesBetween, withRunsBefore, type ComparisonSettings } from './comparison';
import { differenceOf } from './conditions';
import { lineDiff } from './lineDiff';
import { pageOfLinks } from './outcome';
import { isPage, titleOf } from './pageText';
import type { MaxunServer } from '../servers/types';
import type { Hint } from './hint';
import { nameOfOther, shortCells, shownRows, type TableSettings } from './table';

interface Comparing extends ComparisonSettings {
	address?: string;
}

/** The changes between two runs that meet the conditions, as items. */
export async function rowsChanged(
	maxun: MaxunServer,
	[earlier, later]: [Captured, Captured],
	settings: Comparing,
	hint: Hint,
): Promise<IDataObject[]> {
	const { robotId } = earlier.run;
	const both = robotId
		? await withRunsBefore(maxun.runs, robotId, [earlier, later], settings)
		: ([earlier, later] as const);
	const table = { ...settings, base: await pageOfLinks(maxun, later, settings) };
	const rest = restRegularly(maxun.sleep);
	// Simultaneous comparisons would only block n8n longer.
	return await inTurn('compare', async () => {
		const changes = await changesBetween(...both, table, rest, hint);
		return await changedRows(changes, table, rest, hint);
	});
}

/**
 * Changes as items: the row with `change`, the previous values of changed columns as `before`, and by how much numbers
 * have changed. A changed page has `diff`. If a row has such a column, the field's name is `maxunChange`, for example.
 */
export async function changedRows(
	changes: Change[],
	table: TableSettings,
	rest: Rest,
	hint?: Hint,
): Promise<IDataObject[]> {
	const taken = new Set<string>();
	for (const { shown, shownOld } of changes) {
		await rest();
		for (const name of Object.keys({ ...shown, ...shownOld })) taken.add(name);
	}
	const nameOf = (name: string) =>
		taken.has(name) ? `maxun${name[0].toUpperCase()}${name.slice(1)}` : name;
	const items: IDataObject[] = [];
	for (const entry of changes) {
		await rest();
		const { row, kind, shown, shownOld, columns = [] } = entry;
		const item: IDataObject = { ...shown, [nameOf('change')]: entry.change };
		if (shownOld) {
			item[nameOf('before')] = pickColumns(shownOld, columns.flatMap(namesIn(table)));
			const numbers = columns.flatMap((column) => differenceIn(entry, column, namesIn(table)));
			if (numbers.length > 0) {
				const fields = (part: 'amount' | 'percent') =>
					Object.fromEntries(numbers.map((number) => [number.name, number[part]]));
				item[nameOf('difference')] = fields('amount');
				item[nameOf('differencePercent')] = fields('percent');
			}
			const others = (entry.otherUnits ?? []).flatMap(namesIn(table));
			if (others.length > 0) item[nameOf('currencyChanged')] = others;
			if (isPage(row, kind)) item[nameOf('diff')] = await diffOf(entry, rest);
		}
		items.push(item);
	}
	return await shownRows(items, table, rest, hint);
}

const namesIn =
	({ columns = [], keepOtherColumns }: TableSettings) =>
	(column: string): string[] => {
		const chosen = columns.filter(({ column: path }) =>
			[path, path.trim()].some((name) => name === column || name.startsWith(`${column}.`)),
		);
		const isOther = columns.length === 0 || (chosen.length === 0 && keepOtherColumns);
		return isOther ? [nameOfOther(column, columns)] : chosen.map(({ name }) => name);
	};

/** A column's difference for each of its names; null for another unit. A difference from 0 has no percentage. */
function differenceIn(
	{ row, old = {}, numbers = {}, otherUnits = [] }: Change,
	column: string,
	namesOf: (column: string) => string[],
) {
	const [before, after] = numbers[column] ?? [old[column], row[column]];
	if (typeof before !== 'number' || typeof after !== 'number') return [];
	const isOther = otherUnits.includes(column);
	const { amount, percent } = differenceOf(before, after);
	const rounded = isOther || Number.isNaN(percent) ? null : Math.round(percent * 100) / 100;
	return namesOf(column).map((name) => ({
		name,
		amount: isOther ? null : amount,
		percent: rounded,
	}));
}

const pickColumns = (row: IDataObject, names: string[]): IDataObject =>
	Object.fromEntries(names.map((name) => [name, row[name] ?? null]));

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
	const { change, kind, row, old = {}, columns } = entry;
	const about = isPage(row, kind) ? identityOf(entry, key) : row;
	const inShort = (long: IDataObject) => shortCells(long, 200);
	const before = columns && { before: inShort(pickColumns(old, columns)) };
	return { change, row: inShort(about), ...before };
}

const identityOf = ({ row }: Change, key: string[]): IDataObject =>
	withoutUndefined({
		key: key.length > 0 ? key.map((path) => valueAt(row, path)).join(', ') : undefined,
		url: urlOf(row),
		title: titleOf(row),
	});

/** Changes as text, one item per page or row: `diff` contains the changed lines with `-` and `+`. */
export async function textDiffs(changes: Change[], key: string[], rest: Rest) {
	const items: IDataObject[] = [];
	for (const entry of changes) {
		const diff = await diffOf(entry, rest);
		items.push({ change: entry.change, ...identityOf(entry, key), diff });
	}
	return items;
}

/** White space and empty lines don't count. */
async function diffOf(change: Change, rest: Rest): Promise<string> {
	const linesOf = (text = '') => text.split('\n').map(looksLike).filter(Boolean);
	const [before, after] = textsOf(change);
	const oldLines = linesOf(before);
	await rest();
	return await lineDiff(oldLines, linesOf(after), rest);
}

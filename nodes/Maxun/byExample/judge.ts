import { isAkin, isAtSamePlace, isFormer, isLike, placeIn, shapeOf } from './kinds';
import { overlap, type Candidates, type Page } from '../html/page';
import { FORMER, type Element } from '../html/reader';
import { isNamed, type Path } from '../html/selectors';

/** How to reach a column's value in a row. */
export interface Column extends Candidates {
	path: Path;
	/** An example, and its row. */
	element: Element;
	row: Element;
	/** How many of the examples it reads. */
	explained: number;
	/** The shape of its values, if most have the same, such as `$0`. */
	shape?: string;
	/** The values that it reads in other rows where another place of the example has another value. */
	disputed: Set<Cell>;
}

/** A row's values, and the doubts about them. */
export interface Judged {
	row: Element;
	/** The element that each column reads, if it has a value. */
	cells: Cell[];
	/** For each column, its value if it may be another column's, or another value that may be meant. */
	doubts: Cell[];
	/** The share of columns that have values at the same places as the examples. */
	share: number;
}

/** Whether a path means the same in another row. A place does if its elements have the same structure. */
export function isCertain({ path, element, row }: Column, other: Element, top: Element): boolean {
	if (isNamed(path)) return isLike(element, row, other, top);
	const [chain, others] = [placeIn(element, row), placeIn(other, top)];
	const places = path.steps.filter(({ css }) => css.includes(':nth'));
	const isPair = (one: Element, at: number) => {
		if (!isAkin(one, others[at])) return false;
		const isFirstOfMany = one.place === 1 && one.peers.length > 1 && areAlike(one.peers);
		const isPlace = at === 0 || places.some(({ matches }) => matches(one));
		return !isPlace || isFirstOfMany || one.peers.length === others[at].peers.length;
	};
	return isAtSamePlace(chain, others) && chain.every(isPair);
}

/** Whether texts could be values of one column, such as several authors. */
const areAlike = (elements: Element[]) =>
	new Set(elements.map(({ key }) => (/\d/.test(key) ? shapeOf(key) : ''))).size === 1;

export const rivalOf = (page: Page, found: Element[], attribute: string) => {
	const [own, ...others] = found;
	const key = page.keyOf(own, attribute);
	const isOther = (other: Element) => {
		const more = page.keyOf(other, attribute);
		return more !== '' && more !== key && !overlap(own, other);
	};
	return own && others.find(isOther);
};

/** Whether a value is of the kind that a column's values have: `Sold out` and `(10)` aren't prices. */
export const isOfShape = ({ attribute, shape, path }: Column, { key }: Element): boolean => {
	if (attribute !== 'innerText') return true;
	const own = shapeOf(key);
	if (shape === undefined) return isNamed(path) || own === '' || /\p{L}/u.test(own);
	const count = (text: string) => text.split('0').length;
	return own === shape || (shape !== '0' && own.includes(shape) && count(own) === count(shape));
};

/** Values in a row that no column reads, and that have a column's shape. Any link could be a column without an example. */
function rivals(page: Page, { attribute, shape, values }: Column, row: Element, read: Cell[]) {
	const isAny = attribute !== 'innerText' && !values.some(Boolean);
	if (!isAny && shape === undefined) return [];
	const isOther = (one: Element, own: Cell) =>
		page.keyOf(one, attribute) !== page.keyOf(own, attribute) && (isAny || !overlap(one, own));
	const found: Element[] = [];
	for (let at = row.at + 1; at < row.end; at++) {
		const one = page.elements[at];
		const isAlike = isAny ? page.keyOf(one, attribute) !== '' : shapeOf(one.key) === shape;
		if (isAlike && read.every((own) => isOther(one, own))) found.push(one);
	}
	return found;
}

export type Cell = Element | undefined;

/**
 * Rows with what their columns read, and the doubts about it.
 * @param isStrict if nobody has chosen between the values of the example's row. Then they count, and columns' names
 * decide
 */
export async function judge(
	page: Page,
	rows: Element[],
	columns: Column[],
	isStrict = false,
): Promise<Judged[]> {
	const read = (row: Element) => columns.map(({ path }) => page.all(row, path));
	const filled = ([own]: Element[], at: number) =>
		own && page.keyOf(own, columns[at].attribute) ? own : undefined;
	/** Columns of the same kind don't read each other's values. */
	const readFor = ({ attribute }: Column, cells: Cell[]) =>
		cells.filter(
			(cell, at) => cell && columns[at].attribute === attribute && isOfShape(columns[at], cell),
		);
	const known = columns.map((column) => {
		if (isStrict) return [];
		const own = readFor(column, read(column.row).map(filled));
		return rivals(page, column, column.row, [...own, column.element]);
	});
	const judged: Judged[] = [];
	for (const row of rows) {
		await page.rest();
		const all = read(row);
		const cells = all.map(filled);
		const texts = cells.filter((_, at) => columns[at].attribute === 'innerText');
		const isNear = (one: Cell) => texts.some((text) => overlap(text, one));
		const doubts = columns.map((column, at) => {
			const { element, row: start, attribute, values } = column;
			const { [at]: cell } = cells;
			const isOld = isStrict ? FORMER.test(column.name) : isFormer(element, start);
			const isOfTime = (one: Element) => isFormer(one, row) === isOld;
			const isOther = (one: Element) =>
				values.some(Boolean)
					? isOfTime(one) && !known[at].some((other) => isLike(other, start, one, row))
					: isNear(one) === isNear(cell);
			const others = rivals(page, column, row, readFor(column, cells));
			if (!cell) return others.find(isOfTime);
			const rival = others.find(isOther);
			const isShared = cells.some(
				(one, index) => overlap(cell, one) && isBeside(column, columns[index]),
			);
			const isSure =
				isOfShape(column, cell) && isOfTime(cell) && isCertain(column, cell, row) && !isShared;
			if (!isSure || column.disputed.has(cell)) return cell;
			return rival ?? rivalOf(page, all[at], attribute);
		});
		const likes = columns.filter(({ element, row: start }, at) => {
			const { [at]: cell } = cells;
			return cell && isLike(element, start, cell, row);
		});
		judged.push({ row, cells, doubts, share: likes.length / columns.length });
	}
	return judged;
}

/** Whether two columns are at different places of the examples' row. */
const isBeside = (one: Column, other: Column) =>
	one.row === other.row &&
	one.attribute === other.attribute &&
	!overlap(one.element, other.element);

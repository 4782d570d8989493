import { isCertain, isOfShape, rivalOf, type Cell, type Column } from './judge';
import { isFormer, shapeOf, without } from './kinds';
import { overlap, thoseIn, type Candidates, type Page } from '../html/page';
import { keyOf, type Element } from '../html/reader';
import { isNamed, pathsTo, type Path } from '../html/selectors';

const PLACES = 5;
const EXCLUDED = 2;

/** How many elements of rows to look at for each place. The last way, along all elements, is always tried. */
const MOST_CELLS = 50_000;

/** An element with a column's value, and its row. */
export interface Place {
	element: Element;
	row: Element;
}

interface Tried extends Column {
	/** In how many rows it reads the column, minus the rows in which it may read another value. */
	score: number;
	read: Cell[];
}

/**
 * Where a column may be in a row. If its example isn't there, other rows have the other examples.
 *
 * @param beside the values of other columns, in or around which a link without an example is
 */
export function placesOf(
	{ found, values }: Candidates,
	index: number,
	start: Element,
	others: Element[],
	beside: Element[],
): Place[] {
	const inRow = (row: Element, at: number) =>
		thoseIn(found[at] ?? [], row).map((element) => ({ element, row }));
	const own = inRow(start, index);
	if (own.length === 0)
		return [...found.keys()]
			.flatMap((at) => others.flatMap((row) => inRow(row, at).slice(0, 1)).slice(0, 1))
			.slice(0, PLACES);
	const isNear = ({ element }: Place) => beside.some((one) => overlap(one, element));
	if (values[index] === '') return [own.find(isNear) ?? own[0]];
	// In many wrappers, the innermost element also counts.
	const inner = own.slice(PLACES).filter(({ element }) => overlap(element, own[0].element));
	return [...own.slice(0, PLACES), ...inner.slice(-1)];
}

/** The most lasting path that reads a column from a row, and most likely the same column from other rows. */
export async function columnBy(
	page: Page,
	column: Candidates,
	places: Place[],
	others: Element[],
): Promise<Column | undefined> {
	const tried: Tried[] = [];
	let best: Tried | undefined;
	const most = Math.ceil(MOST_CELLS / others.reduce((sum, { at, end }) => sum + end - at, 1));
	for (const place of places) {
		const paths = [...pathsTo(place.element, place.row, page.namesOf)];
		for (const path of [...paths.slice(0, most), ...paths.slice(most).slice(-1)]) {
			await page.rest();
			const found = triedBy(page, { ...column, ...place }, path, others, best);
			tried.push(...found);
			for (const one of found) best = best && !isBetter(one, best) ? best : one;
			if (found.some(({ score }) => score === others.length)) break;
		}
	}
	if (!best || !column.values.some(Boolean)) return best;
	const { explained, score, element } = best;
	const keyIn = (one?: Element) => page.keyOf(one, column.attribute);
	const rivals = tried.filter((one) => one.explained === explained && one.score >= score);
	const isDisputed = (own: Element, at: number) =>
		rivals.some((rival) => {
			const other = rival.read[at];
			const isBeside = other && (overlap(own, other) || !overlap(rival.element, element));
			return isBeside && keyIn(other) !== keyIn(own);
		});
	const disputed = best.read.filter((one, at) => one && isDisputed(one, at));
	return { ...best, disputed: new Set(disputed) };
}

function isBetter(one: Tried, other: Tried): boolean {
	if (one.explained !== other.explained) return one.explained > other.explained;
	if (one.score !== other.score) return one.score > other.score;
	if (isNamed(one.path) !== isNamed(other.path)) return isNamed(one.path);
	// The inner element has nothing else in it.
	return isNamed(one.path) && one.element !== other.element && overlap(one.element, other.element);
}

/** A path, and paths that exclude what it shouldn't read, if they can be the best. */
function triedBy(
	page: Page,
	column: Candidates & Place,
	given: Path,
	others: Element[],
	best?: Tried,
): Tried[] {
	const { attribute, element, row } = column;
	const values = new Set(column.values.map(keyOf).filter(Boolean));
	const keyIn = (one?: Element) => page.keyOf(one, attribute);
	const key = keyIn(element);
	const shape = attribute === 'innerText' ? shapeOf(element.key) : '';
	const tried: Tried[] = [];
	let path: Path | undefined = given;
	for (let count = 0; path && count <= EXCLUDED; count++) {
		const own = page.all(row, path);
		if (!own.some((one) => keyIn(one) === key)) break;
		const found = {
			...column,
			path,
			score: others.length,
			explained: 1,
			read: [] as Cell[],
			disputed: new Set<Cell>(),
		};
		const isWorse = () => best && values.size < 2 && found.score < best.score;
		let excluded = own.find((one) => keyIn(one) !== key && !overlap(one, element));
		for (const other of others) {
			const all = page.all(other, path);
			const [one] = all;
			const cell = keyIn(one) === '' ? undefined : one;
			const isSure =
				cell &&
				isCertain(found, cell, other) &&
				isFormer(cell, other) === isFormer(element, row) &&
				!rivalOf(page, all, attribute);
			found.score -= isSure ? 0 : cell ? 2 : 1;
			found.read.push(cell);
			if (!isFormer(element, row)) excluded ??= all.find((former) => isFormer(former, other));
			if (isWorse()) break;
		}
		const usual = usualShape(shape, found.read);
		const result: Tried = { ...found, shape: usual };
		result.score -= 2 * found.read.filter((one) => one && !isOfShape(result, one)).length;
		const keys = new Set([key, ...found.read.map(keyIn)]);
		result.explained = [...values].filter((one) => keys.has(one)).length;
		if (keyIn(own[0]) === key && !isWorse()) tried.push(result);
		path = excluded && without(path, excluded, element);
	}
	return tried;
}

/** A shape with a number, if at least half of the values have it. */
function usualShape(shape: string, read: Cell[]): string | undefined {
	const filled = read.filter((one) => one !== undefined);
	const same = filled.filter(({ key }) => shapeOf(key) === shape).length;
	return shape.includes('0') && same * 2 >= filled.length ? shape : undefined;
}

import { isFound, isIn, overlap, type Candidates, type Page } from './page';
import { keyOf, type Element } from './reader';
import { chainOf, isNamed, namesOf, pathsTo, type Path } from './selectors';

/** How to reach a column's value in a row. */
export interface Column extends Candidates {
	path: Path;
	/** An example, and its row. */
	element: Element;
	row: Element;
	/** How many of the examples it reads. */
	explained: number;
	/** What it reads in other rows where another place of the example has another value. */
	disputed: Element[];
}

/** A list of rows, and how to reach their columns. */
export interface Fit {
	row: Element;
	rows: Element[];
	columns: Column[];
	/** How many rows have all columns. */
	complete: number;
	/** Whether another list has the examples, too. */
	hasRival: boolean;
}

/** Enough rows to compare paths. */
const SAMPLE = 30;
/** How many places of a value to try, on the page and in a row. */
const SEEDS = 30;
const PLACES = 5;
/** How many examples to start from. */
const STARTS = 3;
/** How many elements a row may have. */
const LARGEST = 1000;

const shares = (one: Element, other: Element) =>
	one.kinds.some((name) => other.kinds.includes(name));

const tagsOf = (chain: Element[]) => chain.map(({ tag }) => tag).join();

/** Whether a column's element in another row plays the same role as the example. */
const isLike = ({ element, row }: Pick<Column, 'element' | 'row'>, other: Element, top: Element) =>
	shares(element, other) ||
	(tagsOf(chainOf(element, row)) === tagsOf(chainOf(other, top)) &&
		(element.kinds.length === 0 || other.kinds.length === 0));

/** Whether a path means the same in another row. With a place, it does if its elements have the same structure. */
export function isCertain({ path, element, row }: Column, other: Element, top: Element): boolean {
	if (isNamed(path)) return isLike({ element, row }, other, top);
	const [chain, others] = [chainOf(element, row), chainOf(other, top)];
	const places = path.steps.filter(({ css }) => css.includes(':'));
	const isPair = (one: Element, at: number) => {
		if (!shares(one, others[at]) && one.kinds.length + others[at].kinds.length > 0) return false;
		const isFirstOfMany = one.place === 1 && one.peers.length > 1;
		const isPlace = at === 0 || places.some(({ matches }) => matches(one));
		return !isPlace || isFirstOfMany || one.peers.length === others[at].peers.length;
	};
	return tagsOf(chain) === tagsOf(others) && chain.every(isPair);
}

/** The most lasting path that reads a column from a row, and most likely the same column from others. */
async function columnIn(
	page: Page,
	start: Element,
	others: Element[],
	column: Candidates,
	index: number,
): Promise<Column | undefined> {
	const { attribute, values, found } = column;
	const wanted = [...new Set(values.map(keyOf))];
	const tried: Array<Column & { score: number; read: Array<Element | undefined> }> = [];
	const keyIn = (one?: Element) => page.keyOf(one, attribute);
	const inRow = (row: Element, at: number) =>
		found[at].filter((one) => isIn(one, row)).map((element) => ({ element, row }));
	const own = inRow(start, index);
	const isElsewhere = own.length === 0;
	// Other rows have the other examples.
	for (let at = 0; isElsewhere && own.length < PLACES && at < values.length; at++) {
		await page.rest();
		own.push(...others.flatMap((row) => inRow(row, at)).slice(0, 1));
	}
	// In many wrappers, the innermost one counts, too.
	const inner = own.slice(PLACES).filter(({ element }) => isIn(element, own[0].element));
	for (const { element, row } of [...own.slice(0, PLACES), ...inner.slice(-1)]) {
		const key = keyIn(element);
		for (const path of pathsTo(element, row)) {
			if (keyIn(page.first(row, path)) !== key) continue;
			await page.rest();
			const read = others.map((other) => page.filled(other, { path, attribute }));
			const keys = [key, ...read.map(keyIn)];
			const explained = wanted.filter((value) => value && keys.includes(value)).length;
			const like = read.filter((one, at) => one && isLike({ element, row }, one, others[at]));
			const score = 2 * like.length - read.filter(Boolean).length;
			tried.push({ ...column, path, element, row, explained, score, read, disputed: [] });
		}
	}
	if (tried.length === 0) return undefined;
	const best = tried.reduce((one, other) => {
		if (other.explained !== one.explained) return other.explained > one.explained ? other : one;
		return other.score > one.score * 1.25 + 0.5 ? other : one;
	});
	const isDisputed = (own: Element, at: number) =>
		tried.some(({ element, explained, score, read: { [at]: other } }) => {
			const isRival = explained === best.explained && score * 2 > best.score;
			const isBeside = other && (overlap(own, other) || !overlap(element, best.element));
			return isRival && isBeside && keyIn(other) !== keyIn(own);
		});
	const read = values[index] === '' ? [] : best.read;
	return { ...best, disputed: read.flatMap((one, at) => (one && isDisputed(one, at) ? one : [])) };
}

/** All elements that could be rows of the same list as an element. */
function siblingsOf(row: Element): Element[] {
	const { parent, peers, tag } = row;
	if (!parent || peers.length === 1 || parent.families.length > 1) return peers;
	const isGroup = (group: Element) =>
		group === parent ||
		(shares(group, parent) && group.families.length === 1 && group.families[0][0].tag === tag);
	return parent.peers.filter(isGroup).flatMap(({ families: [rows] }) => rows);
}

/** The list in which an element is a row. */
async function fitOf(page: Page, row: Element, given: Candidates[], index: number) {
	const siblings = siblingsOf(row);
	if (siblings.length < 2) return undefined;
	const sample = siblings.slice(0, SAMPLE);
	const columns: Column[] = [];
	for (const column of given) {
		const best = await columnIn(page, row, sample, column, index);
		if (!best) return undefined;
		columns.push(best);
	}
	const names = namesOf(row).filter(({ matches }) =>
		siblings.some((other) => other !== row && matches(other)),
	);
	const isSimilar = (other: Element) =>
		names.length === 0 || names.some(({ matches }) => matches(other));
	const rows: Element[] = [];
	let [complete, certain] = [0, 0];
	for (const sibling of siblings) {
		await page.rest();
		const read = columns.flatMap((one) => {
			const element = page.filled(sibling, one);
			return element && isLike(one, element, sibling) ? { one, element } : [];
		});
		const { length } = read;
		if (length === columns.length) {
			complete++;
			if (read.every(({ one, element }) => isCertain(one, element, sibling))) certain++;
		}
		if (length === columns.length || (isSimilar(sibling) && length * 2 >= columns.length))
			rows.push(sibling);
	}
	const explained = columns.reduce((sum, one) => sum + one.explained, 0);
	return { row, rows, columns, complete, certain, explained };
}

/** The list that contains all columns, and most rows. */
export async function bestFit(page: Page, columns: Candidates[]): Promise<Fit | undefined> {
	const fits: Array<NonNullable<Awaited<ReturnType<typeof fitOf>>>> = [];
	const tried = new Set<Element>();
	const starts = [...columns[0].values.keys()]
		.map((index) => ({ index, lists: columns.map(({ found }) => found[index]).filter(isFound) }))
		.sort((one, other) => other.lists.length - one.lists.length);
	for (const { index, lists } of starts.slice(0, STARTS)) {
		const [rarest = []] = [...lists].sort((one, other) => one.length - other.length);
		for (const seed of rarest.slice(0, SEEDS)) {
			await page.rest();
			for (const row of chainOf(seed)) {
				if (tried.has(row) || row.end - row.at > LARGEST) break;
				if (!lists.every((list) => list.some((one) => isIn(one, row)))) continue;
				tried.add(row);
				const fit = await fitOf(page, row, columns, index);
				if (fit && fit.complete > 1) fits.push(fit);
				// Rows that contain these rows are more complicated.
				if (fit && fit.complete > 2) break;
			}
		}
	}
	if (fits.length === 0) return undefined;
	const best = fits.reduce((one, other) => {
		if (other.explained !== one.explained) return other.explained > one.explained ? other : one;
		return other.certain > one.certain ? other : one;
	});
	// A short list with one of the values is most likely a menu.
	const few = columns.length > 1 ? 1 : 2;
	const rivals = fits.filter((one) => one.explained === best.explained && one.complete > few);
	const hasRival = rivals.some(({ row }) => !best.rows.some((own) => overlap(own, row)));
	return { ...best, hasRival };
}

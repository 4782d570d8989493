import { isIn, type Candidates, type Page } from './page';
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
	/** Whether the example is in several places of its row, which differ in other rows. */
	isAmbiguous: boolean;
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

/** Whether a path means the same in another row. Without a name, it does if its elements have the same structure. */
export function isCertain({ path, element, row }: Column, other: Element, top: Element): boolean {
	if (isNamed(path)) return isLike({ element, row }, other, top);
	const [chain, others] = [chainOf(element, row), chainOf(other, top)];
	const isPair = (one: Element, at: number) =>
		shares(one, others[at]) || one.kinds.length + others[at].kinds.length === 0;
	const { place, peers } = element;
	const isFirstOfMany = place === 1 && peers.length > 1;
	return (
		tagsOf(chain) === tagsOf(others) &&
		chain.every(isPair) &&
		(isFirstOfMany || peers.length === other.peers.length)
	);
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
	const tried: Array<Omit<Column, 'isAmbiguous'> & { score: number; read: string[] }> = [];
	const inRow = (row: Element, at: number) =>
		found[at].filter((one) => isIn(one, row)).map((element) => ({ element, row }));
	const own = inRow(start, index);
	const isElsewhere = own.length === 0;
	// Other rows have the other examples.
	for (let at = 0; isElsewhere && own.length < PLACES && at < values.length; at++) {
		await page.rest();
		own.push(...others.flatMap((row) => inRow(row, at)).slice(0, 1));
	}
	for (const { element, row } of own.slice(0, PLACES)) {
		const key = page.keyOf(element, attribute);
		for (const path of pathsTo(element, row)) {
			if (page.keyOf(page.first(row, path), attribute) !== key) continue;
			await page.rest();
			const read: string[] = [];
			let score = 0;
			for (const other of others) {
				const there = page.first(other, path);
				read.push(page.keyOf(there, attribute));
				if (there && read.at(-1)) score += isLike({ element, row }, there, other) ? 1 : -1;
			}
			const explained = wanted.filter((value) => value && [key, ...read].includes(value)).length;
			tried.push({ ...column, path, element, row, explained, score, read });
		}
	}
	if (tried.length === 0) return undefined;
	const best = tried.reduce((one, other) => {
		if (other.explained !== one.explained) return other.explained > one.explained ? other : one;
		return other.score > one.score * 1.25 + 0.5 ? other : one;
	});
	const isAmbiguous = tried.some(
		({ element, explained, score, read }) =>
			values[index] !== '' &&
			!isIn(element, best.element) &&
			!isIn(best.element, element) &&
			explained === best.explained &&
			score * 2 > best.score &&
			read.some((value, at) => value && best.read[at] && value !== best.read[at]),
	);
	return { ...best, isAmbiguous };
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
		.map((index) => ({ index, lists: columns.map(({ found }) => found[index]) }))
		.map(({ index, lists }) => ({ index, lists: lists.filter(({ length }) => length > 0) }))
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
	const isSeparate = ({ row }: Pick<Fit, 'row'>) =>
		!best.rows.some((own) => isIn(own, row) || isIn(row, own));
	// A short list with one of the values is most likely a menu.
	const isRival = (fit: (typeof fits)[number]) =>
		fit.explained === best.explained &&
		fit.complete > (columns.length > 1 ? 1 : 2) &&
		isSeparate(fit);
	return { ...best, hasRival: fits.some(isRival) };
}

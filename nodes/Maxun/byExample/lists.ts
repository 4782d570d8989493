import { columnBy, placesOf } from './columns';
import { judge, type Column, type Judged } from './judge';
import { isAkinAround, shapeOf, shares } from './kinds';
import {
	isFound,
	isIn,
	overlap,
	sampleOf,
	thoseIn,
	type Candidates,
	type Page,
} from '../html/page';
import type { Element } from '../html/reader';
import { chainOf } from '../html/selectors';

/** A list of rows, and how to reach their columns. */
export interface Fit {
	row: Element;
	rows: Element[];
	columns: Column[];
	hasRival: boolean;
}

const SAMPLE = 30;
/** How many places of a value on the page to try, and how many examples to start from. */
const [SEEDS, STARTS] = [30, 3];
const LARGEST = 1000;

/** Elements that could be rows of the same list: the largest group first. */
async function rowGroups(page: Page, row: Element): Promise<Element[][]> {
	const known = new Map<Element, boolean>([[row, true]]);
	const isAlike = (one: Element, other: Element): boolean => {
		if (one === other) return true;
		const [above, around] = [one.parent, other.parent];
		const found = known.get(one);
		if (found !== undefined || !above || !around) return found ?? false;
		const result = (other === row || isAkinAround(one, other)) && isAlike(above, around);
		known.set(one, result);
		return result;
	};
	const alike = await page.filter(row.trail, (one) => isAlike(one, row));
	const groups = [alike, row.peers];
	for (const name of row.kinds)
		groups.push(await page.filter(alike, ({ classes }) => classes.includes(name)));
	const isNew = ({ length, 0: first }: Element[], at: number) =>
		length > 1 && groups.findIndex((other) => other.length === length && other[0] === first) === at;
	return groups.filter(isNew).sort((one, other) => other.length - one.length);
}

interface Scored {
	row: Element;
	group: Element[];
	columns: Column[];
	explained: number;
	/** How many rows have all columns, and how many have two of them. */
	complete: number;
	repeated: number;
	/** How many rows are filled, which may be a fraction. Cells of rows don't count. */
	filled: number;
	/** The score of the list: its rows, minus the doubts about it. */
	score: number;
}

async function scored(
	page: Page,
	row: Element,
	group: Element[],
	given: Candidates[],
	index: number,
): Promise<Scored | undefined> {
	const lists = given.flatMap(({ found }) => found);
	const examples = await page.filter(group, (one) =>
		lists.some((list) => thoseIn(list, one).length > 0),
	);
	const spread = sampleOf(group, SAMPLE);
	const sample = [...new Set([...examples.slice(0, SAMPLE), ...spread])];
	const columns: Column[] = [];
	const beside: Element[] = [];
	for (const column of given) {
		const places = placesOf(column, index, row, sample, beside);
		const best = await columnBy(page, column, places, sample);
		if (!best) return undefined;
		columns.push(best);
		if (column.attribute === 'innerText' && best.row === row) beside.push(best.element);
	}
	const judged = await judge(page, spread, columns);
	const isCell = cellness(group);
	const scale = group.length / spread.length;
	const sum = (of: (one: Judged) => number) =>
		judged.reduce((all, one) => all + of(one), 0) * scale;
	return {
		row,
		group,
		columns,
		explained: columns.reduce((all, one) => all + one.explained, 0),
		complete: sum(({ share }) => Number(share === 1)),
		repeated: sum(({ share }) => Number(share * given.length >= Math.min(2, given.length))),
		filled: sum(({ share }) => (share > 0.5 ? share : 0) * (1 - isCell)),
		score: sum((one) => worth(one, row) - isCell),
	};
}

const worth = ({ row, share, doubts }: Judged, example: Element) => {
	if (share === 1) return Number(doubts.every((doubt) => !doubt));
	return share === 0 && shares(row, example) ? 0 : share - (share === 0 ? 1 : 0.5);
};

const CELLS = 300;

/** How much an element's kind depends on its place among its siblings: 1 in the cells of a table, 0 in rows. */
function cellness(group: Element[]): number {
	const found = group.slice(0, CELLS).map((element) => {
		const [top = element] = chainOf(element).filter(({ peers }) => peers.length > 1);
		const kind = `${top.kinds.join(' ')} ${lookOf(element)}`;
		return { inside: top.parent?.at, across: top.place, kind };
	});
	const share = (by: 'inside' | 'across') => {
		const all = pairsOf(found.map((one) => `${one[by]}`));
		return all && pairsOf(found.map((one) => `${one[by]} ${one.kind}`)) / all;
	};
	return Math.max(0, share('across') - share('inside'));
}

function pairsOf(texts: string[]): number {
	const counts = new Map<string, number>();
	for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
	return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
}

/** What an element looks like: its classes, its children's tags, and the shape of its text. */
function lookOf({ kinds, families, key }: Element): string {
	const shape = shapeOf(key);
	const text = shape === '' && key !== '' ? 'text' : shape;
	return [...kinds, ...families.keys(), text].join(' ');
}

/** An element that may be a row, the elements that may be the other rows, and the example that it contains. */
interface Candidate {
	row: Element;
	group: Element[];
	index: number;
}

/** All elements that contain an example of each column, and repeat. */
async function candidatesOf(page: Page, columns: Candidates[]): Promise<Candidate[]> {
	const all: Candidate[] = [];
	const tried = new Set<Element>();
	const count = Math.max(...columns.map(({ values }) => values.length));
	const starts = Array.from({ length: count }, (_, index) => ({
		index,
		lists: columns.map(({ found }) => found[index] ?? []).filter(isFound),
	})).sort((one, other) => other.lists.length - one.lists.length);
	for (const { index, lists } of starts.slice(0, STARTS)) {
		const [rarest = []] = [...lists].sort((one, other) => one.length - other.length);
		for (const seed of rarest.slice(0, SEEDS)) {
			for (const row of chainOf(seed)) {
				await page.rest();
				if (tried.has(row) || row.end - row.at > LARGEST) break;
				if (!lists.every((list) => thoseIn(list, row).length > 0)) continue;
				tried.add(row);
				for (const group of await rowGroups(page, row)) all.push({ row, group, index });
			}
		}
	}
	return all.sort((one, other) => other.group.length - one.group.length);
}

/** The best list that contains all columns. */
export async function bestFit(page: Page, columns: Candidates[]): Promise<Fit | undefined> {
	const fits: Scored[] = [];
	let best: Scored | undefined;
	const values = columns.flatMap(
		(one) => new Set(one.values.filter((value, at) => value && isFound(one.found[at]))).size,
	);
	const most = values.reduce((sum, size) => sum + size, 0);
	for (const { row, group, index } of await candidatesOf(page, columns)) {
		const isSettled = best && best.explained >= most && best.group.some((own) => overlap(own, row));
		if (best && isSettled && group.length < best.score) continue;
		const fit = await scored(page, row, group, columns, index);
		if (!fit) continue;
		const around = fits.filter((one) => isIn(one.row, row)).map((one) => one.filled);
		fit.score -= around.reduce((most, filled) => Math.max(most, filled), fit.filled) - fit.filled;
		fits.push(fit);
		if (fit.repeated < 2) continue;
		if (!best || beats(fit, best)) best = fit;
	}
	if (!best) return undefined;
	const { row, group, columns: found, explained } = best;
	const rows = await page.filter(group, (one) => found.some((column) => page.filled(one, column)));
	// A short list with one of the values is most likely a menu.
	const few = columns.length > 1 ? 1 : 2;
	const isElsewhere = ({ row }: Scored) => !group.some((own) => overlap(own, row));
	const hasRival = fits.some(
		(one) => one.explained === explained && one.complete > few && isElsewhere(one),
	);
	return { row, rows, columns: found, hasRival };
}

/** If two lists are equally good, the outer list may have more of each row. */
function beats(one: Scored, other: Scored): boolean {
	if (one.explained !== other.explained) return one.explained > other.explained;
	if (one.score !== other.score || one.row === other.row) return one.score >= other.score;
	return one.group.length === other.group.length && isIn(other.row, one.row);
}

import { listBy } from '../byExample/induce';
import { isFormer } from '../byExample/kinds';
import { Page } from '../html/page';
import { readElements, type Element } from '../html/reader';
import { mapInTurns, type Rest } from '../http/concurrency';
import { counted } from '../http/text';
import type { Capture } from '../servers/definition';
import { foundColumns, type FoundColumn } from './columns';
import { groupsOf, spotsOf } from './groups';
import { columnNames } from './names';
import { alternates, ranked, type Ranked } from './rank';
import { isImage } from './slots';
import { thingIn, type Thing } from '../html/thing';

/** A list on a page, with the selectors that read it. */
export interface FoundList {
	rowSelector: string;
	/** At most 12, the most useful first. */
	columns: Capture[];
	rows: Array<Record<string, string>>;
	/** Why it may not be the list that people want, as a short clause. */
	doubt?: string;
	isMenu: boolean;
}

export interface FoundPage {
	/** At most 5, the best first. */
	lists: FoundList[];
	thing?: Thing;
	/** Whether the page is about the thing rather than a list. */
	isThing: boolean;
}

/** How many lists to return, and how many columns of each. */
const [MOST_LISTS, MOST_COLUMNS] = [5, 12];

/** The lists of a page, and what it declares about its subject. @param url the page's address */
export async function findOn(html: string, url: string, rest: Rest): Promise<FoundPage> {
	const page = new Page(await readElements(html, rest), url, rest);
	const chosen = await separate(page, await rankedOn(page));
	const lists: FoundList[] = [];
	for (const one of chosen) lists.push(...(await foundLists(page, one)));
	const about = await thingIn(page);
	const isThing = about !== undefined && (chosen[0]?.share ?? 0) <= about.mostRelated;
	return { lists, thing: about?.thing, isThing };
}

async function rankedOn(page: Page): Promise<Ranked[]> {
	const spots = await spotsOf(page);
	const all: Ranked[] = [];
	for (const group of await groupsOf(page, spots)) {
		const one = await ranked(page, spots, group);
		if (one) all.push(one);
	}
	for (const list of all) {
		await page.rest();
		const rows = new Set(list.rows);
		const places = list.sample.map((row) => list.rows.indexOf(row));
		const isMixed = list.slots.some(({ cells }) => alternates(places, (at) => cells.has(at)));
		const isPart = ({ rows: own }: Ranked) =>
			own.length < rows.size && own.every((row) => rows.has(row));
		// Rows of one kind are more likely.
		if (isMixed && all.some(isPart)) list.score *= 0.05;
	}
	return all;
}

/** The best lists that aren't parts of each other. */
async function separate(page: Page, all: Ranked[]): Promise<Ranked[]> {
	const chosen: Ranked[] = [];
	for (const one of all.sort((first, second) => second.score - first.score)) {
		if (chosen.length === MOST_LISTS) break;
		let isPart = false;
		for (const { rows } of chosen)
			isPart ||=
				(await isMostlyIn(page, one.rows, rows)) || (await isMostlyIn(page, rows, one.rows));
		if (!isPart) chosen.push(await wholeOf(page, one, all));
	}
	return chosen;
}

/** The same list with its rows in closed tabs, if these rows fill as many columns. */
async function wholeOf(page: Page, list: Ranked, all: Ranked[]): Promise<Ranked> {
	let whole = list;
	for (const one of all) {
		if (one.rows.length <= whole.rows.length || one.columns <= list.columns * 0.9) continue;
		const isIn = await page.among(one.rows, (row) => [row]);
		if ((await page.filter(list.rows, isIn)).length === list.rows.length) whole = one;
	}
	return whole;
}

/** Whether most elements are in or around other elements, but not all in the same. Both are in the page's order. */
async function isMostlyIn(page: Page, elements: Element[], others: Element[]): Promise<boolean> {
	let at = 0;
	const around = new Set<Element>();
	const shared = await page.filter(elements, (element) => {
		while (others[at]?.end <= element.at) at++;
		return others[at]?.at < element.end && around.add(others[at]);
	});
	return shared.length * 2 > elements.length && around.size > 1;
}

/** What a list's selectors read; empty if they don't read a list. */
async function foundLists(page: Page, list: Ranked): Promise<FoundList[]> {
	const columns = (await foundColumns(page, list)).slice(0, MOST_COLUMNS);
	const rows = await page.filter(
		list.rows,
		(row) =>
			columns.filter((column) => page.filled(row, column)).length > Math.min(1, columns.length / 4),
	);
	if (rows.length < 2) return [];
	const fit = { row: list.sample[0], rows, columns, hasRival: false };
	const read = await listBy(page, fit, true);
	const names = columnNames(page, columns, list);
	const found = {
		...{ rowSelector: read.rowSelector, isMenu: list.isMenu },
		columns: read.columns.map(({ selector, attribute }, at) => ({
			...{ name: names[at], selector, attribute },
		})),
		rows: await mapInTurns(read.rows, page.rest, (row) =>
			Object.fromEntries(columns.map(({ name }, at) => [names[at], row[name]])),
		),
	};
	const doubts = read.columns.flatMap(({ doubtful, doubts: count, attribute }, at) =>
		doubtful !== undefined && columns[at].from.kind !== 'Text' && attribute === 'innerText'
			? [`'${names[at]}' may have a wrong value in ${counted(count, 'row')}, such as '${doubtful}'`]
			: [],
	);
	for (const [at, { from, path, attribute }] of columns.entries()) {
		const isMissing = (row: Element) => {
			const picture = page.first(row, path);
			return picture && !isImage(picture.attributes[attribute]);
		};
		const missing = from.kind === 'Image' ? (await page.filter(rows, isMissing)).length : 0;
		if (missing > 0)
			doubts.push(`'${names[at]}' is empty or a placeholder in ${counted(missing, 'row')}`);
	}
	const isPrice = ({ from, element, row }: FoundColumn) =>
		from.kind === 'Price' && !isFormer(element, row);
	const [price, ...prices] = names.filter((_, at) => isPrice(columns[at]));
	doubts.push(...prices.map((other) => `the price may be '${other}' instead of '${price}'`));
	return [{ ...found, doubt: doubtOf(found, doubts, read.outside.rows) }];
}

const [MOST_EMPTY, MOST_COMPARED] = [0.3, 40];

function doubtOf({ rows, columns, isMenu }: FoundList, doubts: string[], outside: number) {
	const [{ name }] = columns;
	const empty = rows.filter((row) => row[name] === '').length;
	const places = [...rows.keys()].slice(0, MOST_COMPARED);
	const mixed = columns.find((one) => alternates(places, (at) => rows[at][one.name] !== ''));
	const all = [
		rows.length < 3 && `the list has only ${counted(rows.length, 'row')}`,
		isMenu && 'the list may be a menu',
		empty > rows.length * MOST_EMPTY && `'${name}' is empty in ${counted(empty, 'row')}`,
		mixed && `rows of two kinds may alternate, because only some have '${mixed.name}'`,
		outside > 0 && `the page has ${counted(outside, 'more row')} of this kind`,
		...doubts,
	];
	return all.filter(Boolean).join('; ') || undefined;
}

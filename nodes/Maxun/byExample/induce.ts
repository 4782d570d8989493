import type { Rest } from '../http/concurrency';
import { escaped } from '../http/redaction';
import type { Capture, Example } from '../servers/definition';
import { bestFit, isCertain, type Column, type Fit } from './fit';
import { isFound, isIn, overlap, Page, type Candidates } from './page';
import { isRaw, keyOf, readElements, type Element } from './reader';
import { chainOf, matches, pathsTo } from './selectors';

export interface InducedColumn extends Capture {
	/** Whether its element contains more than the example. */
	isLonger: boolean;
	/** A value that may be another column's, or a part of one. */
	doubtful?: string;
}

/** What examples stand for. */
export interface Induced {
	/** Undefined if nothing repeats. */
	list?: Awaited<ReturnType<typeof listBy>>;
	/** What doesn't repeat. */
	fields: InducedColumn[];
}

/** Why the examples stand for nothing. */
export type NotInduced =
	/** Columns without any value on the page, with the most similar texts. */
	| { missing: Array<{ name: string; similar: string[] }> }
	/** A column whose value is in another row than those of the others. */
	| { elsewhere: string };

/** Finds the list to which examples belong, and selectors that last. @param url the page's address */
export async function induce(
	html: string,
	url: string,
	examples: Example[],
	rest: Rest,
): Promise<Induced | NotInduced> {
	const page = new Page(await readElements(html, rest), url, rest);
	const candidates = async (orMore: boolean) =>
		await Promise.all(examples.map(async (column) => await page.candidates(column, orMore)));
	let columns = await candidates(false);
	const isMissing = ({ found }: Candidates) => !found.some(isFound);
	const repeated = () => columns.filter(({ isSingle }) => !isSingle);
	let fit = columns.some(isMissing) ? undefined : await bestFit(page, repeated());
	if (!fit) {
		columns = await candidates(true);
		const similar = async ({ name, values }: Candidates) => ({
			name,
			similar: await page.similarTo(values[0]),
		});
		const missing = await Promise.all(columns.filter(isMissing).map(similar));
		if (missing.length > 0) return { missing };
		fit = await fitOfMost(page, repeated());
	}
	const isInList = ({ name }: Example) => fit?.columns.some((column) => column.name === name);
	const single = columns.filter((column) => column.isSingle || !isInList(column));
	const rows = new Set(fit?.rows);
	const isInRow = (element: Element) => chainOf(element).some((one) => rows.has(one));
	const elsewhere = single.find(({ found, isSingle }) => !isSingle && found.flat().every(isInRow));
	if (elsewhere) return { elsewhere: elsewhere.name };
	// One column that repeats may be part of a menu.
	const isList = fit && (single.every(({ isSingle }) => isSingle) || fit.columns.length > 1);
	const captured = (isList ? single : columns).map(async (column) =>
		column.isSingle ? await buttonOf(page, column, html) : await fieldOf(page, column),
	);
	const fields = await Promise.all(captured);
	return { list: fit && isList ? await listBy(page, fit) : undefined, fields };
}

/** The list with most of the columns. */
async function fitOfMost(page: Page, columns: Candidates[]): Promise<Fit | undefined> {
	const all = await bestFit(page, columns);
	if (all || columns.length === 1) return all;
	let most: Candidates[] = [];
	for (const base of columns) {
		const group = [base];
		for (const other of columns) {
			if (other !== base && (await bestFit(page, [base, other]))) group.push(other);
		}
		if (group.length > most.length) most = group;
	}
	return await bestFit(page, most);
}

/** A list with its selectors, and what they read. */
export async function listBy(page: Page, fit: Fit) {
	const { columns: all, hasRival } = fit;
	const { css: selector, rows: elements } = await rowSelector(page, fit);
	const rows: Array<Record<string, string>> = [];
	const doubtful = new Map<Column, string>();
	for (const row of elements) {
		await page.rest();
		const read = all.map((column) => page.filled(row, column));
		const cells = all.map((column, at) => {
			const own = read[at];
			if (!own) return [column.name, ''];
			const isShared = read.some((one, index) => overlap(own, one) && isBeside(column, all[index]));
			const value = page.valueOf(own, column.attribute);
			if (isShared || column.disputed.includes(own) || !isCertain(column, own, row))
				doubtful.set(column, doubtful.get(column) ?? value);
			return [column.name, value];
		});
		rows.push(Object.fromEntries(cells));
	}
	const columns = all.map((column) => ({
		...{ name: column.name, selector: column.path.css, attribute: column.attribute },
		doubtful: doubtful.get(column),
		isLonger:
			column.attribute === 'innerText' && !column.values.map(keyOf).includes(column.element.key),
	}));
	return { rowSelector: selector, elements, columns, rows, hasRival };
}

/** Whether two columns are at different places of the examples' row. */
const isBeside = (one: Column, other: Column) =>
	one.row === other.row &&
	one.attribute === other.attribute &&
	!overlap(one.element, other.element);

/** A selector that selects a list's rows and as few other elements as possible, and what it selects. */
async function rowSelector(page: Page, { row, rows, columns }: Fit) {
	const [root] = page.elements;
	const wanted = new Set(rows);
	const same = await page.filter(page.elements, ({ tag }) => tag === row.tag);
	let best = { css: '', rows: [] as Element[], cost: Infinity };
	const judge = (css: string, selected: Element[]) => {
		const others = selected.filter((element) => !wanted.has(element)).length;
		const cost = (rows.length - (selected.length - others)) * 3 + others;
		if (cost < best.cost) best = { css, rows: selected, cost };
	};
	for (const path of pathsTo(row, root, rows)) {
		if (best.cost === 0) return best;
		judge(path.css, await page.filter(same, (element) => matches(path, element, root)));
	}
	for (const { path } of columns.filter((column) => column.path.css)) {
		const filled = await page.filter(best.rows, (element) => page.first(element, path));
		judge(`${best.css}:has(${path.css})`, filled);
	}
	return best;
}

/** The most lasting selector whose first element is right. */
async function selectorOf(page: Page, element: Element, isRight: (first?: Element) => boolean) {
	const [root] = page.elements;
	for (const path of pathsTo(element, root)) {
		await page.rest();
		if (isRight(page.first(root, path))) return path.css;
	}
	return '';
}

/** A selector for a value that doesn't repeat. */
async function fieldOf(page: Page, { name, attribute, values, found }: Candidates) {
	const [element, ...others] = found.flat();
	const own = page.keyOf(element, attribute);
	const isOwn = (other?: Element) => page.keyOf(other, attribute) === own;
	return {
		...{ name, attribute, selector: await selectorOf(page, element, isOwn) },
		isLonger: attribute === 'innerText' && !values.map(keyOf).includes(own),
		doubtful: others.some((other) => isOwn(other) && !isIn(other, element)) ? values[0] : undefined,
	};
}

/**
 * A selector for the button or link with a text, or around it. Previous and next pages often have buttons of the same
 * kind, so the selector contains the text, unless the text may change with each click, or Maxun would split it.
 */
async function buttonOf(page: Page, column: Candidates, html: string): Promise<InducedColumn> {
	const elements = column.found.flat();
	const around = elements.flatMap((element) => chainOf(element));
	const button = [...elements, ...around].find(isClickable) ?? elements.at(-1) ?? page.elements[0];
	const { tag, text } = button;
	// XPath compares what is in the HTML, not what is visible.
	const inside = page.elements.slice(button.at + 1, button.end);
	const isAlone = inside.every((one) => one.text === text || (one.text === '' && !isRaw(one)));
	const isWritten = new RegExp(escaped(text).replaceAll(' ', '[ \\t\\r\\n]+')).test(html);
	const isFirst = page.elements.find((one) => one.tag === tag && one.text === text) === button;
	const selector =
		isAlone && isWritten && isFirst && !/[\d"',]/.test(text)
			? `//${tag}[normalize-space()='${text}']`
			: await selectorOf(page, button, (first) => first === button);
	return { ...(await fieldOf(page, column)), selector };
}

const isClickable = ({ tag, attributes: { role } }: Element) =>
	/^(a|button|input|summary)$/.test(tag) || role === 'button';

import type { Rest } from '../http/concurrency';
import { escaped } from '../http/redaction';
import type { Capture, Example } from '../servers/definition';
import { judge, type Judged } from './judge';
import { shares } from './kinds';
import { bestFit, type Fit } from './lists';
import { isFound, isIn, Page, sampleOf, type Candidates } from '../html/page';
import { isHeader, isRaw, keyOf, readElements, type Element } from '../html/reader';
import { chainOf, matches, pathsTo } from '../html/selectors';

interface InducedColumn extends Capture {
	/** Whether its element contains more than the example. */
	isLonger: boolean;
	/** A value that may be another column's value, or a part of it. */
	doubtful?: string;
}

/** What examples stand for. */
export interface Induced {
	list?: Awaited<ReturnType<typeof listBy>>;
	fields: InducedColumn[];
}

/** Why the examples don't stand for anything. */
export type NotInduced =
	/** Columns without any value on the page, with the most similar texts. */
	| { missing: Array<{ name: string; similar: string[] }> }
	/** A column whose value is in a different row than the other values. */
	| { elsewhere: string }
	/** A column whose text has no link or picture. */
	| { unlinked: string };

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
		const unlinked = columns.find((column) => isMissing(column) && column.isText);
		if (unlinked) return { unlinked: unlinked.name };
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
		column.isSingle ? await buttonOf(page, column, html) : await oneField(page, column),
	);
	const fields = await Promise.all(captured);
	return { list: fit && isList ? await listBy(page, fit) : undefined, fields };
}

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

/** A list with its selectors, what they read, and the doubts about it. */
export async function listBy(page: Page, fit: Fit, isStrict = false) {
	const { columns: all, hasRival } = fit;
	const { css, rows: elements } = await rowSelector(page, fit);
	const judged = await page.filter(await judge(page, elements, all, isStrict), ({ cells }) =>
		cells.some(Boolean),
	);
	const outside = await outsideOf(page, fit, judged);
	const valueAt = (element: Element | undefined, at: number) =>
		element ? page.valueOf(element, all[at].attribute) : '';
	const rows: Array<Record<string, string>> = [];
	for (const { cells } of judged) {
		await page.rest();
		rows.push(Object.fromEntries(all.map(({ name }, at) => [name, valueAt(cells[at], at)])));
	}
	const columns = [];
	for (const [at, column] of all.entries()) {
		const doubts = await page.filter(judged, ({ doubts: { [at]: doubt } }) => doubt);
		const wrong = doubts.find(({ cells }) => cells[at]) ?? doubts[0];
		const value = wrong && valueAt(wrong.cells[at] ?? wrong.doubts[at], at);
		columns.push({
			name: column.name,
			selector: column.path.css,
			attribute: column.attribute,
			doubtful: value,
			doubts: doubts.length,
			isLonger:
				column.attribute === 'innerText' && !column.values.map(keyOf).includes(column.element.key),
		});
	}
	const unlike = judged.filter(({ share }) => share * 2 < 1).length;
	return {
		rowSelector: css,
		elements: judged.map(({ row }) => row),
		columns,
		rows,
		hasRival,
		outside,
		unlike,
	};
}

/** Elements of the rows' kind that are not read, and one of their values. */
async function outsideOf(page: Page, { row, columns }: Fit, rows: Judged[]) {
	const [first = row, last = row] = [rows[0]?.row, rows.at(-1)?.row];
	const list = chainOf(row).find((one) => isIn(first, one) && isIn(last, one));
	const isOwn = await page.among(rows, (one) => [one.row]);
	const isRead = await page.among(rows, ({ cells }) => cells);
	const isOutside = (one: Element) =>
		one.tag === row.tag &&
		!isOwn(one) &&
		(shares(one, row) || one.trail === row.trail || (list !== undefined && isIn(one, list)));
	const judged = await judge(page, await page.filter(page.elements, isOutside), columns);
	const found = judged.filter(
		({ share, doubts, cells }) => share === 1 && !doubts.some(Boolean) && !cells.some(isRead),
	);
	const [value = ''] = found.map(({ cells: [cell] }) => cell?.text);
	return { rows: found.length, places: new Set(found.map((one) => one.row.parent)).size, value };
}

/** How many elements and rows to look at for a selector. All elements are always tried last. */
const [EFFORT, SAMPLE] = [2_000_000, 1000];

/** A selector that selects a list's rows and as few other elements as possible, and what it selects. */
async function rowSelector(page: Page, { row, rows, columns }: Fit) {
	const [root] = page.elements;
	const isWanted = await page.among(rows, (one) => [one]);
	const same = await page.filter(page.elements, ({ tag }) => tag === row.tag);
	let best = { css: '', rows: [] as Element[], cost: Infinity };
	const paths = [...pathsTo(row, root, page.namesOf, sampleOf(rows, SAMPLE))];
	const most = Math.ceil(EFFORT / same.length);
	for (const path of [...paths.slice(0, most), ...paths.slice(most).slice(-1)]) {
		const selected = await page.filter(same, (element) => matches(path, element, root));
		const others = await page.filter(selected, (element) => !isWanted(element));
		const lost = rows.length - selected.length + others.length;
		const cost = lost * 3 + others.length;
		if (cost < best.cost) best = { css: path.css, rows: selected, cost };
		if (cost === 0) break;
	}
	const isData = (one: Element) =>
		isHeader(row) || !isHeader(one) || !columns.some((column) => page.filled(one, column));
	const data = await page.filter(best.rows, isData);
	if (data.length < best.rows.length) best = { ...best, css: `${best.css}:has(td)`, rows: data };
	return best;
}

async function selectorOf(page: Page, element: Element, isRight: (first?: Element) => boolean) {
	const [root] = page.elements;
	for (const path of pathsTo(element, root, page.namesOf)) {
		await page.rest();
		if (isRight(page.first(root, path))) return path.css;
	}
	return '';
}

async function oneField(page: Page, { name, attribute, values, found }: Candidates) {
	const [element, ...others] = found.flat();
	const own = page.keyOf(element, attribute);
	const isOwn = (other?: Element) => page.keyOf(other, attribute) === own;
	return {
		name,
		attribute,
		selector: await selectorOf(page, element, isOwn),
		isLonger: attribute === 'innerText' && !values.map(keyOf).includes(own),
		doubtful: others.some((other) => isOwn(other) && !isIn(other, element)) ? values[0] : undefined,
	};
}

/**
 * A selector for the button or link with a text, or around it. Previous and next pages often have similar buttons, so
 * the selector contains the text. It doesn't if the text may change with each click, or if Maxun would split it.
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
	return { ...(await oneField(page, column)), selector };
}

const isClickable = ({ tag, attributes: { role } }: Element) =>
	/^(a|button|input|summary)$/.test(tag) || role === 'button';

import type { IDataObject } from 'n8n-workflow';
import type { Rest } from '../http/concurrency';
import { counted, quoted } from '../http/text';
import { datesOf } from '../results/dates';
import { numbersOf } from '../results/numbers';
import type { Capture, ReadList } from '../servers/definition';
import { listBy } from './induce';
import { bestFit } from './lists';
import { isFound, Page, sampleOf, type Candidates } from '../html/page';
import { keyOf, readElements, type Element } from '../html/reader';

/** How many of the last rows to look for, and how many of them are examples. */
const [MOST_ROWS, MOST_EXAMPLES] = [100, 30];
/** How many of the last rows, and what share of their values, must be read as before. */
const [FEWEST_ROWS, LEAST_SHARE] = [3, 0.6];
/** How many rows are enough to see how many cells of a column are empty, numbers or dates. */
const MOST_SAMPLES = 1000;
/** How much the share of empty cells, numbers and dates in a column may differ. */
const TOLERANCE = 0.25;

/**
 * New selectors for a list of a page that has changed, found by the rows that the robot has read before. Columns whose
 * values are no longer on the page are unknown, and keep their selectors.
 *
 * @returns why there are none, if it isn't certain that all columns keep their meaning
 */
export async function repairOf(
	list: ReadList,
	lastRows: IDataObject[],
	html: string,
	url: string,
	rest: Rest,
): Promise<{ list: ReadList; unknown: string[] } | string> {
	const page = new Page(await readElements(html, rest), url, rest);
	const examples = await examplesOn(page, list, lastRows.slice(0, MOST_ROWS));
	const known = examples.filter(({ found }) => found.filter(isFound).length >= FEWEST_ROWS);
	const others = list.columns.filter(({ name }) => known.every((one) => one.name !== name));
	const unknown = others.map(({ name }) => name);
	if (examples.length === 0) return 'the robot does not name its columns';
	if (unknown.length > known.length || known.length === 0) return lacking(unknown);
	const fit = await bestFit(page, known);
	if (!fit) return 'the earlier values are not in a list of the page';
	if (fit.hasRival) return 'several lists of the page contain the earlier values';
	const { rowSelector, columns, rows, elements, outside } = await listBy(page, fit, true);
	if (outside.rows > 0)
		return `the page has ${counted(outside.rows, 'more row')} of this kind, such as ${quoted([outside.value])}`;
	const isFew = rows.length * 2 < lastRows.length && !list.isPaged;
	if (isFew) return `only ${rows.length} of ${counted(lastRows.length, 'row')} remain`;
	const agreed = await agreement(page, known, rows, elements);
	const doubtful: string[] = [];
	for (const [index, { name, doubtful: doubt, isLonger }] of columns.entries()) {
		const { read, found, isElsewhere } = agreed[index];
		const [before, after] = [lastRows, rows].map((all) => profile(all, name, known));
		const isUsual = before.every((share, at) => Math.abs(share - after[at]) <= TOLERANCE);
		const isRead = read >= FEWEST_ROWS && read >= found * LEAST_SHARE && !isElsewhere;
		const isCertain = isRead && isUsual && doubt === undefined && !isLonger;
		if (!isCertain) doubtful.push(name);
	}
	if (doubtful.length > 0) return `it is not certain where ${quoted(doubtful)} is now`;
	// In other rows, a selector without a name could read another column.
	const hasName = ({ selector }: Capture) => /[.#[]/.test(selector);
	if (rowSelector !== list.rowSelector && !others.every(hasName)) return lacking(unknown);
	const repaired = list.columns.map((column) => {
		const { selector } = columns.find(({ name }) => name === column.name) ?? column;
		return { ...column, selector };
	});
	return { list: { ...list, rowSelector, columns: repaired }, unknown };
}

export const lacking = (names: string[]) =>
	`the page contains fewer than ${counted(FEWEST_ROWS, 'earlier value')} of ${quoted(names)}`;

async function examplesOn(page: Page, { columns }: ReadList, rows: IDataObject[]) {
	const all: Candidates[] = [];
	for (const { name, attribute } of columns) {
		const values = rows.map((row) => page.absolute(String(row[name] ?? ''), attribute));
		all.push(await page.candidates({ name, attribute, values }, false));
	}
	const known = (at: number) =>
		all.filter(({ values, found }) => values[at] !== '' && isFound(found[at])).length;
	const best = [...rows.keys()].sort((one, other) => known(other) - known(one));
	const chosen = best.slice(0, MOST_EXAMPLES);
	return all.map(({ values, found, ...column }) => ({
		...column,
		values: chosen.map((at) => values[at]),
		// An empty link would stand for any link.
		found: chosen.map((at) => (values[at] === '' ? [] : found[at])),
	}));
}

/**
 * For each column, how many of its values on the page are read from their rows, and whether a value is elsewhere in
 * its row. A row is identified by its values, unless several rows match equally well. If the rows are cells, such as
 * amounts and names, all values are elsewhere.
 */
async function agreement(
	page: Page,
	examples: Candidates[],
	rows: Array<Record<string, string>>,
	elements: Element[],
) {
	const keys: string[][] = [];
	for (const row of rows) {
		await page.rest();
		keys.push(examples.map(({ name }) => keyOf(row[name])));
	}
	const wanted = examples.map(({ values }) => values.map(keyOf));
	const result = examples.map(() => ({ read: 0, found: 0, isElsewhere: false }));
	const known = new Set<Element>();
	for (const at of examples[0].values.keys()) {
		await page.rest();
		const scores = keys.map(
			(row) => row.filter((key, index) => key !== '' && key === wanted[index][at]).length,
		);
		const best = scores.reduce((one, other) => Math.max(one, other), 0);
		if (best === 0 || scores.filter((score) => score === best).length > 1) continue;
		const row = scores.indexOf(best);
		known.add(elements[row]);
		for (const [index, { found, attribute }] of examples.entries()) {
			const own = wanted[index][at];
			if (own === '' || !isFound(found[at])) continue;
			result[index].found++;
			if (keys[row][index] === own) result[index].read++;
			else if (inside(page, elements[row]).some((other) => page.keyOf(other, attribute) === own))
				result[index].isElsewhere = true;
		}
	}
	const parents = new Set([...known].map(({ parent }) => parent));
	const beside = elements.filter(({ parent }) => parents.has(parent)).length;
	const isAtOnePlace = new Set([...known].map(({ place }) => place)).size === 1;
	const areCells = isAtOnePlace && parents.size === known.size && beside >= known.size * 2;
	return areCells ? result.map((one) => ({ ...one, isElsewhere: true })) : result;
}

const inside = ({ elements }: Page, { at, end }: Element) => elements.slice(at + 1, end);

/** The shares of a column's cells with a value, a number, a date, and the value of each other column. */
function profile(all: IDataObject[], name: string, columns: Candidates[]): number[] {
	const sample = sampleOf(all, MOST_SAMPLES);
	const values = sample.map((row) => row[name]);
	const filled = values.filter((value) => typeof value === 'string' && value.trim() !== '');
	const shares = [numbersOf(filled).numbers, datesOf(filled, {})].map(
		(read) => read.filter((value) => value !== null).length / Math.max(filled.length, 1),
	);
	const same = columns.map((other) =>
		values.filter((value, at) => value && value === sample[at][other.name]),
	);
	const counts = [filled, ...same].map(({ length }) => length / Math.max(values.length, 1));
	return [...counts, ...shares];
}

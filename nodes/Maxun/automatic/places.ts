import type { Page } from '../byExample/page';
import type { Element } from '../byExample/reader';
import { mean, type Spot } from './groups';
import { kindOf, type Kind } from './valueKinds';

// The values of rows, and the places in a row that most rows fill.

/** A value in a row. */
interface Cell {
	/** Its place in the row. */
	place: string;
	attribute: string;
	value: string;
	/** The innermost element with the value, and the outermost one. */
	element: Element;
	top: Element;
}

/** What may be a column: the values of a place in a sample of rows. */
export interface Place {
	/** The tags and classes to it, the attribute, and a number if a row has several such places. */
	key: string;
	attribute: string;
	/** For each row of the sample, by its number. */
	cells: Map<number, Cell>;
	kind: Kind;
	/** Which part of the rows has a value, and how many of the values differ. */
	fill: number;
	distinct: number;
	/** Of a value, on average. */
	length: number;
	/** Whether it is in a heading. */
	isHeading: boolean;
}

/** How many values of the same kind in a row are places of their own. */
const MOST_PEERS = 4;
/** How many places of a row to compare. */
const MOST_PLACES = 100;

const isLink = (href = '') => !/^\s*(?:#|javascript:|$)/i.test(href);

/** The values in a row: texts, links and images. */
function* cellsOf(page: Page, spots: Spot[], row: Element): Generator<Cell> {
	const paths = new Map<Element, string>([[row, '']]);
	const counts = new Map<string, number>();
	let read = 0;
	const cell = (attribute: string, element: Element, top = element): Cell => {
		const path = `${paths.get(top)}@${attribute}`;
		const count = (counts.get(path) ?? 0) + 1;
		counts.set(path, count);
		const value = page.valueOf(element, attribute);
		return { place: `${path}${count}`, attribute, value, element, top };
	};
	for (let at = row.at; at < row.end; at++) {
		const element = page.elements[at];
		const { tag, attributes, parent, place } = element;
		if (spots[at].isHidden) {
			at = element.end - 1;
			continue;
		}
		const isCell = /^t[dh]$/.test(tag);
		const step = spots[at].step + (isCell ? place : '');
		if (element !== row) paths.set(element, `${parent && paths.get(parent)}>${step}`);
		if (/^(a|area)$/.test(tag) && isLink(attributes.href)) yield cell('href', element);
		if (tag === 'img') {
			const key = ['src', 'data-src'].find((one) => /^(?!data:)\S/.test(attributes[one] ?? ''));
			if (key) yield cell(key, element);
		}
		if (spots[at].own === 0) continue;
		if (at >= read) {
			let top = element;
			while (top !== row && top.parent && top.parent !== row && top.parent.length === top.length)
				top = top.parent;
			yield cell('innerText', element, top);
			read = element.end;
		} else if (tag === 'a') yield cell('innerText', element);
	}
}

const isHeading = ({ element, top }: Cell): boolean => {
	for (let at: Element | undefined = element; at; at = at.parent) {
		if (/^h[1-6]$/.test(at.tag)) return true;
		if (at === top.parent) return false;
	}
	return false;
};

/** The places that most of some rows fill, and that differ. */
export async function placesOf(page: Page, spots: Spot[], rows: Element[]): Promise<Place[]> {
	const found = new Map<string, Map<number, Cell>>();
	for (const [index, row] of rows.entries()) {
		await page.rest();
		for (const cell of cellsOf(page, spots, row)) {
			if (cell.value === '' || Number(cell.place.at(-1)) > MOST_PEERS) continue;
			const cells = found.get(cell.place) ?? new Map<number, Cell>();
			if (!cells.has(index)) found.set(cell.place, cells.set(index, cell));
		}
	}
	const least = rows.length < 10 ? 0.45 : 0.3;
	const places: Place[] = [];
	for (const [key, cells] of [...found].slice(0, MOST_PLACES)) {
		await page.rest();
		const fill = cells.size / rows.length;
		const all = [...cells.values()];
		const values = all.map(({ value }) => value);
		const distinct = new Set(values).size;
		const [{ attribute }] = all;
		if (fill < least || distinct < 2) continue;
		places.push({
			...{ key, attribute, cells, fill, kind: kindOf(attribute, values) },
			distinct: distinct / all.length,
			length: mean(values.map(({ length }) => length)),
			isHeading: all.some(isHeading),
		});
	}
	return places;
}

/** Whether a place has almost only values that another one has in the same rows. */
export function isSame(one: Place, other: Place): boolean {
	let same = 0;
	for (const [index, { value }] of one.cells) if (other.cells.get(index)?.value === value) same++;
	return same >= one.cells.size * 0.9;
}

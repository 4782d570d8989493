import { chainOf } from '../html/selectors';
import type { Page } from '../html/page';
import type { Element } from '../html/reader';
import { mean, type Spot } from './groups';
import { kindOf, type Kind } from './valueKinds';

/** A value in a row: the innermost and the outermost element with it. */
interface Spotted {
	attribute: string;
	value: string;
	element: Element;
	top: Element;
}

/** A possible column: the values at one place in a sample of rows. */
export interface Slot {
	/** The numbers of its path and its attribute, and of its place if a row has several such places. */
	key: string;
	attribute: string;
	kind: Kind;
	/** For the rows of the sample, by their numbers. */
	cells: Map<number, Spotted>;
	/** The share of rows with a value, the share of different values, and the length of the values. */
	fill: number;
	distinct: number;
	length: number;
	isHeading: boolean;
}

/** How many values of the same kind in a row have slots, and how many slots to compare. */
const [MOST_PEERS, MOST_SLOTS] = [4, 100];
/** Elements of which a row may have any number, such as links to tags. */
const LISTED = /^(a|li|p)$/;
/** The share of rows that must fill a slot. Few rows prove less. */
const leastOf = (rows: Element[]) => (rows.length < 10 ? 0.45 : 0.3);

const isLink = (href = '') => !/^\s*(?:#|javascript:|$)/i.test(href);
export const isImage = (src = '') => /^(?!data:)\S/.test(src);

/** The values in a row, and the keys of their slots. @param known numbers for paths in all rows */
function* slotsIn(
	page: Page,
	spots: Spot[],
	row: Element,
	known: Map<string, number>,
): Generator<Spotted & { key: string }> {
	const paths = new Map<Element | undefined, number>([[row, 0]]);
	const counts = new Map<string, number>();
	let read = 0;
	const cell = (attribute: string, element: Element, top = element) => {
		const path = `${paths.get(top)}@${attribute}`;
		const count = Math.min((counts.get(path) ?? 0) + 1, MOST_PEERS + 1);
		counts.set(path, count);
		const value = page.valueOf(element, attribute);
		return { key: `${path}${count}`, attribute, value, element, top };
	};
	for (let at = row.at; at < row.end; at++) {
		const element = page.elements[at];
		const { tag, attributes, parent, place, end } = element;
		const { isNone, own, kind } = spots[at];
		if (isNone) {
			at = end - 1;
			continue;
		}
		if (element !== row) {
			const key = `${paths.get(parent)}>${kind}${/^t[dh]$/.test(tag) ? `:${place}` : ''}`;
			const path = known.get(key) ?? known.size + 1;
			known.set(key, path);
			paths.set(element, path);
		}
		if (tag === 'a' && isLink(attributes.href)) yield cell('href', element);
		const image = tag === 'img' && ['src', 'data-src'].find((key) => isImage(attributes[key]));
		if (image) yield cell(image, element);
		if (own === 0) continue;
		if (at < read) {
			if (tag === 'a') yield cell('innerText', element);
			continue;
		}
		const around = chainOf(element, row).filter(({ length }) => length === element.length);
		yield cell('innerText', element, around.at(-1));
		read = end;
	}
}

/** The slots that most of some rows fill, and in which they differ. */
export async function slotsOf(page: Page, spots: Spot[], rows: Element[]): Promise<Slot[]> {
	const found = new Map<string, Map<number, Spotted>>();
	const known = new Map<string, number>();
	for (const [index, row] of rows.entries()) {
		await page.rest();
		for (const { key, ...cell } of slotsIn(page, spots, row, known))
			if (cell.value !== '')
				found.set(key, (found.get(key) ?? new Map<number, Spotted>()).set(index, cell));
	}
	const slots: Slot[] = [];
	for (const [key, cells] of found) {
		await page.rest();
		const values = [...cells.values()].map(({ value }) => value);
		const [[index, { attribute, element }]] = cells;
		const around = chainOf(element, rows[index]);
		const different = new Set(values).size;
		const fill = cells.size / rows.length;
		const isListed = around.some(({ tag }) => LISTED.test(tag));
		if (fill < leastOf(rows) || different < 2 || slots.length === MOST_SLOTS) continue;
		if (!key.endsWith('1') && (isListed || key.endsWith(`${MOST_PEERS + 1}`))) continue;
		slots.push({
			...{ key, attribute, kind: kindOf(attribute, values), cells, fill },
			distinct: different / cells.size,
			length: mean(values.map(({ length }) => length)),
			isHeading: around.some(({ tag }) => /^h[1-6]$/.test(tag)),
		});
	}
	return slots;
}

/** Whether nearly all of a slot's values are also in another slot of the same rows. */
export function isSame(one: Slot, other: Slot): boolean {
	const same = [...one.cells].filter(([at, { value }]) => other.cells.get(at)?.value === value);
	return same.length >= one.cells.size * 0.9;
}

const contactOf = (value = '') => value.replace(/^(?:mailto|tel):|%20|[\s()./-]/gi, '');

/** Whether a text shows a link's address or number. */
export const isShownBy = (one: Slot, others: Slot[]): boolean =>
	one.attribute === 'href' &&
	one.kind !== 'Link' &&
	others.some(
		({ attribute, cells }) =>
			attribute === 'innerText' &&
			[...one.cells].every(
				([at, { value }]) => contactOf(value) === contactOf(cells.get(at)?.value),
			),
	);

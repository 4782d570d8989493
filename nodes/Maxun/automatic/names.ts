import type { Page } from '../html/page';
import type { Element } from '../html/reader';
import { isLasting, chainOf } from '../html/selectors';
import { isFormer } from '../byExample/kinds';
import { cut, looksLike } from '../http/text';
import type { FoundColumn } from './columns';
import type { Ranked } from './rank';

/** The columns with a row's main link and its heading. */
export const [LINK, TITLE] = ['Link', 'Title'];

const MAX_NAME = 40;
/** Classes that describe the appearance, or that fit any element. */
const VAGUE = new Set(
	[
		'col column row text item field content container wrap wrapper inner outer left right top bottom',
		'views block span flex grid font btn button link body wp elementor bold small large medium align',
		'clearfix value list table cell node media card box color info group element default normal primary',
		'secondary main page section label data style size weight space margin padding width height',
	].flatMap((words) => words.split(' ')),
);

const legible = (name: string): string => {
	const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' ');
	const words = looksLike(spaced).toLowerCase();
	return cut(words.charAt(0).toUpperCase() + words.slice(1), MAX_NAME).trim();
};

/** The last word of a class that says what an element is. */
function kindWord({ kinds }: Element): string {
	const words = kinds
		.filter(isLasting)
		.flatMap((name) =>
			name
				.split(/[-_]+/)
				.filter((word) => /^[a-z]{3,}$/i.test(word))
				.slice(-1),
		)
		.filter((word) => !VAGUE.has(word.toLowerCase()));
	return words.at(-1) ?? '';
}

/** How many lines a header may have, and how many columns. */
const [MOST_LINES, MOST_COLUMNS] = [3, 100];

/** The cells of lines by column. A cell is repeated where it spans several. */
function gridOf(lines: Element[]): Element[][] {
	const grid: Element[][] = lines.map(() => []);
	for (const [at, { families }] of lines.entries()) {
		const cells = ['th', 'td'].flatMap((tag) => families.get(tag)?.slice(0, MOST_COLUMNS) ?? []);
		for (const cell of cells.sort((one, other) => one.at - other.at)) {
			const span = (name: string) =>
				Math.max(Number.parseInt(cell.attributes[name] ?? '', 10) || 1, 1);
			const start = [...grid[at], undefined].indexOf(undefined);
			const end = Math.min(start + span('colspan'), MOST_COLUMNS);
			for (const line of grid.slice(at, at + span('rowspan')))
				for (let column = start; column < end; column++) line[column] = cell;
		}
	}
	return grid;
}

/** A table header's names for the cells of a row; none if their numbers of cells differ. */
function headerOf(page: Page, row: Element): Map<Element, string> {
	const table = row.tag === 'tr' ? chainOf(row).find(({ tag }) => tag === 'table') : undefined;
	const first = table && page.elements.find(({ at, tag }) => at > table.at && tag === 'tr');
	const lines = first?.peers.slice(0, MOST_LINES) ?? [];
	const [cells] = gridOf([row]);
	const header = gridOf(lines.filter((line) => line !== row))
		.filter(({ length }) => length === cells.length)
		.filter((line) => line.every(({ tag, length }) => tag === 'th' || length === 0))
		.at(-1);
	const names = header?.map(({ text }) => looksLike(cut(text, MAX_NAME))) ?? [];
	// The first of several columns names a cell that spans them.
	return new Map(cells.map((cell, at) => [cell, names[at] ?? ''] as const).reverse());
}

function nameFor({ element, row, from }: FoundColumn, header: Map<Element, string>): string {
	const chain = [...chainOf(element, row), row].slice(0, 4);
	for (const one of chain) {
		const { itemprop, 'data-label': label, 'data-title': title, 'data-th': th } = one.attributes;
		if (itemprop) return legible(itemprop.split(' ')[0]);
		const given = [label, title, th].find(
			(text) => text && text.length < 30 && /\p{L}/u.test(text),
		);
		if (given) return looksLike(given);
		const cell = header.get(one);
		if (cell) return from.attribute === 'href' ? `${cut(cell, MAX_NAME - 5)} Link` : cell;
	}
	if (from.kind !== 'Text') return from.kind;
	const words = chain.map((one) => (one === row ? '' : kindWord(one)));
	return legible(words.find(Boolean) ?? 'Text');
}

/** A different name for each column. */
export function columnNames(page: Page, columns: FoundColumn[], { title, link }: Ranked): string[] {
	const used = new Set<string>();
	return columns.map((column) => {
		const { from, element, row } = column;
		const header = headerOf(page, row);
		const own = nameFor(column, header);
		const isTitled = [...header.values()].includes(own);
		const kind = from === title && !isTitled ? TITLE : from === link ? LINK : own;
		const base = isFormer(element, row) && from.kind === 'Price' ? 'Old Price' : kind || 'Text';
		let name = base;
		for (let count = 2; used.has(name.toLowerCase()); count++)
			name = `${cut(base, MAX_NAME - 4)} ${count}`;
		used.add(name.toLowerCase());
		return name;
	});
}

import type { Page } from '../html/page';
import type { Element } from '../html/reader';
import { isLasting, chainOf } from '../html/selectors';
import { isFormer } from '../byExample/kinds';
import { cut, looksLike } from '../http/text';
import type { FoundColumn } from './columns';
import type { Ranked } from './rank';

// What columns are called.

/** The columns with a row's main link and its heading. */
export const [LINK, TITLE] = ['Link', 'Title'];

/** How long a name may be. */
const LONGEST = 40;
/** Classes that say how something looks, or what any element may be. */
const VAGUE = new Set(
	[
		'col column row text item field content container wrap wrapper inner outer left right top bottom',
		'views block span flex grid font btn button link body wp elementor bold small large medium align',
		'clearfix value list table cell node media card box color info group element default normal primary',
		'secondary main page section label data style size weight space margin padding width height',
	].flatMap((words) => words.split(' ')),
);

const spelled = (name: string): string => {
	const words = looksLike(
		name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' '),
	).toLowerCase();
	return cut(words.charAt(0).toUpperCase() + words.slice(1), LONGEST).trim();
};

/** The last word of a class that says what an element is. */
function wordOf({ kinds }: Element): string {
	const words = kinds
		.filter((name) => isLasting(name))
		.flatMap((name) =>
			name
				.split(/[-_]+/)
				.filter((word) => word.length > 2 && /^[a-z]+$/i.test(word))
				.slice(-1),
		)
		.filter((word) => !VAGUE.has(word.toLowerCase()));
	return words.at(-1) ?? '';
}

/** The texts of a table's header, if the rows are a table's. */
function headerOf(page: Page, row: Element): string[] {
	const table = row.tag === 'tr' ? chainOf(row).find(({ tag }) => tag === 'table') : undefined;
	if (!table) return [];
	for (let at = table.at; at < table.end; at++) {
		const { tag, families } = page.elements[at];
		if (tag === 'tr')
			return (families.get('th') ?? []).map(({ text }) => looksLike(cut(text, LONGEST)));
	}
	return [];
}

function nameOf({ element, row, from }: FoundColumn, header: string[]): string {
	const chain = [...chainOf(element, row), row].slice(0, 4);
	for (const one of chain) {
		const { itemprop, 'data-label': label, 'data-title': title, 'data-th': th } = one.attributes;
		if (itemprop) return spelled(itemprop.split(' ')[0]);
		const given = [label, title, th].find(
			(text) => text && text.length < 30 && /\p{L}/u.test(text),
		);
		if (given) return looksLike(given);
		const first = one.tag === 'td' ? (one.parent?.families.get('th')?.length ?? 0) : 0;
		const cell = /^t[dh]$/.test(one.tag) ? header[first + one.place - 1] : '';
		if (cell) return from.attribute === 'href' ? `${cut(cell, LONGEST - 5)} Link` : cell;
	}
	if (from.kind !== 'Text') return from.kind;
	const word =
		chain
			.filter((one) => one !== row)
			.map(wordOf)
			.find(Boolean) ?? '';
	return word ? spelled(word) : 'Text';
}

/** A different name for each column. */
export function columnNames(
	page: Page,
	columns: FoundColumn[],
	{ sample, title, link }: Ranked,
): string[] {
	const header = headerOf(page, sample[0]);
	const used = new Set<string>();
	return columns.map((column) => {
		const { from, element, row } = column;
		const own = nameOf(column, header);
		const isTitled = header.includes(own);
		const kind = from === title && !isTitled ? TITLE : from === link ? LINK : own;
		const base = isFormer(element, row) && from.kind === 'Price' ? 'Old Price' : kind || 'Text';
		let name = base;
		for (let count = 2; used.has(name.toLowerCase()); count++)
			name = `${cut(base, LONGEST - 4)} ${count}`;
		used.add(name.toLowerCase());
		return name;
	});
}

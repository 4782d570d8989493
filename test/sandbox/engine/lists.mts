import type { Cheerio, CheerioAPI } from 'cheerio';
import type { Element } from 'domhandler';
import { z } from 'zod';
import { resolve } from './content.mts';
import type { Tab } from './tab.mts';
import { elementsAt } from './xpath.mts';

// Reads a list's rows like a real server. See test/recordings/extract-lists.json.

const field = z
	.object({ selector: z.string(), attribute: z.string().default('innerText') })
	.passthrough();
export type Field = z.infer<typeof field>;

export const list = z.object({
	listSelector: z.string(),
	fields: z.record(field),
	limit: z.number().default(100),
	pagination: z
		.object({ type: z.string().catch('none'), selector: z.string().catch('') })
		.optional()
		.catch(undefined),
});
export type List = z.infer<typeof list>;

/** Values by column. If the list is in CSS, columns without an element are missing. */
export type Row = Record<string, string | null>;

const isXPath = (selector: string) => /^\.?\//.test(selector);

export function rowsOn(tab: Tab, config: List): Row[] {
	const rows = isXPath(config.listSelector) ? xpathRows(tab, config) : cssRows(tab, config);
	return rows.slice(0, config.limit);
}

/** Rows by XPath: each element is a row, unless all its columns are empty. */
function xpathRows({ $, url }: Tab, { listSelector, fields }: List): Row[] {
	return quietly(() => elementsAt($, listSelector))
		.map((item, index) => {
			const cells = Object.entries(fields).map(([name, { selector, attribute }]) => {
				const [element] = quietly(() =>
					isXPath(selector)
						? elementAt($, item, index, selector, listSelector)
						: within($, item, selector),
				);
				return [name, (element && valueOf($(element), attribute, url)) || ''] as const;
			});
			return Object.fromEntries(cells);
		})
		.filter((row) => Object.values(row).some(Boolean));
}

/** If a column's XPath begins with `//` and the list's XPath, the server inserts the row's number. */
function elementAt(
	$: CheerioAPI,
	item: Element,
	index: number,
	selector: string,
	rows: string,
): Element[] {
	const path = rows.replace('//', '');
	if (!selector.includes(path)) {
		return elementsAt($, `(${rows})[${index + 1}]${selector.replace('//', '/')}`);
	}
	if (!rows.startsWith('//') || !selector.startsWith(rows)) {
		return elementsAt($, selector.replace(`//${path}`, `(${rows})[${index + 1}]`));
	}
	return elementsAt($, `.${selector.slice(rows.length)}`, item);
}

/** Rows by CSS: similar elements also count, and a table's cells are looked up in all its rows. */
function cssRows({ $, url }: Tab, { listSelector, fields, limit }: List): Row[] {
	const found = quietly(() => $<Element, string>(listSelector).toArray());
	const [only] = found;
	const items = found.length === 1 && only && limit > 1 ? [only, ...similar($, only)] : found;
	const all = Object.entries(fields);
	const read = (item: Element, wanted: typeof all): Row =>
		Object.fromEntries(
			wanted.flatMap(([name, { selector, attribute }]) => {
				const [element] = nearest($, item, selector);
				return element ? [[name, valueOf($(element), attribute, url) ?? null]] : [];
			}),
		);
	const isCell = (item: Element, { selector }: Field) =>
		quietly(() => within($, item, selector))
			.slice(0, 1)
			.some((element) => $(element).closest('td, tr').length > 0);
	const cells = (item: Element) => all.filter(([, config]) => isCell(item, config));
	const fromTables = items.flatMap((item) => {
		const wanted = cells(item);
		const rows = wanted.length > 0 ? $(item).find<Element>('tr').toArray() : [];
		return rows.filter((row) => $(row).find('th').length === 0).map((row) => read(row, wanted));
	});
	const others = items.map((item) => {
		const ofTable = cells(item);
		return read(
			item,
			all.filter((entry) => !ofTable.includes(entry)),
		);
	});
	return [...fromTables, ...others].filter((row) => Object.keys(row).length > 0);
}

/** Elements within a row. As in a browser, the selector can also match elements around the row. */
const within = ($: CheerioAPI, item: Element, css: string): Element[] =>
	css.includes(':scope')
		? $(item).find<Element>(css).toArray()
		: $(item)
				.find('*')
				.toArray()
				.filter((element) => $(element).is(css));

/** If no element has this position, an element with an earlier position counts. */
function nearest($: CheerioAPI, item: Element, css: string): Element[] {
	const [, position = '0'] = /nth-child\((\d+)\)/.exec(css) ?? [];
	for (let index = Number(position); index >= 0; index--) {
		const tried = css.replace(/nth-child\(\d+\)/, `nth-child(${index})`);
		const found = quietly(() => within($, item, tried));
		if (found.length > 0) return found;
	}
	return quietly(() => within($, item, css.replace(/:nth-child\(\d+\)/, '')));
}

/** Elements with the same tag and at least 70% of the classes. */
function similar($: CheerioAPI, element: Element): Element[] {
	const classesOf = ({ attribs }: Element) =>
		new Set((attribs.class ?? '').split(/\s+/).filter(Boolean));
	const own = classesOf(element);
	return $<Element, string>(element.name)
		.toArray()
		.filter((other) => {
			const theirs = classesOf(other);
			const shared = [...own].filter((name) => theirs.has(name)).length;
			return other !== element && shared > 0 && shared / new Set([...own, ...theirs]).size >= 0.7;
		});
}

/** For an invalid selector in a list, a browser doesn't find anything. */
function quietly<T>(read: () => T[]): T[] {
	try {
		return read();
	} catch {
		return [];
	}
}

/** Attributes in which some pages keep their text. */
const TEXTS = ['data-text', 'data-label', 'data-value', 'data-content'];

/** Elements that begin a line on most pages. */
const BLOCKS =
	'br, p, div, ul, ol, li, table, tr, td, th, h1, h2, h3, h4, section, article, dl, dt, dd';

/** An element's value; undefined if there is none. */
export function valueOf(
	element: Cheerio<Element>,
	attribute: string,
	url: string,
): string | undefined {
	if (attribute === 'innerText') {
		const visible = element.clone();
		visible.find('script, style, [hidden], [style*="display:none"]').remove();
		visible.find(BLOCKS).before(' ').after(' ');
		const text = visible.text().replace(/\s+/g, ' ').trim();
		return text || TEXTS.map((name) => element.attr(name)?.trim()).find(Boolean);
	}
	if (attribute === 'outerHTML') return element.prop('outerHTML') ?? undefined;
	if (attribute !== 'href' && attribute !== 'src') return element.attr(attribute);
	const parent = attribute === 'href' && !element.is('a') ? element.parent('a') : undefined;
	const address =
		parent?.attr('href') ?? (element.attr(attribute) || element.attr(`data-${attribute}`));
	return address ? resolve(address, url) : undefined;
}

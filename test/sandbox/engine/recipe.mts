import { type Cheerio, load } from 'cheerio';
import type { AnyNode } from 'domhandler';
import type { Recipe } from '../model.mts';
import { resolve } from './content.mts';

/** What a recorded robot captured: the single fields, and the rows of its list. */
export interface Captured {
	textData: Record<string, string>;
	listData: Array<Record<string, string>>;
}

/**
 * Runs a recorded robot on a page.
 * @throws Error if nothing on the page matches
 */
export function runRecipe(recipe: Recipe, html: string, url: string): Captured {
	const $ = load(html);
	const captured: Captured = { textData: {}, listData: [] };
	for (const [label, selector] of Object.entries(recipe.fields ?? {})) {
		const value = read($.root(), selector, url);
		if (value !== undefined) captured.textData[label] = value;
	}
	const { list } = recipe;
	if (list !== null) {
		captured.listData = $(list.row)
			.toArray()
			.slice(0, list.limit)
			.map((row) => readRow($(row), list.fields, url));
	}
	const found = Object.keys(captured.textData).length + captured.listData.length;
	if (found === 0) throw new Error(`Nothing on ${url} matches the recorded selectors`);
	return captured;
}

function readRow(row: Cheerio<AnyNode>, fields: Record<string, string>, url: string) {
	const values: Record<string, string> = {};
	for (const [label, selector] of Object.entries(fields)) {
		values[label] = read(row, selector, url) ?? '';
	}
	return values;
}

/** The text of `css` or the value of `css@attribute` below an element. URLs become absolute. */
function read(root: Cheerio<AnyNode>, selector: string, url: string): string | undefined {
	const [css = '', attribute] = selector.split('@');
	const element = css === '' ? root : root.find(css).first();
	if (element.length === 0) return undefined;
	if (attribute === undefined) return element.text().replace(/\s+/g, ' ').trim();
	const value = element.attr(attribute);
	return attribute === 'href' || attribute === 'src' ? resolve(value ?? '', url) : value;
}

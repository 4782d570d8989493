import { type Cheerio, type CheerioAPI, load } from 'cheerio';
import type { Element } from 'domhandler';
import type { Recipe } from '../model.mts';
import { keywords } from './content.mts';

const LEAST_ROWS = 3;
const MOST_FIELDS = 12;

/**
 * Finds the data for an agent. The repeated elements with the most content become rows.
 * Their distinct parts become fields. The prompt can name the fields to keep.
 * @returns undefined if nothing on the page repeats
 */
export function inferRecipe(html: string, prompt: string): Recipe | undefined {
	const $ = load(html);
	const candidates = rowSelectors($).map((row) => ({ row, fields: fieldsOf($, row) }));
	const best = candidates
		.map((candidate) => ({ ...candidate, score: score($, candidate) }))
		.sort((a, b) => b.score - a.score)[0];
	if (best === undefined || Object.keys(best.fields).length === 0) return undefined;
	const fields = chosenFields(best.fields, prompt);
	return { fields: null, list: { name: 'Extracted rows', row: best.row, fields } };
}

/** Selectors that several siblings share. */
function rowSelectors($: CheerioAPI): string[] {
	const selectors = new Set<string>();
	$('main *, body *')
		.filter((_, element) => $(element).siblings().length >= LEAST_ROWS - 1)
		.each((_, element) => {
			const own = selectorOf($(element));
			const parent = selectorOf($(element).parent());
			if ($(element).siblings(own).length >= LEAST_ROWS - 1) selectors.add(`${parent} > ${own}`);
		});
	return [...selectors].filter((selector) => $(selector).children().length > 0);
}

/** The distinct text parts of a row, and its first link. */
function fieldsOf($: CheerioAPI, row: string): Record<string, string> {
	const fields: Record<string, string> = {};
	const first = $(row).first();
	first.find('*').each((_, element) => {
		const part = $(element);
		if (part.text().trim() === '' || part.children().length > 1) return;
		const selector = selectorOf(part);
		const label = labelOf(part);
		const known = Object.values(fields).includes(selector) || label in fields;
		// A wrapper and its only child have the same text. The wrapper has the better name.
		const repeats = part.parent().children().length === 1 && !part.parent().is(first);
		if (!known && !repeats && Object.keys(fields).length < MOST_FIELDS) fields[label] = selector;
	});
	if (first.find('a[href]').length > 0) fields.Link = 'a@href';
	return fields;
}

function score(
	$: CheerioAPI,
	{ row, fields }: { row: string; fields: Record<string, string> },
): number {
	return Object.keys(fields).length * Math.sqrt($(row).length);
}

function chosenFields(fields: Record<string, string>, prompt: string): Record<string, string> {
	const stem = (word: string) => word.replace(/(?:es|s)$/, '');
	const wanted = keywords(prompt).map(stem);
	const chosen = Object.entries(fields).filter(([label]) =>
		keywords(label).some((word) => wanted.includes(stem(word))),
	);
	if (chosen.length === 0) return fields;
	const { Link } = fields;
	return { ...Object.fromEntries(chosen), ...(Link !== undefined && { Link }) };
}

function selectorOf(element: Cheerio<Element>): string {
	const tag = element.prop('tagName')?.toLowerCase() ?? '*';
	const name = element.attr('class')?.trim().split(/\s+/)[0];
	return name ? `${tag}.${CSS_NAME.test(name) ? name : ''}`.replace(/\.$/, '') : tag;
}

const CSS_NAME = /^-?[A-Za-z_][\w-]*$/;

function labelOf(element: Cheerio<Element>): string {
	const name = element.attr('class')?.trim().split(/\s+/)[0] ?? element.prop('tagName') ?? 'text';
	const words = name.toLowerCase().replace(/[-_]+/g, ' ');
	return words.charAt(0).toUpperCase() + words.slice(1);
}

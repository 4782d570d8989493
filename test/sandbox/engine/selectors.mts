import type { Cheerio, CheerioAPI } from 'cheerio';
import type { AnyNode, Element } from 'domhandler';

export const isXPath = (selector: string): boolean => /^\(?\/\//.test(selector);

/** A selector as CSS. Understands the XPath that a real server writes: tags, classes and attributes. */
export function cssOf(selector: string): string {
	if (!isXPath(selector)) return selector;
	return stepsToCss(selector).replace(/^ /, '');
}

/** The rest of an XPath below another one, as CSS below its elements; undefined if it isn't below. */
export function cssBelow(xpath: string, parent: string): string | undefined {
	return xpath.startsWith(parent) ? stepsToCss(xpath.slice(parent.length)) : undefined;
}

const stepsToCss = (steps: string): string =>
	steps
		.replace(/\[contains\(@class,\s*(["'])(.*?)\1\)\]/g, '.$2')
		.replace(/\[@([\w-]+)=(["'])(.*?)\2\]/g, '[$1="$3"]')
		.replace(/\/\//g, ' ')
		.replace(/\//g, ' > ');

/**
 * The elements that a selector selects.
 * @throws Error for an invalid selector
 */
export const select = ($: CheerioAPI, selector: string): Cheerio<Element> =>
	$<Element, string>(cssOf(selector));

/** The XPath of an element as a real server writes it, from one of its parents or from the page. */
export function xpathOf($: CheerioAPI, element: Element, from?: AnyNode): string {
	const step = ({ name, attribs }: Element) => {
		const [first] = (attribs.class ?? '').split(/\s+/);
		return first ? `${name}[contains(@class, '${first}')]` : name;
	};
	const parents = $(element).parents().toArray();
	const end = from === undefined ? 1 : parents.findIndex((parent) => parent === from);
	const path = [element, ...parents.slice(0, end)].reverse().map(step).join('/');
	return from === undefined ? `//${path}` : `/${path}`;
}

import type { Cheerio, CheerioAPI } from 'cheerio';
import type { AnyNode, Element } from 'domhandler';
import { elementsAt } from './xpath.mts';

/** Whether a check and Playwright read a selector as XPath. */
export const isXPath = (selector: string): boolean => /^\(*\/\//.test(selector);

/**
 * The elements that a selector selects.
 * @throws Error for an invalid selector
 */
export const select = ($: CheerioAPI, selector: string): Cheerio<Element> =>
	isXPath(selector) ? $(elementsAt($, selector)) : $<Element, string>(selector);

/** An element's XPath as a real server writes it, from one of its parents or from the page. */
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

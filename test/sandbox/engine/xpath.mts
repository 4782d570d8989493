import { DOMImplementation } from '@xmldom/xmldom';
import type { CheerioAPI } from 'cheerio';
import type { AnyNode, Element } from 'domhandler';
import { select } from 'xpath';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * The elements that an XPath selects, in page order.
 * @param from where a relative XPath begins
 * @throws Error for an invalid XPath
 */
export function elementsAt($: CheerioAPI, xpath: string, from?: Element): Element[] {
	const page = new DOMImplementation().createDocument(null, null, null);
	const sources = new Map<unknown, Element>();
	const copies = new Map<Element, Node>();
	const copy = (source: AnyNode, parent: Node): void => {
		if ('data' in source && source.type === 'text') {
			parent.appendChild(page.createTextNode(source.data));
		} else if ('attribs' in source) {
			const element = copyOf(source, page);
			parent.appendChild(element);
			sources.set(element, source);
			copies.set(source, element);
			for (const child of source.children) copy(child, element);
		}
	};
	for (const element of $.root().children().toArray()) copy(element, page);
	const found: unknown = select(xpath, (from && copies.get(from)) ?? page);
	return (Array.isArray(found) ? found : []).flatMap((node) => sources.get(node) ?? []);
}

function copyOf({ name, namespace, attribs }: Element, page: Document) {
	// As in a browser, only HTML elements have no namespace.
	const element = page.createElementNS(namespace === SVG ? SVG : null, name);
	for (const [attribute, value] of Object.entries(attribs)) element.setAttribute(attribute, value);
	return element;
}

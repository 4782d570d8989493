import type { Rest } from '../http/concurrency';

// A tolerant reader of HTML as a browser serializes it. Linear in the page's size.

export interface Element {
	tag: string;
	attributes: Record<string, string>;
	classes: string[];
	/** The classes that other elements of the page have, too. */
	kinds: string[];
	parent?: Element;
	children: Element[];
	/** The siblings with the same tag, including itself. */
	peers: Element[];
	/** Its position among them, from 1. */
	place: number;
	/** All texts in it, with spaces between them. */
	text: string;
	/** The text to compare; empty if it is too long to be a value. */
	key: string;
	/** Its position on the page, and the position after its last descendant. */
	at: number;
	end: number;
}

/** Elements that have no end tag. */
const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
/** Elements whose content isn't part of the page's text. */
const RAW = /^(script|style|noscript|template|textarea|title|iframe)$/;

export const isRaw = ({ tag }: Element): boolean => RAW.test(tag);

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };
const TAG = /<(?:(\/?)([a-z][^\s/>]*)|!--|[!?])/iy;
const ATTRIBUTE = /[\s/]*([^\s/=>][^\s=>]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;

/** Longer texts are no values. */
const LONGEST = 3000;
/** No text is read further, because that would take too long. */
const MOST_TEXT = 100_000;

/** A text without case and spaces, which differ between a page's HTML and what people see. */
export const keyOf = (text = '') =>
	text.normalize('NFKC').replace(/\s+/g, '').toLowerCase().replaceAll('ς', 'σ');

const decoded = (text: string) =>
	text.replace(/&(?:#(x?)([\da-f]{1,6})|(\w+));/gi, (all, x, digits, name: string) => {
		const code = Number.parseInt(digits, x ? 16 : 10);
		return code <= 0x10ffff ? String.fromCodePoint(code) : (ENTITIES[name] ?? all);
	});

/** The children with a tag. */
function peersIn({ children }: Element, tag: string): Element[] {
	for (let at = children.length - 1; at >= 0; at--) {
		if (children[at].tag === tag) return children[at].peers;
	}
	return [];
}

/** All elements of a page, in its order. The first one contains the others. */
export async function readElements(html: string, rest: Rest): Promise<Element[]> {
	const elements: Element[] = [];
	/** Where each element's text and key begin and end. */
	const texts: number[][] = [];
	const uses = new Map<string, number>();
	let [text, keys] = ['', ''];
	let current: Element | undefined;
	const write = (more: string) => {
		const words = decoded(more.trim().slice(0, MOST_TEXT)).replace(/\s+/g, ' ').trim();
		if (words) text += `${words} `;
		keys += keyOf(words);
	};
	const open = (tag: string, attributes: Record<string, string>) => {
		const classes = attributes.class?.split(/\s+/).filter(Boolean) ?? [];
		const peers = current ? peersIn(current, tag) : [];
		const element: Element = {
			...{ tag, attributes, classes, kinds: [], parent: current, children: [], peers },
			...{ place: peers.length + 1, text: '', key: '', at: elements.length, end: 0 },
		};
		peers.push(element);
		elements.push(element);
		current?.children.push(element);
		current = element;
		texts.push([text.length, 0, keys.length, 0]);
		for (const name of classes) uses.set(name, (uses.get(name) ?? 0) + 1);
	};
	const close = (until?: Element) => {
		for (; current && current !== until; current = current.parent) {
			current.end = elements.length;
			[texts[current.at][1], texts[current.at][3]] = [text.length, keys.length];
		}
	};
	const after = (end: string, from: number) => {
		const found = html.indexOf(end, from);
		return found < 0 ? html.length : found + end.length;
	};
	let read = 0;
	open('#page', {});
	for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', Math.max(read, at + 1))) {
		TAG.lastIndex = at;
		const [start, slash, name] = TAG.exec(html) ?? [];
		if (!start) continue;
		write(html.slice(read, at));
		const tag = name?.toLowerCase();
		read = at + start.length;
		if (!tag || slash) {
			read = after(start === '<!--' ? '-->' : '>', at);
			let closed = tag ? current : undefined;
			while (closed && closed.tag !== tag) closed = closed.parent;
			if (closed) close(closed.parent);
			continue;
		}
		const attributes: Record<string, string> = {};
		ATTRIBUTE.lastIndex = read;
		for (let one = ATTRIBUTE.exec(html); one; one = ATTRIBUTE.exec(html)) {
			attributes[one[1].toLowerCase()] = decoded(one[2] ?? one[3] ?? one[4] ?? '');
			read = ATTRIBUTE.lastIndex;
		}
		read = after('>', read);
		open(tag, attributes);
		if (RAW.test(tag)) read = after(`</${name}`, read) - name.length - 2;
		if (VOID.test(tag)) close(current?.parent);
		await rest();
	}
	write(html.slice(read));
	close();
	for (const element of elements) {
		await rest();
		const [from, to, keyFrom, keyTo] = texts[element.at];
		element.kinds = element.classes.filter((name) => (uses.get(name) ?? 0) > 1);
		element.text = text.slice(from, to).trim();
		if (keyTo - keyFrom <= LONGEST) element.key = keys.slice(keyFrom, keyTo);
	}
	return elements;
}

import type { Rest } from '../http/concurrency';
import { decoded, piecesOf, RAW } from './pieces';

// A tolerant reader of HTML as a browser serializes it. Linear in the page's size.

/** What the elements of a page share: their texts, the uses of classes, and the paths of tags. */
interface Shared {
	text: string;
	keys: string;
	uses: Map<string, number>;
	trails: Map<string, Element[]>;
}

export class Element {
	readonly classes: string[];
	/** The siblings with the same tag, including itself, and its position among them, from 1. */
	readonly peers: Element[];
	readonly place: number;
	/** All elements of the page with the same tags around them, including itself. */
	readonly trail: Element[];
	readonly depth: number;
	/** How many elements around it, including itself, mark values that no longer apply. */
	readonly formers: number;
	readonly families = new Map<string, Element[]>();
	/** The position after its last descendant. */
	end = 0;
	/** What a script or another element whose content isn't part of the page's text contains, as in the HTML. */
	raw = '';
	private readonly from: number;
	private readonly keyFrom: number;
	private to = 0;
	private keyTo = 0;
	private used?: string[];
	private readonly number: number;

	constructor(
		private readonly page: Shared,
		readonly tag: string,
		readonly attributes: Record<string, string>,
		readonly at: number,
		readonly parent?: Element,
	) {
		this.classes = attributes.class?.split(/\s+/, MOST_CLASSES).filter(Boolean) ?? [];
		for (const name of this.classes) page.uses.set(name, (page.uses.get(name) ?? 0) + 1);
		const isFormer = CROSSED_OUT.test(tag) || FORMER.test(this.classes.join(' '));
		this.formers = (parent?.formers ?? 0) + Number(isFormer);
		this.depth = parent ? parent.depth + 1 : 0;
		this.peers = parent?.families.get(tag) ?? [];
		this.place = this.peers.push(this);
		if (this.place === 1) parent?.families.set(tag, this.peers);
		const trail = `${parent?.number ?? 0}>${tag}`;
		this.trail = page.trails.get(trail) ?? [];
		if (this.trail.push(this) === 1) page.trails.set(trail, this.trail);
		this.number = this.trail[0].at;
		this.from = page.text.length;
		this.keyFrom = page.keys.length;
	}

	close(end: number): void {
		this.end = end;
		this.to = this.page.text.length;
		this.keyTo = this.page.keys.length;
	}

	/** The classes that other elements of the page also have. */
	get kinds(): string[] {
		this.used ??= this.classes.filter((name) => (this.page.uses.get(name) ?? 0) > 1);
		return this.used;
	}

	/** All texts in it, with spaces between them. */
	get text(): string {
		return this.page.text.slice(this.from, this.to).trim();
	}

	get length(): number {
		return this.to - this.from;
	}

	/** The text to compare; empty if it is too long to be a value. */
	get key(): string {
		const isValue = this.keyTo - this.keyFrom <= MAX_KEY;
		return isValue ? this.page.keys.slice(this.keyFrom, this.keyTo) : '';
	}
}

/** Elements and classes of values that no longer apply, such as a price before a discount. */
export const CROSSED_OUT = /^(s|del|strike)$/;
export const FORMER =
	/(?<![a-z])(old|was|before|former|previous|regular|original|list|rrp|msrp|uvp|strike|struck|crossed|compare|statt|alt|ancien|antes)/i;

const VOID = /^(area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;

/** Whether a table's row has only names of columns. */
export const isHeader = ({ tag, families }: Element): boolean =>
	tag === 'tr' && families.has('th') && !families.has('td');

export const isRaw = ({ tag }: Element): boolean => RAW.test(tag);

const MAX_KEY = 3000;
const MOST_CLASSES = 40;
/** Browsers nest elements no deeper. The others become siblings. */
const MAX_NESTED = 512;
/** Texts are only read up to here. More would take too long. */
const MOST_TEXT = 100_000;

/** A text without case and spaces, which differ between a page's HTML and what people see. */
export const keyOf = (text = '') =>
	text.normalize('NFKC').replace(/\s+/g, '').toLowerCase().replaceAll('ς', 'σ');

/** All elements of a page, in its order. The first element contains the others. */
export async function readElements(html: string, rest: Rest): Promise<Element[]> {
	const elements: Element[] = [];
	const page: Shared = { text: '', keys: '', uses: new Map(), trails: new Map() };
	let current: Element | undefined;
	/** How many elements of each tag are open. */
	const open = new Map<string, number>();
	const write = (more: string) => {
		const words = decoded(more.trim().slice(0, MOST_TEXT)).replace(/\s+/g, ' ').trim();
		if (words) page.text += `${words} `;
		page.keys += keyOf(words);
	};
	const close = (until?: Element) => {
		for (; current && current !== until; current = current.parent) {
			current.close(elements.length);
			open.set(current.tag, (open.get(current.tag) ?? 0) - 1);
		}
	};
	const begin = (tag: string, attributes: Record<string, string>) => {
		if (current && current.depth >= MAX_NESTED) close(current.parent);
		current = new Element(page, tag, attributes, elements.length, current);
		open.set(tag, (open.get(tag) ?? 0) + 1);
		elements.push(current);
	};
	begin('#page', {});
	for (const piece of piecesOf(html)) {
		await rest();
		if (!piece) continue;
		const { text, tag, isEnd, attributes } = piece;
		write(text);
		if (!tag || (isEnd && !open.get(tag))) continue;
		if (isEnd) {
			let closed = current;
			while (closed && closed.tag !== tag) closed = closed.parent;
			if (closed) close(closed.parent);
			continue;
		}
		begin(tag, attributes);
		if (current) current.raw = piece.raw ?? '';
		if (VOID.test(tag)) close(current?.parent);
	}
	close();
	return elements;
}

import type { Rest } from '../http/concurrency';
import type { Example } from '../servers/definition';
import { keyOf, readElements, type Element } from './reader';
import { ancestorsOf, matches, type Path } from './selectors';

/** A column, and the elements with each of its values. */
export interface Candidates extends Example {
	found: Element[][];
}

export const isIn = ({ at }: Element, top: Element) => at >= top.at && at < top.end;

/** A page's elements, and what they contain. */
export class Page {
	private constructor(
		readonly elements: Element[],
		private readonly url: string,
		readonly rest: Rest,
	) {}

	/** @param url the page's address, to which its links are relative */
	static async read(html: string, url: string, rest: Rest): Promise<Page> {
		return new Page(await readElements(html, rest), url, rest);
	}

	/** An element's text or attribute. */
	valueOf(element: Element, attribute: string): string {
		if (attribute === 'innerText') return element.text;
		const value = element.attributes[attribute] ?? '';
		const isUrl = /^(href|src)$/.test(attribute) && value !== '' && URL.canParse(value, this.url);
		return isUrl ? new URL(value, this.url).href : value;
	}

	keyOf(element: Element | undefined, attribute: string): string {
		if (!element) return '';
		return attribute === 'innerText' ? element.key : keyOf(this.valueOf(element, attribute));
	}

	/** The first element within another one that a path selects. */
	first(top: Element, path: Path): Element | undefined {
		if (path.steps.length === 0) return top;
		for (let at = top.at + 1; at < top.end; at++) {
			if (matches(path, this.elements[at], top)) return this.elements[at];
		}
		return undefined;
	}

	/** The element of a column in a row, if it has a value. */
	filled(row: Element, { path, attribute }: { path: Path; attribute: string }) {
		const element = this.first(row, path);
		return element && this.valueOf(element, attribute) ? element : undefined;
	}

	/** Finds the elements with each value. @param orMore also finds the smallest ones that contain more than a text */
	async candidates(column: Example, orMore: boolean): Promise<Candidates> {
		const { attribute, values } = column;
		const isText = attribute === 'innerText';
		const own = this.elements.map((element) => this.keyOf(element, attribute));
		const found: Element[][] = [];
		for (const key of values.map(keyOf)) {
			await this.rest();
			const all = this.elements.filter(({ at }) => own[at] !== '');
			const texts = key === '' ? [] : this.textsWith(key, orMore);
			const near = isText ? texts : texts.flatMap((element) => this.near(element, attribute));
			const is = ({ at, attributes: { alt } }: Element) => own[at] === key || keyOf(alt) === key;
			const exact = isText ? [] : key === '' ? all : all.filter(is);
			found.push(exact.length > 0 ? exact : [...new Set(near)]);
		}
		return { ...column, found };
	}

	private textsWith(key: string, orMore: boolean): Element[] {
		const exact = this.elements.filter((element) => element.key === key);
		if (!orMore) return exact;
		const more = this.elements.filter((element) => element.key.includes(key));
		return [
			...exact,
			...more.filter((one, at) => at + 1 === more.length || !isIn(more[at + 1], one)),
		];
	}

	/** The link in an element, or around it. */
	private near(element: Element, attribute: string): Element[] {
		const around = [...this.elements.slice(element.at, element.end), ...ancestorsOf(element)];
		return around.filter((other) => this.valueOf(other, attribute)).slice(0, 1);
	}

	/** The texts that are most similar to another one. */
	similarTo(value: string): string[] {
		const pairsOf = (key: string) => new Set(Array.from(key, (_, at) => key.slice(at, at + 2)));
		const wanted = pairsOf(keyOf(value));
		const texts = new Map<string, number>();
		for (const { text, key, children } of this.elements) {
			if (children.length > 0 || text.length > 2 * value.length + 20) continue;
			const pairs = pairsOf(key);
			const shared = [...pairs].filter((pair) => wanted.has(pair)).length;
			const score = shared / (pairs.size + wanted.size);
			if (score > 0) texts.set(text, score);
		}
		const sorted = [...texts].sort(([, one], [, other]) => other - one);
		return sorted.slice(0, 3).map(([text]) => text);
	}
}

import type { Rest } from '../http/concurrency';
import type { Example } from '../servers/definition';
import { keyOf, type Element } from './reader';
import { chainOf, matches, namesOf, type Path, type Step } from './selectors';

/** A column, and the elements with each of its values. */
export interface Candidates extends Example {
	found: Element[][];
	/** Whether a value is a text of the page, even if nothing is found for its attribute. */
	isText?: boolean;
}

/** How many elements around a text may contain its link. */
const NEAR = 8;

export const isIn = ({ at }: Element, top: Element) => at >= top.at && at < top.end;

/** Values from all parts of a list, at distances that differ, because rows may alternate. */
export const sampleOf = <T>(all: T[], most: number): T[] => {
	if (all.length <= most) return all;
	const from = (at: number) => Math.floor((at / most) * all.length);
	const placeOf = (at: number) =>
		from(at) + Math.floor(((at * at * 0.618) % 1) * (from(at + 1) - from(at)));
	return Array.from({ length: most }, (_, at) => all[placeOf(at)]);
};

export const isFound = ({ length }: Element[]) => length > 0;

/** The elements of a list that are in another list. Both are in the page's order. */
export function thoseIn(elements: Element[], { at, end }: Element): Element[] {
	let [from, to] = [0, elements.length];
	while (from < to) {
		const middle = (from + to) >> 1;
		if (elements[middle].at < at) from = middle + 1;
		else to = middle;
	}
	for (to = from; elements[to]?.at < end; ) to++;
	return elements.slice(from, to);
}

/** Whether two elements are the same, or one contains the other. */
export const overlap = (one?: Element, other?: Element) =>
	one !== undefined && other !== undefined && (isIn(one, other) || isIn(other, one));

/** A page's elements, and what they contain. */
export class Page {
	private readonly keys = new Map<string, string>();
	private readonly names = new Map<Element, Step[]>();

	/** @param url the page's address, to which its links are relative */
	constructor(
		readonly elements: Element[],
		readonly url: string,
		readonly rest: Rest,
	) {}

	valueOf(element: Element, attribute: string): string {
		if (attribute === 'innerText') return element.text;
		return this.absolute(element.attributes[attribute] ?? '', attribute);
	}

	/** A value; if it is a link's or picture's URL, the whole URL. */
	absolute(value: string, attribute: string): string {
		const isUrl =
			/^(href|(data-)?src)$/.test(attribute) && value !== '' && URL.canParse(value, this.url);
		return isUrl ? new URL(value, this.url).href : value;
	}

	keyOf(element: Element | undefined, attribute: string): string {
		if (!element) return '';
		if (attribute === 'innerText') return element.key;
		const value = element.attributes[attribute] ?? '';
		const known = this.keys.get(value) ?? keyOf(this.absolute(value, attribute));
		this.keys.set(value, known);
		return known;
	}

	readonly namesOf = (element: Element): Step[] => {
		const names = this.names.get(element) ?? namesOf(element);
		this.names.set(element, names);
		return names;
	};

	/** The elements within another element that a path selects, in the page's order. */
	all(top: Element, path: Path): Element[] {
		if (path.steps.length === 0) return [top];
		const found: Element[] = [];
		for (let at = top.at + 1; at < top.end; at++) {
			if (matches(path, this.elements[at], top)) found.push(this.elements[at]);
		}
		return found;
	}

	first(top: Element, path: Path): Element | undefined {
		if (path.steps.length === 0) return top;
		for (let at = top.at + 1; at < top.end; at++) {
			if (matches(path, this.elements[at], top)) return this.elements[at];
		}
		return undefined;
	}

	filled(row: Element, { path, attribute }: { path: Path; attribute: string }) {
		const element = this.first(row, path);
		return this.keyOf(element, attribute) === '' ? undefined : element;
	}

	/** The elements, or what is found for each, that pass a test. */
	async filter<T>(all: T[], test: (one: T) => unknown): Promise<T[]> {
		const found: T[] = [];
		for (const one of all) {
			await this.rest();
			if (test(one)) found.push(one);
		}
		return found;
	}

	/** A test for whether an element belongs to any of them. A large set would block. */
	async among<T>(all: T[], elementsOf: (one: T) => Array<Element | undefined>) {
		const marks = new Uint8Array(this.elements.length);
		for (const one of all) {
			await this.rest();
			for (const element of elementsOf(one)) if (element) marks[element.at] = 1;
		}
		return (element?: Element) => element !== undefined && marks[element.at] === 1;
	}

	/** Finds the elements with each value. @param orMore also finds the smallest elements that contain more than a text */
	async candidates(column: Example, orMore: boolean): Promise<Candidates> {
		const { attribute, values } = column;
		const isText = attribute === 'innerText';
		const keys = values.map(keyOf);
		const own = await this.having(keys, (element) => {
			const key = isText ? '' : this.keyOf(element, attribute);
			return key === '' ? [] : ['', key];
		});
		const texts = await this.having(keys, ({ key, attributes: { alt } }) =>
			[key, isText ? '' : keyOf(alt)].filter(Boolean),
		);
		const found: Element[][] = [];
		let isOnPage = false;
		for (const key of keys) {
			const exact = own.get(key) ?? [];
			const like = texts.get(key) ?? [];
			if (orMore && key !== '') like.push(...(await this.around(key)));
			isOnPage ||= key !== '' && like.length > 0;
			const near = isText ? like : like.flatMap((element) => this.near(element, attribute));
			found.push(exact.length > 0 ? exact : [...new Set(near)]);
		}
		return { ...column, found, isText: isOnPage };
	}

	private async having(keys: string[], keysOf: (element: Element) => string[]) {
		const found = new Map<string, Element[]>(keys.map((key) => [key, []]));
		for (const element of this.elements) {
			await this.rest();
			for (const key of keysOf(element)) found.get(key)?.push(element);
		}
		return found;
	}

	private async around(key: string): Promise<Element[]> {
		const all = await this.filter(this.elements, (element) => element.key.includes(key));
		return all.filter((one, at) => at + 1 === all.length || !isIn(all[at + 1], one));
	}

	/** The link in an element or around it, or else the first link close to it. */
	private near(element: Element, attribute: string): Element[] {
		const hasValue = (other: Element) => this.valueOf(other, attribute) !== '';
		const firstIn = ({ at, end }: Element) => this.elements.slice(at, end).find(hasValue);
		const chain = chainOf(element).slice(0, NEAR);
		const own = firstIn(element) ?? chain.find(hasValue);
		for (const one of own ? [] : chain) {
			const beside = firstIn(one);
			if (beside) return [beside];
		}
		return own ? [own] : [];
	}

	/** The texts that are most similar to another text. */
	async similarTo(value: string): Promise<string[]> {
		const pairsOf = (key: string) => new Set(Array.from(key, (_, at) => key.slice(at, at + 2)));
		const wanted = pairsOf(keyOf(value));
		let best: Array<{ text: string; score: number }> = [];
		for (const { text, key, families } of this.elements) {
			await this.rest();
			if (families.size > 0 || text.length > 2 * value.length + 20) continue;
			const pairs = pairsOf(key);
			const shared = [...pairs].filter((pair) => wanted.has(pair)).length;
			const score = shared / (pairs.size + wanted.size);
			if (score === 0 || key === keyOf(value) || best.some((one) => one.text === text)) continue;
			best = [...best, { text, score }].sort((one, other) => other.score - one.score).slice(0, 3);
		}
		return best.map(({ text }) => text);
	}
}

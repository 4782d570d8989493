import type { Element } from './reader';

// Selectors that last: names from people first, places in the page's structure last.

/** A part of a selector, for one element. */
export interface Step {
	css: string;
	matches: (element: Element) => boolean;
}

/** A selector: its steps, and whether each step selects children of the step before. Without steps, it selects the row. */
export interface Path {
	css: string;
	steps: Step[];
	isDirect: boolean;
}

const GENERATED = /^(css|sc|jsx|jss|svelte|emotion)[-_]|^.{40}|^[a-z][A-Z]/;
const STATE =
	/^(active|selected|current|open|closed?|first|last|odd|even|alt|hover|hidden|visible|show|loaded|disabled)$|^(is|has|js)-/i;

/** A class with a hash after its name, as CSS modules write it. */
const MODULE = /^([a-z]{3,}_[a-z]{3,}__)[\w-]{5,}$/i;

/** Whether a person has probably chosen the name. Programs write hashes, states and numbers. */
export function isLasting(name: string): boolean {
	if (!/^\p{L}[\p{L}\p{M}\w-]*$/u.test(name) || GENERATED.test(name) || STATE.test(name))
		return false;
	const words = name.split(/[-_]+|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
	const isForeign = (word: string) => /[^\0-\x7f]/.test(word);
	const isWord = (word: string) =>
		isForeign(word) ||
		(/^(\d{1,2}|[A-Z]?[a-z]+|[A-Z]+)$/.test(word) && (word.length < 4 || /[aeiouy]/i.test(word)));
	const isLong = (word: string) => word.length > 2 || isForeign(word);
	return words.every(isWord) && words.filter(isLong).length * 2 >= words.length;
}

export const tagOf = ({ tag }: Element): Step =>
	/^[a-z][\w-]*$/.test(tag)
		? { css: tag, matches: (other) => other.tag === tag }
		: { css: '*', matches: () => true };

export const narrowed = (step: Step, more: string, matches: Step['matches']): Step => ({
	css: step.css + more,
	matches: (element) => step.matches(element) && matches(element),
});

/** An element's lasting names, the most telling first. */
export function namesOf(element: Element): Step[] {
	const tag = tagOf(element);
	const { attributes, classes } = element;
	const named = (key: string, css: string) =>
		narrowed(tag, css, (other) => other.attributes[key] === attributes[key]);
	const { id = '' } = attributes;
	return [
		...(isLasting(id) && !/\d/.test(id) ? [named('id', `#${id}`)] : []),
		...Object.keys(attributes)
			.filter((key) => /^(itemprop|data-[a-z-]+)$/.test(key) && isLasting(attributes[key]))
			.sort((one, other) => Number(other === 'itemprop') - Number(one === 'itemprop'))
			.map((key) => named(key, `[${key}="${attributes[key]}"]`)),
		...classes.flatMap((name) => {
			if (isLasting(name))
				return [narrowed(tag, `.${name}`, (other) => other.classes.includes(name))];
			const [, part] = MODULE.exec(name) ?? [];
			const hasPart = ({ attributes: { class: all = '' } }: Element) => all.includes(part);
			return part ? [narrowed(tag, `[class*="${part}"]`, hasPart)] : [];
		}),
	];
}

/** An element's place among its siblings with the same tag, if the others have the same place. */
function placeOf(element: Element, others: Iterable<Element>): Step {
	const { peers, place } = element;
	if (peers.length === 1 || [...others].some((other) => other.place !== place))
		return tagOf(element);
	return narrowed(tagOf(element), `:nth-of-type(${place})`, (other) => other.place === place);
}

/** An element and its ancestors within another element, nearest first. */
export function chainOf(element: Element, top?: Element): Element[] {
	const found: Element[] = [];
	for (let at = element; at.parent && at !== top; at = at.parent) found.push(at);
	return found;
}

const pathOf = (steps: Step[], isDirect = false, start = ''): Path => ({
	css: start + steps.map(({ css }) => css).join(isDirect ? ' > ' : ' '),
	steps,
	isDirect,
});

/** Whether a path has no places, and ends with more than a tag. */
export const isNamed = ({ css }: Path) =>
	css === '' || /^[^:]*[.#[][^ :]*$/.test(css.replace(/:not\(.*?\)/g, ''));

const isTelling = ({ tag }: Element) => !/^(body|div|span|p|b|i)$/.test(tag);

/**
 * Ways to reach an element from its row, or from the top of the page, the most lasting first.
 *
 * @param names finds an element's lasting names
 * @param all what the ways should select
 */
export function* pathsTo(
	element: Element,
	top: Element,
	names: (element: Element) => Step[],
	all = [element],
): Generator<Path> {
	if (element === top) {
		yield pathOf([]);
		return;
	}
	const chain = chainOf(element, top);
	const above = chain.slice(1);
	const own = names(element).filter(({ matches }) => all.every(matches));
	const tag = tagOf(element);
	const within = (scopes: Step[]) =>
		scopes.flatMap((scope) => [...own, tag].map((step) => pathOf([scope, step])));
	const isPage = top.parent === undefined;
	yield* own.map((step) => pathOf([step]));
	for (const ancestor of above) yield* within(names(ancestor));
	if (!isPage) yield pathOf([tag]);
	for (const ancestor of above.filter(isTelling)) yield* within([tagOf(ancestor)]);
	const place = placeOf(element, all);
	if (!isPage) yield pathOf([place]);
	let level = new Set(all);
	let between: Step[] = [];
	for (const ancestor of above) {
		for (const scope of names(ancestor))
			yield* [...own, place].map((step) => pathOf([scope, ...between, step], true));
		level = new Set([...level].flatMap(({ parent }) => (parent && parent !== top ? parent : [])));
		between = [placeOf(ancestor, level), ...between];
	}
	yield pathOf([...between, place], true, isPage ? '' : '> ');
}

/** Whether a path selects an element within another element. */
export function matches({ css, steps, isDirect }: Path, element: Element, top: Element): boolean {
	let index = steps.length - 1;
	if (!steps[index]?.matches(element)) return false;
	let at = element.parent;
	for (; index > 0 && at && at !== top; at = at.parent) {
		if (steps[index - 1].matches(at)) index--;
		else if (isDirect) return false;
	}
	return index === 0 && (!css.startsWith('>') || at === top);
}

import type { Page } from './page';
import { decoded } from './pieces';
import type { Element } from './reader';
import { mapInTurns, type Rest } from '../http/concurrency';
import { cut, looksLike } from '../http/text';
import { isObject, isText } from '../http/values';

// What a page says about its content for search engines: JSON-LD, microdata and meta tags, all as JSON-LD has it.

/** Scripts and texts are only read up to here. More would take too long. */
const [MOST_SCRIPT, MOST_TEXT] = [500_000, 20_000];
export const DEEPEST = 6;
/** The properties under which JSON-LD has the thing of a page. Things in lists are under other properties. */
const MAIN_KEYS = ['@graph', 'mainEntity', 'mainEntityOfPage', 'blogPost'];

/** A thing's type, and its properties in schema.org's words. */
export type Declared = Record<string, unknown>;

export const flatOf = (value: unknown): unknown[] =>
	Array.isArray(value) ? value.flat(DEEPEST) : value === undefined || value === null ? [] : [value];

/** The names of a thing's types, such as `Product`. */
export const typesOf = (thing: Declared): string[] =>
	flatOf(thing['@type'])
		.filter(isText)
		.map((type) => type.replace(/^.*[/#:]/, ''));

/** Not everything that looks like a tag is a tag: `x<y and a>b`. */
const TAGS =
	/<\/?(?:a|b|br|div|em|font|h[1-6]|i|img|li|ol|p|script|small|span|strong|su[bp]|table|tbody|td|th|tr|u|ul)(?:[\s/][^<>]*)?>/gi;

/** A declared text as people see it. Some texts contain HTML tags or entities. */
export const plain = (text: string): string =>
	looksLike(decoded(decoded(cut(text, MOST_TEXT))).replace(TAGS, ' '));

/** JSON with HTML comments, line breaks in texts and final commas. */
function parsed(script: string): unknown {
	if (script.length > MOST_SCRIPT) return undefined;
	const text = script.replace(/<!\[CDATA\[|\]\]>/g, '');
	const from = text.search(/[[{]/);
	const to = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
	const json = text.slice(from, to + 1);
	return parse(json) ?? parse(json.replace(/\p{Cc}/gu, ' ').replace(/, *(?=[}\]])/g, ''));
}

function parse(json: string): unknown {
	try {
		return JSON.parse(json);
	} catch {
		return undefined;
	}
}

/** Things with a type, and things that are their content. */
function* thingsIn(value: unknown, depth = 0): Generator<Declared> {
	for (const thing of depth < DEEPEST ? flatOf(value) : []) {
		if (!isObject(thing)) continue;
		if (thing['@type']) yield thing;
		for (const key of MAIN_KEYS) yield* thingsIn(thing[key], depth + 1);
	}
}

/** Replaces a reference by `@id` with the thing that it names. */
async function linked(things: Declared[], rest: Rest): Promise<Declared[]> {
	const isName = (thing: Declared) => Object.keys(thing).every((key) => /^@(id|type)$/.test(key));
	const whole = (value: unknown) =>
		(isObject(value) && isName(value) && known.get(value['@id'])) || value;
	const known = new Map<unknown, Declared>();
	for (const thing of things) {
		await rest();
		if (isText(thing['@id']) && !isName(thing)) known.set(thing['@id'], thing);
	}
	return await mapInTurns(things, rest, (thing) => {
		const values = Object.entries(thing).map(([key, value]) => [
			key,
			Array.isArray(value) ? value.map(whole) : whole(value),
		]);
		return Object.fromEntries(values);
	});
}

async function jsonLdOn({ elements, rest }: Page): Promise<Declared[]> {
	const things: Declared[] = [];
	for (const { tag, attributes, raw } of elements) {
		if (tag !== 'script' || !/^application\/ld\+json\b/i.test(attributes.type ?? '')) continue;
		await rest();
		const script = parsed(raw);
		await rest();
		things.push(...thingsIn(script));
	}
	return await linked(things, rest);
}

function declaredIn(page: Page, element: Element, names: string): string {
	const { tag, attributes } = element;
	if (attributes.content !== undefined) return attributes.content;
	const isLink = tag === 'link' || (tag === 'a' && /\b(url|sameAs|image)\b/.test(names));
	const key = isLink ? 'href' : tag === 'img' ? 'src' : tag === 'time' ? 'datetime' : 'innerText';
	return page.valueOf(element, key) || cut(element.text, MOST_TEXT);
}

async function microdataOn(page: Page): Promise<Declared[]> {
	const things: Declared[] = [];
	const owners: Array<Declared | undefined> = [];
	for (const element of page.elements) {
		await page.rest();
		const { at, parent, attributes } = element;
		const { itemprop: names = '', itemscope, itemtype = '' } = attributes;
		const owner = parent && owners[parent.at];
		const own: Declared | undefined =
			itemscope === undefined ? undefined : { '@type': itemtype.split(/\s+/) };
		owners[at] = own ?? owner;
		if (own && !(owner && names)) things.push(own);
		if (!owner || !names) continue;
		const value = own ?? declaredIn(page, element, names);
		for (const name of value === '' ? [] : names.split(/\s+/, DEEPEST)) {
			const all = owner[name];
			if (Array.isArray(all)) all.push(value);
			else owner[name] = [value];
		}
	}
	return (await mapInTurns(things, page.rest, (thing) => [...thingsIn(thing)])).flat();
}

export async function metaOn({ elements, rest }: Page): Promise<Record<string, string>> {
	const found: Record<string, string> = {};
	for (const { tag, attributes } of elements) {
		await rest();
		const { content = '', property, name = property, rel } = attributes;
		if (tag === 'meta' && name && content) found[name.toLowerCase()] ??= plain(content);
		if (tag === 'link' && rel === 'canonical') found.canonical ??= attributes.href ?? '';
	}
	return found;
}

/** The things that a page declares. Those of JSON-LD come first. */
export const declaredOn = async (page: Page): Promise<Declared[]> => [
	...(await jsonLdOn(page)),
	...(await microdataOn(page)),
];

import { looksLike, MAX_LENGTH } from './text';

export interface LinkSettings {
	/** Whether the part after a question mark doesn't count. */
	ignoreQuery?: boolean;
}

/** Links without a host: a path, parameters, or a place on another page. */
const ROUTE =
	/^\.{0,2}\/|^[^\s?#]*\?[^\s=]+=|^[^\s?#]+\.(?:html?|php|aspx?|jsp)[?#]|^[\w.-]+\/[^\s?#]*#\p{L}/iu;

/**
 * One spelling for all spellings of a link. A place on the page doesn't count, but a route such as `#/cart` does. Texts
 * that aren't links only lose invisible characters.
 */
export const addressOf = (url: string, settings?: LinkSettings): string =>
	url.length > MAX_LENGTH.link ? url : addressIn(looksLike(url), settings);

function addressIn(text: string, { ignoreQuery }: LinkSettings = {}): string {
	const { origin, path, query = '', place = '' } = inParts(text);
	if (origin === '' && !ROUTE.test(text)) return text;
	const [route, parameters = ''] = /^#!?\//.test(place) ? place.split(/\?(.*)/) : [''];
	const [first, second] = [query, parameters].map((all) =>
		ignoreQuery || all === '' ? '' : `?${spelled(all, '&=+;')}`,
	);
	return (withoutSlash(origin + spelled(path, '/')) || '/') + first + route + second;
}

function inParts(text: string) {
	const full = text.replace(/^(?=www\.)/i, '//').replace(/^\/\//, 'https://');
	if (/^https?:/i.test(full) && URL.canParse(full)) {
		const { protocol, hostname, port, pathname: path, search, hash: place } = new URL(full);
		const host = hostname.replace(/\.$/, '') + (port && `:${port}`);
		return { origin: `${protocol}//${host}`, path, query: search.slice(1), place };
	}
	const [, path = '', query, place] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/.exec(text) ?? [];
	return { origin: '', path, query, place };
}

/** Encodes only what must be encoded. Encoded separators don't separate. */
const spelled = (text: string, separators: string): string =>
	text.replace(/%[\da-f]{2}|[^\w.~-]/giu, (mark) => {
		if (separators.includes(mark)) return mark;
		if (mark.length < 3) return encodeURIComponent(mark);
		return mark < '%8' ? encodeURIComponent(decodeURIComponent(mark)) : mark.toUpperCase();
	});

export function withoutSlash(url: string): string {
	let end = url.length;
	while (url[end - 1] === '/') end--;
	return url.slice(0, end);
}

/** Also ends links in Chinese and Japanese texts. */
const CHUNKS = /[^\s<>"'`|\u3000-\u303f\uff00-\uffef]+/g;

/** A link's start within a word: in Markdown, or without a space before it. */
const LINK_IN_WORD = /(?<=\]\()|(?<=[^\x20-\x7e](?=https?:))/i;

/** A text in one line with the addresses of its links. */
export const withAddresses = (text: string, settings: LinkSettings): string =>
	text.replace(CHUNKS, (word) =>
		/[/?]/.test(word)
			? word
					.split(LINK_IN_WORD)
					.map((part) => withAddress(part, settings))
					.join('')
			: word,
	);

/** Brackets around a link and punctuation after it don't belong to it. */
function withAddress(word: string, settings: LinkSettings): string {
	let start = 0;
	while ('([{*_'.includes(word.charAt(start)) && start < word.length) start++;
	let end = start;
	for (let open = 0; end < word.length; end++) {
		if ('(['.includes(word[end])) open++;
		if (')]'.includes(word[end]) && --open < 0) break;
	}
	while (end > start && '.,;:!*_'.includes(word[end - 1])) end--;
	const link = word.slice(start, end);
	return link === '' || link.length > MAX_LENGTH.link
		? word
		: word.slice(0, start) + addressIn(link, settings) + word.slice(end);
}

import type { IDataObject } from 'n8n-workflow';
import type { Rest } from '../http/concurrency';
import { decoded, piecesOf } from '../html/pieces';
import { cut, looksLike } from '../http/text';
import { isText } from '../http/values';
import { isOfPages, urlOf, type Captured, type Part } from './captured';
import { emailsIn, withSigns } from './emails';
import type { Hint } from './hint';
import { textOf } from './pageText';
import { labelIn, MAX_LABEL, PHONE_SIGN, phoneOf, phonesIn } from './phones';
import { profileOf, type Contact } from './profiles';

/** A part of a page in its order: a text, or the URL of a link. */
interface Segment {
	text?: string;
	link?: string;
}

/**
 * The email addresses, phone numbers and profiles on a run's pages, each once, with the page where it was found
 * first.
 * @param address the URL of the run's only page, if the run doesn't contain it
 */
export async function contactsOf(
	{ parts }: Captured,
	address: string | undefined,
	hint: Hint,
	rest: Rest,
): Promise<IDataObject[]> {
	const found = new Contacts();
	for (const { kind, rows } of parts) {
		for (const row of rows) {
			const isPage = isOfPages({ kind });
			if (isPage && !isText(row.html)) hint(WITHOUT_HTML);
			const url = (isPage ? urlOf(row) : undefined) ?? address ?? null;
			for (const contact of contactsIn(segmentsOf(row, kind))) {
				await rest();
				if (contact) found.add(contact, url);
			}
		}
	}
	return found.items.map((item) => ({ ...item }));
}

const WITHOUT_HTML =
	"Some pages were captured without HTML. Other formats may lack the contacts in a page's header and footer. Add 'HTML' to the robot's output formats";

interface ContactItem extends Contact {
	url: string | null;
}

class Contacts {
	readonly items: ContactItem[] = [];
	private readonly known = new Map<string, ContactItem>();

	/** A phone number may be written with and without its country code. */
	add(contact: Contact, url: string | null): void {
		const keys = keysOf(contact);
		const same = keys
			.map((key) => this.known.get(key))
			.find((known, index) => known && (index === 0 || isNational(known)));
		const item = same ?? { ...contact, url };
		if (same && isNational(same) && !isNational(contact)) same.value = contact.value;
		if (!same) this.items.push(item);
		for (const key of keys) if (!this.known.has(key)) this.known.set(key, item);
	}
}

const isNational = ({ type, value }: Contact) => type === 'phone' && !value.startsWith('+');

/** A number without its country code has a key of the whole number. */
function keysOf({ type, value }: Contact): string[] {
	if (type !== 'phone') return [`${type} ${value.toLowerCase()}`];
	if (!value.startsWith('+')) return [value.replace(/^(?:0|1(?=\d{10}$))/, '')];
	return [value, value.slice(1), value.replace(COUNTRY_CODE, '')];
}

const COUNTRY_CODE = /^\+(?:1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})0?/;

/** Texts are read in parts of this length. */
const LONGEST = 10_000;

/** Yields undefined wherever the work may rest. */
function* contactsIn(segments: Iterable<Segment | undefined>): Generator<Contact | undefined> {
	let before = '';
	for (const segment of segments) {
		yield;
		const { text = '', link } = segment ?? {};
		if (link !== undefined) yield* contactsOfLink(link, before);
		for (let from = 0; from < text.length; from += LONGEST) {
			const line = looksLike(text.slice(from, from + LONGEST).normalize('NFKC'));
			yield* emailsIn(line);
			yield* phonesIn(line, before);
			for (const word of line.split(' ')) {
				const [url = ''] = word.includes('/') ? (URL_IN_WORD.exec(word) ?? []) : [];
				yield profileOf(url.replace(/[.,;:!?]$/, ''));
			}
			if (line) before = `${before}${line}\n`.slice(-MAX_LABEL);
		}
	}
}

const URL_IN_WORD = /[\p{L}\p{N}][^\s<>"'()[\]*]*/u;

function* contactsOfLink(link: string, before: string): Generator<Contact | undefined> {
	const url = cut(link.trim(), LONGEST);
	if (/^mailto:/i.test(url)) {
		const [names] = url.slice('mailto:'.length).split('?');
		yield* emailsIn(unencoded(names).replace(/[,;]/g, ' '));
	} else if (/^(?:tel|callto):/i.test(url)) {
		const value = phoneOf(unencoded(url));
		if (value && labelIn(before) !== 'fax') yield { type: 'phone', value };
	} else yield profileOf(url);
}

function unencoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function* segmentsOf(row: IDataObject, kind: Part['kind']): Generator<Segment | undefined> {
	if (!isOfPages({ kind })) return yield* segmentsOfText(textOf(row, kind));
	const { html, links } = row;
	if (isText(html)) return yield* segmentsOfHtml(html);
	for (const text of [row.markdown, row.text, row.snippet, row.description])
		if (isText(text)) yield* segmentsOfText(text);
	for (const link of Array.isArray(links) ? links : []) yield { link: String(link) };
}

/** Elements with code, which often contains examples. */
const CODE = /^(?:code|kbd|samp)$/;

function* segmentsOfHtml(html: string): Generator<Segment | undefined> {
	let [text, tags, codes] = ['', '', 0];
	for (const piece of piecesOf(html)) {
		yield;
		if (!piece) continue;
		const { tag = 'wbr', isEnd, attributes } = piece;
		const next = codes === 0 ? decoded(piece.text) : '';
		if (tags && /\S/.test(next)) {
			if (text.length > LONGEST || !isWithinEmail(text, tags, next)) {
				yield { text };
				text = '';
			}
			tags = '';
		}
		if (!tags) text += next;
		if (tag === 'wbr') continue;
		tags = cut(tags + (PHRASING.test(tag) ? '<' : '<<'), 2);
		if (CODE.test(tag)) codes = Math.max(0, codes + (isEnd ? -1 : 1));
		const signs = isEnd ? [] : segmentsOfTag(tag, attributes);
		if (signs.length === 0) continue;
		yield { text };
		yield* signs;
		text = '';
	}
	yield { text };
}

const PHRASING = /^(?:a|abbr|b|bd[io]|big|em|font|i|mark|small|span|strong|u)$/;

/** Tags next to an address's `@` or in its domain. A name before `@` has one tag, as pages also show names and mentions. */
const isWithinEmail = (text: string, tags: string, next: string): boolean =>
	WITHIN_EMAIL.test(withSigns(cut(text.slice(-80) + tags + next, 99)));

const WITHIN_EMAIL =
	/\S@<|<\s?@\s?$|@[^\s@<]+<+\.(?:\w|$)|@[^\s@<.]+\.<+\w|(?<!\S)[a-z][\w.-]*<@\w/;

/** A link, or an icon or a class that says what the next number is. */
function segmentsOfTag(tag: string, attributes: Record<string, string>): Segment[] {
	const { class: classes, itemprop, title, alt, href } = attributes;
	const names = [classes, itemprop, title, alt, attributes['aria-label']].filter(Boolean).join(' ');
	const sign = SIGN.exec(cut(names, 300))?.[1];
	const link = tag === 'a' || tag === 'area' ? href : undefined;
	return [
		...(sign ? [{ text: /fax/i.test(sign) ? 'Fax' : PHONE_SIGN }] : []),
		...(link ? [{ link }] : []),
	];
}

const SIGN = /(?<![a-z])((?:tele)?phone|tel|(?:tele)?fax)(?:number)?(?![a-z])/i;

/** The lines of a text or of Markdown, without code. */
function* segmentsOfText(text: string): Generator<Segment | undefined> {
	let isCode = false;
	for (const line of text.split('\n')) {
		yield;
		if (/^ {0,9}(?:```|~~~)/.test(line)) isCode = !isCode;
		if (isCode) continue;
		const [first, ...others] = withoutCode(line).split('](');
		let text = first;
		for (const other of others) {
			// A link's text is read after its URL, as in HTML, so that a label before it applies to both.
			const start = text.lastIndexOf('[');
			const end = endOfLink(other);
			yield { text: bared(text.slice(0, Math.max(0, start))) };
			yield { link: other.slice(0, end) };
			yield { text: bared(text.slice(start + 1)) };
			text = other.slice(end);
		}
		yield { text: bared(text) };
	}
}

function withoutCode(line: string): string {
	const parts = line.split('`');
	return parts.length % 2 === 0 ? line : parts.filter((_, index) => index % 2 === 0).join(' ');
}

/** Markdown marks characters that have no meaning. */
const bared = (markdown: string) => markdown.replace(/\\([!-/:-@[-`{-~])/g, '$1');

function endOfLink(text: string): number {
	let end = 0;
	for (let open = 0; end < text.length; end++) {
		if (text[end] === '(') open++;
		if (/\s/.test(text[end]) || (text[end] === ')' && --open < 0)) break;
	}
	return end;
}

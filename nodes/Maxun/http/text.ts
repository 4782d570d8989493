/*
 * The door for texts of pages and servers. Each text passes through one of these functions before a pattern reads it.
 * A pattern's time may grow with the square of the text's length, so no text is longer than necessary.
 */

/** Longer texts aren't values of this kind. */
export const MAX_LENGTH = { link: 2_000, value: 200 };

/** How much of a page a message shows, and how much shows its state. */
const MESSAGE = 500;
const PAGE = 10_000;

/** In one line, without invisible characters and halves of characters. */
export const looksLike = (text: string): string =>
	wellFormed(text.normalize('NFC'))
		.replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
		.replace(/\s+/g, ' ')
		.trim();

export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');

/** Never ends with half a character, which a model's API may reject. */
export const cut = (text: string, length: number): string =>
	text.length <= length ? text : text.substring(0, length).replace(/[\ud800-\udbff]$/, '');

/** Shows that it was cut. */
export const short = (text: string, length: number): string =>
	text.length <= length ? text : `${cut(text, length)}…`;

/** A browser's messages have terminal colors. */
const COLORS = new RegExp(String.raw`\x1b\[[\d;]*m`, 'g');
export const withoutColors = (text: string): string => cut(text, PAGE).replace(COLORS, '');

/** A text for a message. */
export const forMessage = (text: string): string => cut(looksLike(cut(text, PAGE)), MESSAGE);

/** The first line, without a stack trace that follows in the same line. */
export function firstLine(text: string): string {
	const [line] = cut(text, PAGE).trimStart().split('\n', 1);
	return cut(looksLike(line).split(/ \(?at \S+ \(| \(at [^)]*node:/)[0], 200);
}

/** A text from a cell for patterns: empty if it is too long. Several blanks become one. */
export const valueIn = (cell: unknown, most = MAX_LENGTH.value): unknown => {
	if (typeof cell !== 'string') return cell;
	return cell.length > most
		? ''
		: wellFormed(cell).replace(/\s\s+/g, (blanks) => (blanks.includes('\n') ? '\n' : ' '));
};

/** The text of an HTML page, without scripts and style sheets. */
export const textOfHtml = (html: string): string =>
	cut(html, PAGE)
		.split(/<(?=\/?(?:style|script)\b)/i)
		.filter((part, index) => index === 0 || !/^(?:style|script)\b/i.test(part))
		.join('<')
		.replace(/<[^<>]*>/g, ' ');
export function firstOf(texts: string[], most: number): string {
	const rest = texts.length - most;
	return texts.slice(0, most).join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}

/** Texts of pages and servers may end with a full stop. */
export const sentences = (...parts: Array<string | null | undefined>): string =>
	parts.flatMap((part) => (part ? part.replace(/[.\s]{1,9}$/, '') : [])).join('. ');

export const quoted = (names: string[], most = 20): string =>
	firstOf(
		names.map((name) => `'${name}'`),
		most,
	);

export const counted = (count: number, noun: string): string =>
	`${count} ${noun}${count === 1 ? '' : 's'}`;

export const wordsOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

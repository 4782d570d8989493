/** In one line, without characters that nobody sees and halves of characters. */
export const looksLike = (text: string): string =>
	text
		.normalize('NFC')
		.replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
		.replace(/\p{Surrogate}/gu, '\ufffd')
		.replace(/\s+/g, ' ')
		.trim();

/** Never ends with half a character, which a model's API may reject. */
export const cut = (text: string, length: number): string =>
	text.length <= length ? text : text.substring(0, length).replace(/[\ud800-\udbff]$/, '');

export const firstLine = (text: string): string =>
	cut(text.split(/\n|\s+\(?at \S+ \(|\s+\(at [^)]*node:/)[0].trim(), 200);

export function firstOf(texts: string[], most: number): string {
	const rest = texts.length - most;
	return texts.slice(0, most).join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}

export const quoted = (names: string[], most = 20): string =>
	firstOf(
		names.map((name) => `'${name}'`),
		most,
	);

export const counted = (count: number, noun: string): string =>
	`${count} ${noun}${count === 1 ? '' : 's'}`;

export const wordsOf = (error: unknown): string =>
	error instanceof Error ? error.message : String(error);

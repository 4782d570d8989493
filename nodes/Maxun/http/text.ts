/** How much text after the end to read, in UTF-16 units. Characters such as flags and families have several. */
const LONGEST_CHARACTER = 64;

/**
 * The beginning of a text. Ends between two characters, because a model's API may refuse half of one.
 *
 * @param length maximum length, in UTF-16 units
 */
export function cut(text: string, length: number): string {
	if (text.length <= length) return text;
	// The first one takes 10 ms, which n8n's start needn't wait for.
	const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
	const nearby = characters.segment(text.slice(0, length + LONGEST_CHARACTER));
	return text.slice(0, nearby.containing(length)?.index ?? 0);
}

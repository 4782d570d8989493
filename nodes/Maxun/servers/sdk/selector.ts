/**
 * Selectors that the browser of the check understands, but not the page in which a robot reads data. A name may contain
 * an escaped colon: `.md\:text-lg`.
 */
const ONLY_PLAYWRIGHT =
	/^(text|css|xpath|id|data-testid)=|(?<!\\):(has-text|text|text-is|text-matches|visible)\b/;

const CLOSING: Record<string, string> = { '(': ')', '[': ']' };

/** Why a text can't be a CSS selector or XPath, phrased to follow the text; undefined if it can be one. */
export function selectorProblem(selector: string): string | undefined {
	if (/^</.test(selector)) return 'is HTML';
	if (/^https?:/i.test(selector)) return 'is a URL';
	if (ONLY_PLAYWRIGHT.test(selector)) return 'is neither CSS nor XPath';
	return isBalanced(selector)
		? undefined
		: 'is incomplete: a bracket or a quotation mark is not closed';
}

/** Whether each bracket and quotation mark is closed. */
function isBalanced(selector: string): boolean {
	const open: string[] = [];
	let quote = '';
	for (const character of selector.replace(/\\./g, '')) {
		if (quote) {
			if (character === quote) quote = '';
		} else if (character === '"' || character === "'") {
			quote = character;
		} else if (character in CLOSING) {
			open.push(CLOSING[character]);
		} else if (')]'.includes(character) && open.pop() !== character) {
			return false;
		}
	}
	return quote === '' && open.length === 0;
}

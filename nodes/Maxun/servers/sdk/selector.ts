import { MAX_LENGTH, wordsOf } from '../../http/text';
import type { Capture } from '../definition';
import { isOnlyCss, SelectorError, xpathOfPage, xpathsWithin } from './cssToXPath';

// Maxun reads rows with an XPath that begins with `//`. It reads columns with CSS within the row, or with an XPath
// that begins with the rows' XPath, and single fields with CSS. Playwright reads everything else.

export const isXPath = (selector: string) =>
	/^(\(*\.{0,2}\/|\.\.?$|(ancestor|child|descendant|following|parent|preceding|self)[a-z-]*::\w)/.test(
		selector.trim(),
	);

/** They work only in the browser that checks them, but not on the page where a robot reads data. */
const ONLY_PLAYWRIGHT =
	/^(text|css|xpath|id|data-testid)=|:(has-text|text|text-is|text-matches|visible)(?![\w-])/;

/** Why a text is neither a CSS selector nor XPath; undefined if it is. */
export function selectorProblem(selector: string): string | undefined {
	const subject = `'${selector}'`;
	if (selector.length > MAX_LENGTH.link)
		return `A text of ${selector.length} characters is too long`;
	if (/^</.test(selector)) return `${subject} is HTML`;
	if (/^https?:/i.test(selector)) return `${subject} is a URL`;
	if (ONLY_PLAYWRIGHT.test(outline(selector, '['))) return `${subject} is neither CSS nor XPath`;
	const isComplete =
		!/["']/.test(outline(selector)) && !/[[\]()]/.test(outline(selector, '[', '('));
	return isComplete
		? undefined
		: `${subject} is incomplete: a bracket or a quotation mark is not closed`;
}

export const rowProblem = (selector: string) =>
	selectorProblem(selector) ?? thrown(selector, () => rowXPath(selector));

export const columnProblem = (selector: string) =>
	selectorProblem(selector) ?? thrown(selector, () => columnIn('//*', selector));

/** Maxun splits the selector at commas, and reads `and` as XPath. */
export function paginationProblem(selector: string): string | undefined {
	const visible = isXPath(selector) ? '' : outline(selector, '[', '(');
	const isSplit = selector.split(',').length > visible.split(',').length;
	const isMistaken = !isXPath(selector) && / (and|or) /.test(selector);
	return (
		selectorProblem(selector) ??
		(isSplit || isMistaken
			? `Maxun cannot use '${selector}' here. Enter CSS without commas in brackets or quotation marks, and without ' and ' or ' or '`
			: undefined)
	);
}

function thrown(selector: string, read: () => unknown): string | undefined {
	try {
		read();
		return undefined;
	} catch (error) {
		return `In '${selector}', ${wordsOf(error)}`;
	}
}

/** The XPath with which Maxun reads a list's rows. @throws SelectorError */
export function rowXPath(selector: string): string {
	if (!isXPath(selector)) return xpathOfPage(selector);
	const { path, attribute } = elementOf(selector);
	if (attribute)
		throw new SelectorError(`/@${attribute}`, 'Remove it, because a row is an element');
	return onPage(demandOne(withoutBrackets(path, '//html')).replace(/^\.(?=\/)/, ''));
}

/** Steps after a union belong only to its last part. */
function demandOne(path: string): string {
	if (outline(path, '[').includes('|'))
		throw new SelectorError('|', 'Write CSS with a comma instead');
	return path;
}

/** Playwright doesn't recognize `/html/body` as XPath. */
export const onPage = (selector: string) => selector.trim().replace(/^\/(?!\/)/, '//');

/** `check` is an XPath that shows whether the column exists, if XPath can express it. */
type StoredColumn = Omit<Capture, 'name'> & { check?: string };

/** CSS isn't converted. With XPath, Maxun searches the whole page for each cell (24 s for 5,000). @throws SelectorError */
export function columnIn(rows: string, given: string, attribute = ''): StoredColumn {
	const selector = given.trim();
	if (['', '.', ':scope'].includes(selector)) return { selector: rows, attribute, check: rows };
	if (!isXPath(selector)) {
		const isSibling = /^(:scope\s*)?[+~]/.test(selector);
		if (!isSibling && isOnlyCss(selector)) return { selector: scoped(selector), attribute };
		const paths = xpathsWithin(selector).map((path) => rows + path);
		const check = paths.join(' | ');
		// Browsers find a row's siblings only with XPath.
		if (!isSibling) return { selector: scoped(selector), attribute, check };
		if (paths.length > 1) throw new SelectorError(',', 'Enter only one selector');
		return { selector: check, attribute, check };
	}
	const element = elementOf(selector);
	const path = isBelow(element.path, rows) ? element.path : rows + relative(element.path);
	return { selector: path, attribute: element.attribute ?? attribute, check: path };
}

export const canCheckColumn = (selector: string): boolean =>
	columnIn('//*', selector).check !== undefined;

export function relativeTo(rows: string, selector: string): string {
	return isBelow(selector, rows) ? `.${selector.slice(rows.length)}` : selector;
}

const isBelow = (path: string, rows: string) =>
	path === rows || path.startsWith(rows.endsWith('/') ? rows : `${rows}/`);

function relative(path: string): string {
	if (/^\/(html|body)\b/.test(path)) {
		throw new SelectorError(path, 'Write only the part within the row, for example ./td[2]');
	}
	const own = demandOne(withoutBrackets(path, '')).replace(/^\.(?=\/|$)/, '');
	return own.startsWith('/') ? own : `/${own}`;
}

/** Maxun reads attributes and texts in another way. */
function elementOf(xpath: string): { path: string; attribute?: string } {
	const text = xpath.trim();
	const [end = '', attribute] = /\/@([\w:-]+)$|\/{1,2}text\(\)$/.exec(text) ?? [];
	const path = text.slice(0, text.length - end.length);
	return path ? { path, attribute } : { path: text };
}

/** Maxun requires an XPath that doesn't begin with a bracket: `(//ul)[2]/li` is `descendant::ul[2]/li`. */
function withoutBrackets(xpath: string, from: string): string {
	const shape = outline(xpath, '[');
	if (!shape.startsWith('(')) return xpath;
	if (/^\([^()]*\)$/.test(shape)) return xpath.slice(1, -1).trim();
	const [, before = '', step] = /^(\(\s*\.?\/\/)([\w*.-]+\s*)\)_/.exec(shape) ?? [];
	if (step === undefined) {
		throw new SelectorError(xpath, 'Write it in CSS, or without the brackets at the beginning');
	}
	const end = before.length + step.length;
	return `${from}/descendant::${xpath.slice(before.length, end).trim()}${xpath.slice(end + 1)}`;
}

/** Browsers require `:scope > a` for `> a`. */
function scoped(css: string): string {
	const signs = [...outline(css, '[', '(').matchAll(/(?<=^\s*|,\s*)[>+~]/g)];
	return signs.reduceRight(
		(text, { index }) => `${text.slice(0, index)}:scope ${text.slice(index)}`,
		css,
	);
}

/** A text of the same length, with `_` for everything inside quotation marks and these brackets. */
function outline(text: string, ...brackets: Array<'[' | '('>): string {
	const hide = (pattern: RegExp, from: string) =>
		from.replace(pattern, (found) => '_'.repeat(found.length));
	const pattern = { '[': /\[[^[\]]*\]/g, '(': /\([^()]*\)/g };
	let shape = hide(/"[^"]*"|'[^']*'/g, hide(/\\./g, text));
	for (let before = ''; before !== shape; ) {
		before = shape;
		for (const bracket of brackets) shape = hide(pattern[bracket], shape);
	}
	return shape;
}

const CSS_PART =
	/(?:\s*[>+~]\s*|\s+)?(?:[.#]?(?:\\[^]|[\w-]|[^\0-\x7f])+|\*|\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]|::?[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?)/y;

const XPATH_PART = /\/{0,2}[^/[\]|()]+|\[(?:"[^"]*"|'[^']*'|[^[\]"']|\[[^[\]]*\])*\]/y;

const MOST_SIMPLER = 8;

/** Selectors that match if this selector does, nearest first: `ul > li, ul` for `ul > li.a`. Empty for alternatives. */
export function simplerThan(selector: string): string[] {
	const text = selector.trim();
	const parts = text.match(new RegExp(isXPath(text) ? XPATH_PART : CSS_PART, 'gy')) ?? [];
	if (parts.join('') !== text) return [];
	const simpler = parts.map((part, index) => {
		const before = parts.slice(0, index).join('');
		const [, sign = '', word] = /^([\s>+~]*)\.([a-z]+(?:[_-][a-z]+)?)/i.exec(part) ?? [];
		const similar = word?.length > 3 ? [`${before}${sign}[class*="${word}" i]`] : [];
		return [...similar, before.trim()];
	});
	return simpler.reverse().flat().filter(Boolean).slice(0, MOST_SIMPLER);
}

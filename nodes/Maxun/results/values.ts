/**
 * The text from which numbers and dates are read. It doesn't contain invisible characters, has ASCII digits and marks,
 * and a line break for each gap that is wider than a blank. Empty if it is too long.
 */
export function cellText(cell: string): string {
	if (cell.length > 10_000) return '';
	const text = PLAIN.test(cell)
		? cell
		: cell
				.normalize('NFC')
				.replace(/\p{DI}/gu, '')
				.trim()
				.replace(/\s+/g, (gap) => (/^[^\n\t]$/.test(gap) ? ' ' : '\n'))
				.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
				.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15))
				.replace(/[٪٫٬]/g, (mark) => ARABIC[mark]);
	return text.length > 300 ? '' : text;
}

/** Most cells, which aren't changed. */
const PLAIN = /^[!-~¡-¬®-ɏ–—’€₽₹]+(?: [!-~¡-¬®-ɏ–—’€₽₹]+)*$/;

/** `⎖` is always a decimal separator. */
const ARABIC: Record<string, string> = { '٪': '%', '٫': '⎖', '٬': "'" };

const PLACEHOLDER = /^(?:n\s?[./]?\s?a\.?|[-–—−.…_?]+|null|none|undefined|nan|tb[ad])?$/i;

/** Whether a value is null, without visible characters, a placeholder such as `N/A` or `—`, or contains only these. */
export function isMissing(value: unknown): boolean {
	if (typeof value === 'object' && value) return Object.values(value).every(isMissing);
	if (typeof value !== 'string') return value === undefined || value === null;
	return value.length > 100
		? !/[^\s\p{DI}]/u.test(value)
		: PLACEHOLDER.test(value.replace(/\p{DI}/gu, '').trim());
}

/** All texts and numbers in a value, as texts. */
export function leavesOf(value: unknown): string[] {
	if (typeof value === 'object' && value) return Object.values(value).flatMap(leavesOf);
	return value === undefined || value === null ? [] : [String(value)];
}

/** Links without a scheme. Without a slash at its beginning, a path must show that it isn't text such as `24/7`. */
const RELATIVE = [
	/^[?#]\p{L}|^\/(?![/\s])\S*$|^\/\S+\/.*$|^\.\.?\//u,
	/^\/?[^/?#\s][^?#]*\.(?:html?|php|aspx?|jsp|cgi|pdf|xml|json|csv|txt|zip|docx?|xlsx?|pptx?|jpe?g|png|gif|webp|svg|mp[34])(?=$|[?#])/i,
	/^[a-z][\w./~%+-]*(?:\/(?:[\w.~%+-]*[\d_-][\w.~%+-]*)?|\?[\w.-]+=\S*)$/,
];

/** An absolute URL. @param base the page of a relative link, such as `/p/1`, `?id=1` or `oak desk.html` */
export function linkOf(value: unknown, base: string | undefined): string | null {
	if (typeof value !== 'string') return null;
	const text = value.trim().replace(/^\p{DI}+|(?<!\p{DI})\p{DI}+$/gu, '');
	if (/\n|\s(?:\(|https?:|www\.)/.test(text)) return null;
	if (/^www\.[^/]+\./i.test(text)) return hrefOf(`https://${text}`);
	if (text.startsWith('//')) return hrefOf(text, base ?? 'https://any.example');
	if (/^(?:https?|mailto|tel):./i.test(text)) return hrefOf(text);
	return isRelative(text) ? hrefOf(text, base) : null;
}

/** Whether a text without a scheme is a link. Words and names of sites aren't links. */
export const isRelative = (text: unknown): boolean =>
	typeof text === 'string' &&
	!/^[a-z][a-z\d+.-]*:|^\p{L}[\p{L}\d-]*\.\p{L}{2,}\//iu.test(text) &&
	RELATIVE.some((form) => form.test(text));

function hrefOf(text: string, base?: string): string | null {
	const encoded = text.replace(/ /g, '%20');
	return URL.canParse(encoded, base) ? new URL(encoded, base).href : null;
}

const TRUE = 'true,yes,y,on,1,ja,oui,si,sí,sim,tak,да,はい,是,✓,✔,✔️,☑,✅'.split(',');
const FALSE = 'false,no,n,off,0,nein,non,não,nee,nej,nie,нет,いいえ,否,✗,✘,✕,✖,❌,☐'.split(',');

/** Reads texts that mean true or false. */
export function flagOf(yes: string[] = [], no: string[] = []) {
	// The user's words take precedence.
	const known = new Map<string, boolean>();
	for (const word of FALSE) known.set(word, false);
	for (const word of TRUE) known.set(word, true);
	for (const word of no) known.set(wordOf(word), false);
	for (const word of yes) known.set(wordOf(word), true);
	return (value: unknown) => known.get(wordOf(value)) ?? null;
}

const wordOf = (value: unknown) => String(value).trim().replace(/\s+/g, ' ').toLowerCase();

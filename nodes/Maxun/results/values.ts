// Links and yes/no values as web pages write them. Null means that a value can't be converted.

/** The texts that pages write instead of a missing value. */
const PLACEHOLDER = /^\s*(?:n\s?[./]?\s?a\.?|[-–—−.…_*?]+|null|none|undefined|nan|tb[ad])?\s*$/i;

/** Whether a value is null, an empty text, or a placeholder such as `N/A` or `—`. */
export const isMissing = (value: unknown): value is null | undefined | '' =>
	value === undefined || value === null || (typeof value === 'string' && PLACEHOLDER.test(value));

/** A file name, which pages may link to without a path. */
const FILE =
	/^[^/?#]*\.(?:html?|php|aspx?|jsp|cgi|pdf|xml|json|csv|txt|zip|docx?|xlsx?|pptx?|jpe?g|png|gif|webp|svg|mp[34])(?=$|[?#])/i;

/**
 * An absolute URL.
 *
 * | Text                                          | On `https://shop.example/a/b` |
 * | --------------------------------------------- | ----------------------------- |
 * | `/p/1`, `p/1`, `?id=1`, `detail.html`         | the URL on this page          |
 * | `www.example.com/x`, `//cdn.example/x`        | with `https:`                 |
 * | `mailto:me@example.com`, `tel:123`            | unchanged                     |
 * | `Sold out`, `soon`, `example.com`, `#`, `javascript:…` | null                 |
 *
 * @param base the page of a relative link
 */
export function linkOf(value: unknown, base: string | undefined): string | null {
	if (typeof value !== 'string') return null;
	const text = value.trim();
	if (/\s/.test(text) || text === '#') return null;
	if (/^www\.[^/]+\./i.test(text)) return hrefOf(`https://${text}`);
	if (text.startsWith('//')) return hrefOf(text, base ?? 'https://any.example');
	if (/^[a-z][a-z\d+.-]*:/i.test(text))
		return /^(?:https?|mailto|tel):./i.test(text) ? hrefOf(text) : null;
	return isRelative(text) ? hrefOf(text, base) : null;
}

/** Whether a text without a scheme is a link. Words and names of sites aren't links. */
export function isRelative(text: string): boolean {
	if (/\s|^[a-z][a-z\d+.-]*:|^\/\/|^#$/i.test(text)) return false;
	if (/^[/?#]|^\.\.?\//.test(text)) return true;
	const [first] = text.split(/[/?#]/);
	return FILE.test(text) || (/[/?#]/.test(text) && !/\.\p{L}{2,}$/u.test(first));
}

function hrefOf(text: string, base?: string): string | null {
	try {
		return new URL(text, base).href;
	} catch {
		return null;
	}
}

const TRUE = 'true,yes,y,on,1,ja,oui,si,sí,sim,tak,да,はい,是,✓,✔,✔️,☑,✅'.split(',');
const FALSE = 'false,no,n,off,0,nein,non,não,nee,nej,nie,нет,いいえ,否,✗,✘,✕,✖,❌,☐'.split(',');

/** True or false, according to the user's words or the usual ones. */
export function flagOf(value: unknown, yes: string[] = [], no: string[] = []): boolean | null {
	const word = wordOf(value);
	const has = (words: string[]) => words.some((other) => wordOf(other) === word);
	if (has(yes)) return true;
	if (has(no)) return false;
	if (has(TRUE)) return true;
	return has(FALSE) ? false : null;
}

const wordOf = (value: unknown) => String(value).trim().replace(/\s+/g, ' ').toLowerCase();

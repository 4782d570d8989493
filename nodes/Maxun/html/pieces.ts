/** A part of a page: a text, and the tag after it. The last part and comments have no tag. */
interface Piece {
	/** As in the HTML, without what elements such as scripts contain. */
	text: string;
	/** In lower case. */
	tag?: string;
	isEnd?: boolean;
	attributes: Record<string, string>;
	/** What an element such as a script contains. */
	raw?: string;
}

/** Elements whose content isn't part of the page's text. */
export const RAW = /^(script|style|noscript|template|textarea|title|iframe)$/;

/** Characters by name. A browser has replaced most of the names, but not in scripts. */
const charactersIn = (text: string) =>
	new Map(text.split('|').map((one) => [one.slice(0, -1), one.slice(-1)]));
const ENTITIES = charactersIn(
	`amp&|apos'|commat@|gt>|lt<|nbsp |period.|quot"|rsquo’|lsquo‘|rdquo”|ldquo“|ndash–|mdash—|hellip…|frac12½|frac14¼|frac34¾|times×|deg°|szligß|euro€|pound£|yen¥|reg®|trade™|copy©`,
);
const ACCENTS = charactersIn(
	'acute\u0301|grave\u0300|circ\u0302|uml\u0308|tilde\u0303|ring\u030a|cedil\u0327',
);
const TAG = /<(?:(\/?)([a-z][^\s/>]*)|!--|[!?])/iy;
const ATTRIBUTE = /[\s/]*([^\s/=>][^\s=>]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y;

function characterOf(name: string): string | undefined {
	const accent = ACCENTS.get(name.slice(1));
	return ENTITIES.get(name) ?? (accent && (name.charAt(0) + accent).normalize('NFC'));
}

export const decoded = (text: string): string =>
	text.replace(/&(?:#(x?)([\da-f]{1,6})|(\w{2,8}));/gi, (all, x, digits, name: string) => {
		const code = Number.parseInt(digits, x ? 16 : 10);
		return code <= 0x10ffff ? String.fromCodePoint(code) : ((name && characterOf(name)) ?? all);
	});

/** The pieces of a page, as a browser serializes it. Linear. Yields undefined where the work may rest. */
export function* piecesOf(html: string): Generator<Piece | undefined, void> {
	const after = (end: string, from: number) => {
		const found = html.indexOf(end, from);
		return found < 0 ? html.length : found + end.length;
	};
	let read = 0;
	for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', Math.max(read, at + 1))) {
		yield;
		TAG.lastIndex = at;
		const [start, slash, name] = TAG.exec(html) ?? [];
		if (!start) continue;
		const tag = name?.toLowerCase();
		const piece: Piece = { text: html.slice(read, at), tag, isEnd: slash === '/', attributes: {} };
		read = at + start.length;
		if (!tag || piece.isEnd) {
			read = after(start === '<!--' ? '-->' : '>', at);
			yield piece;
			continue;
		}
		for (let one = attributeAt(html, read); one; one = attributeAt(html, read)) {
			yield;
			piece.attributes[one.name] = one.value;
			read = one.end;
		}
		read = after('>', read);
		if (RAW.test(tag)) {
			const from = read;
			read = after(`</${name}`, from) - name.length - 2;
			piece.raw = html.slice(from, read);
		}
		yield piece;
	}
	yield { text: html.slice(read), attributes: {} };
}

/** Two pages may be read at the same time, so each search says where it begins. */
function attributeAt(html: string, from: number) {
	ATTRIBUTE.lastIndex = from;
	const found = ATTRIBUTE.exec(html);
	if (!found) return undefined;
	const [, name, quoted, single, bare] = found;
	const value = decoded(quoted ?? single ?? bare ?? '');
	return { name: name.toLowerCase(), value, end: ATTRIBUTE.lastIndex };
}

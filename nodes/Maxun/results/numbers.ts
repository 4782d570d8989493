// A text is a number only if `GRAMMAR` covers all of it, because an unknown word may be a factor, as in `5 milyon TL`.

import { atOnce, mapping } from '../http/concurrency';
import { cellText } from './values';

export type NumberFormat = 'automatic' | 'point' | 'comma';

/**
 * A column's numbers. All its texts show how to read separators, letters such as `M`, and brackets and minus signs
 * that may be something else.
 * @returns `isGuess` if nothing shows whether `1,249` has thousands or decimals. The node then assumes thousands
 */
export const numbersOf = (values: unknown[], format?: NumberFormat) =>
	atOnce(numbersIn(values, format));

/** The same. Yields after each value. */
export function* numbersIn(values: unknown[], format: NumberFormat = 'automatic') {
	const known = new Map<string, Around>();
	const found = yield* mapping(values, (value) =>
		typeof value === 'string' ? numeralIn(value, known) : undefined,
	);
	const shown = new Set(found.flatMap((numeral) => (numeral && pointOf(numeral.digits)) ?? []));
	const marks = format === 'automatic' ? [...shown] : [format === 'point' ? '.' : ','];
	const column = [...known.values()].filter(({ shape }) => shape !== '?');
	const letters = column.map(({ parts }) => parts.k).join('');
	const shapes = [...new Set(column.map(({ shape }) => shape))];
	const hasDecimals = found.some((numeral) => numeral && /[.,]\d\d?$/.test(numeral.digits));
	const signs = new Map(column.map((around) => [around, signOf(around, shapes, hasDecimals)]));
	const numbers = yield* mapping(values, (value, index) => {
		const numeral = found[index];
		if (!numeral) return typeof value === 'number' && Number.isFinite(value) ? value : null;
		const { digits, around } = numeral;
		if (marks.length > 1 && isUnclear(digits)) return null;
		const text = spelledOut(digits, marks.length > 1 ? pointOf(digits) : marks[0]);
		const exponent = exponentOf(digits, around, letters);
		const sign = signs.get(around) ?? null;
		if (text === null || exponent === null || sign === null) return null;
		return sign * Number(`${text}e${exponent}`) + 0; // Never -0.
	});
	const isGuess =
		marks.length === 0 && found.some((numeral) => numeral && isUnclear(numeral.digits));
	return { numbers, isGuess };
}

/** Whether two texts have numbers in different units, such as `$5` and `5 €`. A number without a unit may have any. */
export function haveOtherUnits(one: unknown, other: unknown): boolean {
	if (typeof one !== 'string' || typeof other !== 'string') return false;
	const [before, after] = [one, other].map((text) => text.replace(/[\d.,'\s]/g, ''));
	if (before === after) return false;
	const [units, others] = [one, other].map(unitsIn);
	return units.length > 0 && others.length > 0 && !units.some((unit) => others.includes(unit));
}

/** The currencies that a number may have, because `$` may be any dollar; or `%`. */
function unitsIn(text: string): string[] {
	const { C, c, '%': percent } = numeralIn(text, new Map())?.around.parts ?? {};
	const unit = (C ?? c ?? percent ?? '').normalize('NFKC').replace(/\s/g, '').toLowerCase();
	const codes = CURRENCIES.filter((names) => names.includes(unit)).map(([code]) => code);
	return codes.length > 0 || unit === '' ? codes : [unit];
}

const byWord = (lists: Record<string, string>) =>
	new Map(
		Object.entries(lists).flatMap(([key, list]) =>
			list.split(/\s+/).map((word) => [word, key] as const),
		),
	);

/** Words for magnitudes, with their exponents of ten. `billion` and `trillion` have other meanings outside English. */
const EXPONENTS = byWord({
	3: 'thousand thousands tsd tausend тыс teur tchf keur kusd kchf 千 천',
	4: '万 萬 만',
	5: 'lakh lakhs lac lacs',
	6: 'million millions mio mn mill mln millionen millones millón milhões milhão milioni milione miljoen miljoner milionów milion млн meur musd mchf',
	7: 'crore crores',
	8: '億 亿 억',
	9: 'bn mrd mld md mds milliarde milliarden milliard milliards bilhões miliardi miliardo miljard miljarder miliardów млрд billion billions',
	12: '조 trillion trillions',
});

/** Each currency's code, names and signs. */
const CURRENCIES = `aed dh dhs, ars $ ar$, aud $ a$ au$ dollar dollars, bdt ৳, bgn лв, bhd, brl r$,
	cad $ c$ ca$ dollar dollars, chf fr sfr franken, clp $ cl$, cop $ co$, cny ¥ 元 rmb, czk kč kc, dkk kr, egp,
	eur € euro euros, gbp £ pounds, ghs, hkd $ hk$ dollar dollars, hrk, huf ft, idr rp, ils ₪, inr ₹ rs, isk kr, jod,
	jpy ¥ 円, kes ksh, krw ₩ 원, kwd, kzt ₸ тг, lkr rs, mad dh dhs, mxn $ mx$, myr rm, nad, ngn ₦, nok kr, npr rs,
	nzd $ nz$ dollar dollars, omr, php ₱, pkr rs, pln zł zl, qar, ron lei, rsd дин din, rub ₽ руб рублей р, sar, sek kr,
	sgd $ s$ sg$ dollar dollars, thb ฿ บาท, tnd, try ₺ tl, twd $ nt$, uah ₴ грн, usd $ us$ dollar dollars, uyu,
	vnd ₫ đ vnđ, zar r`
	.split(/,\s+/)
	.map((names) => names.split(' '));

/** What pages count, and what changes with every visit. */
const COUNTED = `left followers following views reviews ratings subscribers subs likes sold
	downloads votes comments users members posts shares plays listeners watchers forks installs visits visitors people
	bought items results products reply replies readers guests clicks aufrufe abonnenten bewertungen bewertung
	rezensionen antwort antworten mitglieder kommentare verkauft treffer besucher leser vues abonnés avis commentaires
	visiteurs vistas visualizaciones reproducciones seguidores suscriptores opiniones reseñas visitantes visualizações
	inscritos avaliações visualizzazioni recensioni iscritti weergaven volgers beoordelingen opinii ocen omdömen
	отзывов отзыва 人 명`;

/** Words around numbers, with their letters in `GRAMMAR`. */
const WORDS = byWord({
	C: CURRENCIES.flat().join(' '),
	// Codes of currencies that are also words.
	c: 'try ron pen cop mad gel bam',
	// Words that don't change a number.
	L: `a partire la vista à about alkaen alv ab angebot antes apenas approx as at auf available bez brutto bruttó btw
		ca cena circa da dahil de dès depuis desde dph ea each elv ex excl excluding fiyat fra från from giá gst hinta
		ht hva iva inc incl include included including incluido incluida inclusa inkl inklusive jetzt kdv kun lager lieu
		list low msrp mulai mva moms mwst net netto nettó now nu nur od off offer only our plus por porto preis preț
		pret preço precio prezzo price pris prijs prix ptu regular rrp s sale seit shipping sis solo sólo special
		starting statt stock tax taxes total ttc tva ust uvp vat van vanaf vejl verfügbar vb vhb versand versandkosten
		was z za zzgl zgl partir από τιμή цена от ціна від rated`,
	// Units, and things that pages count.
	U: `kg g mg lb lbs oz ml cl dl liters litres cm mm km mi miles in inch inches yd ha acres sqm sqft px mp
		mb gb tb kb hz khz mhz ghz w kw kwh wh v mah h hr hrs hours std stunden min mins minutes minuten sec secs
		seconds d day days tage weeks wochen months monate years yrs jahre ans jours heures mph ps hp
		kcal kj cal bar psi db pt rpm fps dpi tonnes st stk szt ks kpl pcs pc pieces stück pièces
		employees students residents inhabitants rooms beds baths bedrooms bathrooms seats pages episodes goals wins
		anzeige anzeigen zimmer einwohner habitants habitantes 個 件 本 点 枚 台 개 个 ${COUNTED}`,
	// The text after a rating, and other numbers.
	S: 'stars sterne sternen étoiles estrellas stelle sterren points punkte pts',
	M: [...EXPONENTS.keys()].join(' '),
});

const COUNTS = new Set(COUNTED.split(/\s+/));

/** Whether a word says what pages count, such as `views`. */
export const isCounted = (word: string): boolean =>
	[word, `${word}s`].some((form) => COUNTS.has(form.toLowerCase()));

export const isCurrency = (word = ''): boolean => /C/i.test(WORDS.get(word.toLowerCase()) ?? '');

const SYMBOLS = {
	' ': /\s/,
	C: /(?:(?:US|AU|CA|NZ|HK|SG|MX|NT|CL|AR|CO)\s?|[ACRS])?\$|(?!¢)\p{Sc}|[円元원]|S\/\.?|R(?=\s*$)/u,
	v: /[▼▾▽↓⬇🔻🔽]/u,
	'^': /[▲▴△↑⬆🔺🔼]/u,
};

/** Before a number: `_` is a minus that doesn't touch it, and `:` any label with a colon. */
const BEFORE = scanner({
	...SYMBOLS,
	'(': /\(/,
	_: /[-−–]\s+/,
	'-': /[-−–]/,
	'+': /\+/,
	':': /(?<=^\s*)\p{L}[\p{L}\s]*:/u,
	L: /[~≈#約约]|税込|税抜/,
});

/** What follows a rating: its maximum. */
const MAXIMUM =
	/(?:\/\s?(?:5|10|100)|(?:out of|of|von|sur|de|di|su|van|av|из|z)\s+(?:4|5|6|10|20|100))(?![\d.,])/;

/** After a number: `P` and `Q` are prices per unit, `N` is a number of votes, and `Z` a change in percent. */
const AFTER = scanner({
	...SYMBOLS,
	M: /[万萬만億亿억千천조]/,
	U: /(?:km\/h|m\/s|[ck]?m[²³23]|sq\.?\s?(?:ft|m)|ft²)(?![\p{L}\d])|°[CF]?|[″"]/u,
	k: /(?:[kKmMbBtTlL]|MM|[Cc]r)\.?(?![\p{L}\d])/u,
	'%': /%/,
	'*': /[.,:]\s?[-–—]+|\/-|[*†!.…~〜]|から/,
	'+': /\+/,
	'-': /[-−–](?=\s*(?:$|\)|\p{Sc}))/u,
	N: /\(\d[\d.,]*\s?[kK]?\+?(?:\s\p{L}+)*\)|based on \d[\d.,]*(?:\s\p{L}+)*/u,
	Z: /\((?:[-−–+]\s?)?\d[\d.,]*\s?%\)/,
	Q: /\((?=[^()]*\p{Sc})(?=[^()]*(?:\/|=| per | pro | par | je ))[^()]*\)/u,
	'(': /\(/,
	')': /\)/,
	P: /(?:\/|(?:per|pro|par|je|por|za)\s)\s?(?:\d+\s?(?:g|kg|ml|l|lb|oz|km)(?!\p{L})|\p{L}+\.?)/u,
	R: MAXIMUM,
	L: /税込|税抜|起|부터|d['’]/,
});

/** The whole text: label, sign, currency, number, magnitude, unit and note. */
const GRAMMAR =
	/^:?(?:L+(?=[C(]*#))?[v^]?(?:[-+_]?C?|C[-+_])\(?(?:[-+_]?C?|C[-+_])#\*?(?:[kM]?\+?L?[Cc]?%?-?\)?[C%]?[PULS]*|R-?\)?S?L*)\)?(?:\([LUSC]+\))?[QNZ]?[v^]?\**$/;

/** The decimal separator of a number that is certainly written in another way, such as `12€99`. */
const DECIMAL = '⎖';

const NUMERAL = /(?<![\p{L}\d.,])[.,]\d+|\d(?:[.,⎖]?\d|['’‘´`ʼ′ ](?=\d{3}(?!\d)))*/u;

const [CURRENCY, WHOLE_PART] = [
	String.raw`(?:\p{Sc}|\b[A-Z]{3}\b)`,
	String.raw`\d{1,3}(?:[.,' ]?\d{3})*`,
];

/** An amount whose cents are in another element, as in `$19⏎99`, or in which the currency separates them. */
const CENTS = new RegExp(
	String.raw`(?=\d)(?:(?<=${CURRENCY}\s?)(${WHOLE_PART})(?:[.,]\n|\n[.,]\n?|\s)(\d\d)(?=\s?(?:[*/]|$))` +
		String.raw`|(?<![\d.,]\s?)(${WHOLE_PART})(?:[.,]\n|\n[.,]\n?)(\d\d)(?=\s?${CURRENCY})` +
		String.raw`|(${WHOLE_PART})(?:\p{Sc}(\d\d)(?!\d)|\s?\p{Sc}\n(\d\d)$))`,
	'u',
);

function withDecimal(text: string, ...found: unknown[]): string {
	const [whole, cents] = found.slice(0, 7).filter((part) => typeof part === 'string');
	const [currency = ''] = /\p{Sc}/u.exec(text) ?? [];
	return `${whole.replace(/\D/g, '')}${DECIMAL}${cents}${currency}`;
}

/** Words before a rating with decimals, because these can't be a page's or a step's number. */
const RATED = new RegExp(
	String.raw`^\p{L}[\p{L}\s]*:?\s?(?=\d[.,]\d\d?\s?${MAXIMUM.source})|5つ星のうち`,
	'u',
);

interface Around {
	text: string;
	/** A letter for each part, and `#` for the number; `?` if the grammar doesn't cover it. */
	shape: string;
	/** The last part with each letter. */
	parts: Record<string, string>;
}

interface Numeral {
	/** The digits with their separators. A space or an apostrophe is `'`. */
	digits: string;
	around: Around;
}

/** The number in a text. @param known what was read around other numbers */
function numeralIn(value: string, known: Map<string, Around>): Numeral | undefined {
	const text = cellText(value).replace(CENTS, withDecimal).replace(RATED, '');
	const match = NUMERAL.exec(text);
	if (!match) return undefined;
	const digits = match[0].replace(/[^\d.,⎖]/g, "'");
	const others = `${text.slice(0, match.index)}\0${text.slice(match.index + match[0].length)}`;
	const around = known.get(others) ?? aroundOf(others);
	known.set(others, around);
	return around.shape !== '?' && isSensible(digits, around) ? { digits, around } : undefined;
}

function scanner(symbols: Record<string, RegExp>) {
	const sources = [
		...Object.values(symbols).map(({ source }) => source),
		String.raw`\p{L}[\p{L}\p{M}]*\.?`,
		'[^]',
	];
	const pattern = new RegExp(sources.map((source) => `(${source})`).join('|'), 'gu');
	return { letters: Object.keys(symbols), pattern };
}

function aroundOf(text: string): Around {
	const parts: Record<string, string> = {};
	const [before, after] = text.split('\0');
	const written = (side: string, { letters, pattern }: typeof BEFORE) =>
		side.replace(pattern, (part: string, ...found: unknown[]) => {
			const edge = Number(found.at(-2)) + (side === after ? 0 : part.length - side.length);
			const name = part.toLowerCase().replace('.', '');
			const word = WORDS.get(name) ?? (name.length > 3 ? WORDS.get(`${name}s`) : undefined);
			// Texts such as `A4` and `5G` are names, because nothing separates the label, and grams are `g`.
			const isName = (edge === 0 && word === 'L') || (side === after && /^[A-UX-Z]$/.test(part));
			const known = isName ? '?' : word;
			const letter = letters[found.findIndex((group) => group !== undefined)] ?? known ?? '?';
			parts[letter] = part.replace('.', '');
			return letter.trim();
		});
	const shape = `${written(before, BEFORE)}#${written(after, AFTER)}`;
	const isCovered = GRAMMAR.test(shape) && shape.split('(').length === shape.split(')').length;
	return { text, shape: isCovered ? shape : '?', parts };
}

/** Whether a number fits its surroundings: only a price is per unit, and only a rating has votes. */
function isSensible(digits: string, { shape, parts: { R } }: Around): boolean {
	const text = spelledOut(digits, '.') ?? spelledOut(digits, ',');
	if (text === null || digits.replace(/\D/g, '').length > 15) return false;
	if (!/[NPQR]/.test(shape)) return true;
	if (/C/i.test(shape)) return !/[NR]/.test(shape);
	const value = Number(text);
	const isRating = R === undefined ? value <= 10 && value % 1 > 0 : value <= Number(/\d+$/.exec(R));
	return isRating && !/[PQ]/.test(shape);
}

/**
 * 1 or -1; null if a mark may be a sign or something else, or if signs contradict each other.
 * @param shapes of the whole column
 */
function signOf({ shape, parts: { Z = '' } }: Around, shapes: string[], hasDecimals: boolean) {
	const [before, after] = shape.split('#');
	const [own] = /[-+]/.exec(before) ?? [];
	const weak = before.replace(/[^_v(]/g, '') + after.replace(/[^-v]/g, '');
	const isUp = shape.includes('^') || Z.includes('+');
	const isDown = /[-−–]/.test(Z);
	const has = (pattern: RegExp) => shapes.some((other) => pattern.test(other));
	if (own === '-') return /[-_]/.test(weak) || isUp ? null : -1;
	if (own === '+') return /[-_v]/.test(weak) || isDown ? null : 1;
	if (weak === '') return isDown && (isUp || !/C/i.test(shape)) ? null : 1;
	if (weak === '(') {
		if (!/^:?C?\(C?#[kM]?C?%?\)[C%]?\**$/.test(shape)) return 1;
		// In brackets, shops write counts, accountants write losses, and statisticians write errors.
		if (has(/^[^(]*#/)) return has(/C/i) || shape.includes('%') ? -1 : null;
		return has(/C/i) || (hasDecimals && !shape.includes('%')) ? null : 1;
	}
	const isSign =
		weak === 'v'
			? /[%Z]/.test(shape) || has(/\^/)
			: isDown || has(weak === '_' ? /^[^_]*$/ : /#[^-]*$/);
	return isSign && weak.length === 1 && !isUp ? -1 : null;
}

/** A magnitude's exponent of ten; null if it is unclear. @param letters all letters such as `k` in the column */
function exponentOf(digits: string, { text, shape, parts: { M, k } }: Around, letters: string) {
	if (M !== undefined) {
		const mark = pointOf(digits);
		const isEnglish = mark === '.' || (mark === undefined && /[$£]\s?\0/.test(text));
		return /^[bt]r?illion/i.test(M) && !isEnglish ? null : Number(EXPONENTS.get(M.toLowerCase()));
	}
	if (k === undefined) return 0;
	const isMoney = /C/i.test(shape);
	const isRupee = /₹|\bINR\b|\bRs\b/.test(text);
	const isClear = isMoney || /k(?:\+|L*U)/.test(shape);
	const magnitudes: Record<string, [exponent: number, isMeant: boolean]> = {
		K: [3, isClear || /[mb]/i.test(letters)],
		M: [6, isClear || /k/i.test(letters)],
		MM: [6, isMoney],
		B: [9, isClear],
		T: [12, isMoney && /[MB]/.test(letters) && /^[^#]*C.*kC?$/.test(shape)],
		L: [5, isRupee],
		CR: [7, isRupee],
	};
	const [exponent, isMeant] = magnitudes[k.toUpperCase()];
	// `5 m`, `5 t` and `5 l` are meters, tons and liters.
	const isUnit = !isMoney && (/l/i.test(k) || (/[mt]/.test(k) && /\0\s/.test(text)));
	return isMeant ? exponent : isUnit ? 0 : null;
}

/** Whether the only separator may separate thousands or decimals, as in `1,249`. */
const isUnclear = (digits: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits);

/** The decimal separator that a number shows, if any. */
function pointOf(digits: string): '.' | ',' | undefined {
	const separators = digits.replace(/[\d'⎖]/g, '');
	const last = separators.at(-1);
	if (last === undefined || isUnclear(digits)) return undefined;
	const isGroup = separators.split(last).length > 2;
	return (last === '.') === isGroup ? ',' : '.';
}

/** Whole numbers: without groups, with groups of three digits, and with Indian groups. */
const WHOLE = /^(?:0|[1-9]\d*|[1-9]\d{0,2}([.,'])\d{3}(?:\1\d{3})*|[1-9]\d?(?:,\d{2})+,\d{3})$/;

/** The digits as JavaScript writes a number; null if the separators are in the wrong places. */
function spelledOut(digits: string, mark: string | undefined): string | null {
	const decimal = digits.includes(DECIMAL) ? DECIMAL : mark;
	const [whole, fraction = '0', ...others] = decimal ? digits.split(decimal) : [digits];
	if (others.length > 0 || !/^\d+$/.test(fraction) || !WHOLE.test(whole || '0')) return null;
	return `${whole.replace(/\D/g, '')}.${fraction}`;
}

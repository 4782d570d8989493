// Numbers as web pages write them.

/** Which separators a number has. */
export type NumberFormat = 'automatic' | 'point' | 'comma';

/** How to read the numbers of a column. `mixed` pages write both `1,249.00` and `12,5`, so `1.249` is unclear there. */
export type NumberReading = NumberFormat | 'mixed';

/** Separators of groups of three digits, besides commas and points: an apostrophe, or a space of any width. */
const GAPS = "['’ \\u00a0\\u2007\\u2009\\u202f]";

const GAP = new RegExp(GAPS, 'g');

/**
 * A number with any separators. A point or comma before the first digit is a decimal separator, unless it ends a word:
 * `No.5`.
 */
const NUMERAL = new RegExp(
	`(?:(?<![\\p{L}\\d])[.,])?\\d(?:[\\d.,]|${GAPS}(?=\\d{3}(?!\\d)))*`,
	'gu',
);

/**
 * The number in a text with other words. Null if there is none, or if another reading is as likely.
 *
 * | Text                              | Number                                              |
 * | --------------------------------- | --------------------------------------------------- |
 * | `$1,249.00`, `ab 1.249,00 €`      | 1249                                                |
 * | `12 in stock`, `(3.50)`           | 12, -3.5                                            |
 * | `1.2k`, `3 Mio. €`, `4.5万`       | 1200, 3000000, 45000                                |
 * | `4,5 von 5`, `3.9/5`, `4.5 (231)` | 4.5, 3.9, 4.5: the rating                           |
 * | `5m`, `12 mil`, `$10 – $15`       | null: metres or millions, thousand or million, two  |
 * | `1,249`                           | 1249, or 1.249 in a column that contains `12,5`     |
 */
export function numberOf(value: unknown, reading: NumberReading): number | null {
	if (typeof value === 'number') return Number.isFinite(value) ? value : null;
	if (typeof value !== 'string') return null;
	const text = inAscii(value);
	const numeral = numeralIn(text);
	if (!numeral) return null;
	const { matched, before, after } = numeral;
	const digits = digitsOf(matched);
	const exponent = exponentOf(after, text);
	if (exponent === null || (reading === 'mixed' && isUnclear(digits))) return null;
	const decimal = decimalIn(digits, reading);
	const plain = withPoint(digits, decimal);
	const number = plain === null ? NaN : Number(`${plain}e${exponent}`);
	if (!Number.isFinite(number)) return null;
	const hasDecimals = decimal !== undefined && digits.includes(decimal);
	const isNegative =
		hasMinus(before) ||
		(/\d$/.test(matched) && /^[-−–]\s*$/.test(after)) ||
		(isInBrackets(text) && (hasDecimals || isAmount(text)));
	return isNegative ? -number : number;
}

/**
 * How to read a column's numbers if its format is automatic: one clear value decides for all.
 *
 * @returns `isGuess` if a number such as `1,249` has no clear neighbor. Its separator then separates thousands
 */
export function readingOf(values: unknown[]): { reading: NumberReading; isGuess: boolean } {
	const found = values.flatMap((value) => {
		const numeral = typeof value === 'string' ? numeralIn(inAscii(value)) : undefined;
		return numeral ? digitsOf(numeral.matched) : [];
	});
	const marks = new Set(found.map(decimalMark));
	const isClear = marks.has('point') || marks.has('comma');
	if (!isClear) return { reading: 'automatic', isGuess: found.some(isUnclear) };
	if (marks.has('point') && marks.has('comma')) return { reading: 'mixed', isGuess: false };
	return { reading: marks.has('point') ? 'point' : 'comma', isGuess: false };
}

/** Full-width characters, such as `１２`, as ASCII. */
const inAscii = (text: string) =>
	text.replace(/[！-～]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));

const digitsOf = (matched: string) => matched.replace(GAP, '').replace(/[.,]+$/, '');

interface Numeral {
	matched: string;
	before: string;
	after: string;
}

/** The numeral to read in a text: the only one, or the rating, if the others are its maximum or its number of votes. */
function numeralIn(text: string): Numeral | undefined {
	const found = [...withoutNote(text).matchAll(NUMERAL)];
	const [first, second] = found;
	if (found.length === 1) return partsAt(text, first);
	if (found.length !== 2) return undefined;
	const between = text.slice(first.index + first[0].length, second.index);
	if (/のうち\s*$/.test(between)) return partsAt(text, second);
	const isRating = /^\D{0,12}(?<!\p{L})(?:out of|of|von|sur|de|di|su|van|av|из|z)\s+$/iu.test(
		between,
	);
	const isShare = /^[^\d/]{0,3}\/\s?$/.test(between) && (isAmount(text) || isScale(second[0]));
	return isRating || isShare ? partsAt(text, first) : undefined;
}

const partsAt = (text: string, { 0: matched, index = 0 }: RegExpMatchArray): Numeral => ({
	matched,
	before: text.slice(0, index),
	after: text.slice(index + matched.length),
});

/** The maximum values of ratings. */
const isScale = (digits: string) => ['4', '5', '6', '10', '20', '100'].includes(digits);

/**
 * A text without brackets at its end if they contain a count or a price per unit: `4.5 (231)`, `$12 ($1.20 / 100 g)`.
 */
function withoutNote(text: string): string {
	const [note] = /\s*\([^()]*\)\s*$/.exec(text) ?? [''];
	const rest = text.slice(0, text.length - note.length);
	const isCount = !isAmount(note) || /\/|\b(?:per|pro|par|je)\b/i.test(note);
	return /\d/.test(rest) && isCount ? rest : text;
}

const CODES = new Set(Intl.supportedValuesOf('currency'));

/** Whether a text is about money. */
const isAmount = (text: string) =>
	/\p{Sc}/u.test(text) || (text.match(/\b[A-Z]{3}\b/g) ?? []).some((code) => CODES.has(code));

/** Words for magnitudes after a number, as exponents of ten. Null if a word's meaning depends on the language. */
const MAGNITUDES: Array<[RegExp, number | null]> = [
	[/^\s?(?:thousands?|tsd|tausend|тыс)(?!\p{L})/iu, 3],
	[/^\s?(?:millions?|mio|mill|mln|millionen|millones|millón|milhões|milhão)(?!\p{L})/iu, 6],
	[/^\s?(?:milioni|milione|miljoen|miljoner|milionów|milion|млн)(?!\p{L})/iu, 6],
	[/^\s?(?:billions?|bn|mrd|mld|milliarden?|milliards?|bilhões)(?!\p{L})/iu, 9],
	[/^\s?(?:miliardi|miliardo|miljard|miljarder|miliardów|млрд)(?!\p{L})/iu, 9],
	[/^\s?(?:trillions?|tn)(?!\p{L})/iu, 12],
	[/^\s?(?:bio|billionen|billón|billones|mil|mille)(?!\p{L})/iu, null],
	[/^\s?(?:lakhs?|lacs?)(?!\p{L})/iu, 5],
	[/^\s?crores?(?!\p{L})/iu, 7],
	[/^\s?[千천](?![克米瓦])/u, 3],
	[/^\s?[万萬만]/u, 4],
	[/^\s?[億亿억]/u, 8],
	[/^\s?[兆조]/u, 12],
	[/^\s?k(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN)/, 3],
	[/^\s?M(?:EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN)/, 6],
	// A fraction or a power: `1½`, `10⁶`.
	[/^\s?\p{No}/u, null],
];

/** Single letters, which may also be units. `K` is a magnitude at the end of a text, for money, and before a `COUNTED` word. */
const LETTERS: Record<string, number> = { k: 3, K: 3, M: 6, m: 6, B: 9, b: 9, T: 12 };

/** Words for things that pages count in thousands. */
const COUNTED =
	/^[\s+]*(?:de |d['’])?(?:followers?|following|views?|reviews?|ratings?|subscribers?|subs|stars?|likes?|sold|downloads?|votes?|comments?|users|members|posts|shares|plays|listeners|watchers|forks|installs|visits|visitors|people|bought|aufrufe|abonnenten|bewertungen|rezensionen|mitglieder|kommentare|verkauft|vues|abonnés|avis|commentaires|vistas|visualizaciones|reproducciones|seguidores|suscriptores|opiniones|reseñas|visualizações|inscritos|avaliações|visualizzazioni|recensioni|iscritti|weergaven|volgers)(?!\p{L})/iu;

/**
 * The magnitude after a number, as an exponent of ten; 0 if there is none, such as before a unit.
 *
 * @returns null if the magnitude is unclear
 */
function exponentOf(after: string, text: string): number | null {
	const word = MAGNITUDES.find(([pattern]) => pattern.test(after));
	if (word) return word[1];
	const [matched, space, letter] = /^(\s?)(cr|[kKmMbBtTL])(?!\p{L})/iu.exec(after) ?? ['', '', ''];
	if (letter === '') return 0;
	const rest = after.slice(matched.length);
	if (/^cr$/i.test(letter)) return isRupee(text) ? 7 : null;
	if (letter === 'L' || letter === 'l') return isRupee(text) ? 5 : 0;
	if (letter === 't') return isAmount(text) ? null : 0;
	const isClear = isAmount(text) || COUNTED.test(rest);
	if (isClear) return LETTERS[letter];
	if (letter === 'm' && space) return 0;
	const isLast = !space && letter !== 'm' && letter !== 'b' && letter !== 'T';
	return isLast && /^[\s+).,!*]*$/.test(rest) ? LETTERS[letter] : null;
}

const isRupee = (text: string) => /₹|\bINR\b|\bRs\b/.test(text);

/** Brackets around a whole text mean a negative amount, or just a count: `(1,249)` reviews. */
const isInBrackets = (text: string) => /^\s*\(.*\)\s*$/.test(text);

/** Whether the text ends with a minus that belongs to the number. In `In stock - 12`, the sign is a dash. */
const hasMinus = (before: string) =>
	/^[\s(]*[-−–]\s*[^\s\d-]{0,4}\s*$/.test(before) ||
	/[\s(:\p{Sc}][-−–](?:(?:[A-Za-z]{1,3}\p{Sc}?|\p{Sc})\s?)?$/u.test(before) ||
	CODES.has(/\b([A-Z]{3})\s?[-−–]$/.exec(before)?.[1] ?? '');

/** Whether the only separator may separate thousands or decimals, as in `1,249`. */
const isUnclear = (digits: string) => /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits);

/** The decimal separator that a number shows; undefined if it shows none. */
function decimalMark(digits: string): 'point' | 'comma' | undefined {
	const separators = digits.replace(/\d/g, '');
	const last = separators.at(-1);
	if (last === undefined || isUnclear(digits)) return undefined;
	const isGroup = separators.split(last).length > 2;
	return (last === '.') === isGroup ? 'comma' : 'point';
}

/** The decimal separator; undefined if there is none. */
function decimalIn(digits: string, reading: NumberReading): string | undefined {
	if (reading === 'point') return '.';
	if (reading === 'comma') return ',';
	const separators = digits.replace(/\d/g, '');
	const last = separators.at(-1);
	if (last === undefined || separators.split(last).length > 2) return undefined;
	return isUnclear(digits) ? undefined : last;
}

/** Whole numbers: without groups, with groups of three digits, and with Indian groups. */
const GROUPED = [/^\d*$/, /^\d{1,3}([.,]\d{3})+$/, /^\d{1,2}(,\d{2})+,\d{3}$/];

/** The digits as JavaScript writes a number; null if the separators are in the wrong places. */
function withPoint(digits: string, decimal: string | undefined): string | null {
	const [whole, fraction, ...others] = decimal === undefined ? [digits] : digits.split(decimal);
	if (others.length > 0 || (fraction !== undefined && /\D/.test(fraction))) return null;
	return GROUPED.some((form) => form.test(whole))
		? `${whole.replace(/\D/g, '') || '0'}.${fraction || '0'}`
		: null;
}

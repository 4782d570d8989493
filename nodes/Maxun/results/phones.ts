/** How much of the text before a number may contain its label. */
export const MAX_LABEL = 60;

/** Stands for an icon, or a class such as `phone`, in the text before a number. */
export const PHONE_SIGN = '☏';

/** Numbers after these words aren't for calls. */
const FAX =
	'telefax(?:nummer)?|(?<![te])fax(?:nummer|nr)?|t[ée]l[ée]copie(?:ur)?|факс|传真|傳真|f(?=[.:]? ?$|\\n)';
const PHONE = [
	't[eé]l(?:[eéè](?:f[oó]n[oea]?|phon[eo]s?|fones?|foon|foonnummer|fonnummer|fonnr|fonszám))?',
	'telefon(?:isch|y|u|ní)|telf|tlfn?|tfno?|phones?|ph|fon|telemóvel|puh|puhelin|portable|freephone',
	'mobile?|mobiel|mob|mobil(?:telefon|nummer|nr)|festnetz|handy|cell|cellulare|celular|m[oó]vil|móvel|gsm',
	'hotline|helpline|switchboard|toll[- ]free|call|dial|rufnummer|anrufen|appelez|llame|ligue|bel|whatsapp|sms',
	'звоните|тел|телефоны?|моб|τηλ|τηλέφωνο|κινητό',
	'電話|電話番号|电话|전화|전화번호|هاتف|تلفن|טלפון|t(?=[.:]? ?$|\\n)|[dmp](?=\\.? ?:|\\n)',
].join('|');
const LABELS = new RegExp(
	`(?<![\\p{L}\\p{N}'’])(?:(?:tel|phone|telefon)\\.? ?(?:[/&+]|und|and) ?(?:tele)?fax|(?<fax>${FAX})|${PHONE})(?![\\p{L}\\p{N}])|[☎✆📞📱]|(?<sign>${PHONE_SIGN})`,
	'giu',
);

/** What numbers of another kind have before or after them. */
const OTHER_BEFORE = /[\p{Script=Latin}\p{N}_#€$£¥%@=&/,-]$|[^\p{L}][.:]$/u;
const OTHER_AFTER =
	/^(?:(?!x\d)[\p{Script=Latin}\p{N}_@%°=€$£¥+]|[.,:]\d|\s?(?:[€$£¥%]|eur\b|usd\b))/iu;
/** Words between a label and a number of another kind. */
const OTHER_WORDS =
	/(?<!\p{L})(?:iban|id|nr|no|order|ref|hrb|ust|vat|zip|plz|code|pin|since|seit)(?!\p{L})/iu;

/** How the digits of dates, opening hours and addresses of computers are separated. */
const OTHER_FORMS =
	/^(?:(?:\d\d?[./-]){2}(?:19|20)?\d\d(?: \d.*)?|(?:19|20)\d\d[./-]\d\d?[./-]\d\d?(?: \d.*)?|\d\d?\.\d\d ?\p{Pd} ?\d\d?\.\d\d|(?:19|20)\d\d ?\p{Pd} ?(?:19|20)\d\d|(?:\d{1,3}\.){3}\d{1,3})$/u;
/** Such as `1 250 000`. */
const THOUSANDS = /^\+?[1-9]\d{0,2}(?:[ .]\d{3})+$/;
const NORTH_AMERICAN = /^(?:1\p{P}? ?)?\(?[2-9]\d\d[ ).\p{Pd}]{1,2}\d{3}[ .\p{Pd}]\d{4}$/u;
/** Begins with an area code. */
const TYPICAL = /^(?:\(?0[\d ()./\p{Pd}]{6,}|\(\d{2,5}\).*)$/u;

interface Written {
	text: string;
	digits: string;
	isInternational: boolean;
	from: number;
	to: number;
}

/**
 * The telephone numbers in a line: those with a country code, and those after a word for telephone, as digits. If the
 * country code is known, `+` comes first.
 * @param before the text before the line, which may contain the label
 */
export function phonesIn(line: string, before: string): string[] {
	const found: string[] = [];
	const groups = Array.from(line.matchAll(/\d+/g), ({ 0: digits, index }) => ({
		...{ digits, from: index, to: index + digits.length },
	}));
	let last: Written | undefined;
	for (let at = 0; at < groups.length; ) {
		const [number, count] = numberAt(line, groups, at);
		at += count;
		const isNext = last !== undefined && BETWEEN.test(line.slice(last.to, number.from).slice(0, 9));
		const start = line.slice(Math.max(0, number.from - MAX_LABEL), number.from);
		const context = (before + start).slice(-MAX_LABEL);
		if (!isPhone(number, line, isNext ? 'direct' : labelIn(context))) continue;
		last = number;
		found.push((number.isInternational ? '+' : '') + number.digits);
	}
	return found;
}

const BETWEEN = /^ ?(?:[,;/|\p{Pd}]|or|oder|und|and|ou|y|e) ?$/u;

/** Next to the number, in the text before it, with a few words in between, or a sign. */
type Label = 'fax' | 'direct' | 'beside' | 'near' | undefined;

/** The last label in a text before a number. */
export function labelIn(context: string): Label {
	const [last, ...others] = [...context.matchAll(LABELS)].reverse();
	if (!last) return undefined;
	const before =
		last.groups?.sign && others.length > 0 ? labelIn(context.slice(0, last.index)) : undefined;
	if (before === 'fax' || before === 'direct') return before;
	const between = context.slice(last.index + last[0].length);
	if (/\d{3}/.test(between)) return undefined;
	const isNext = !/[\p{L}\d]/u.test(between.replace(/\([^()]*\)/g, ''));
	if (last.groups?.fax) return isNext ? 'fax' : undefined;
	const isMarked = /[.:]/.test(between);
	if (isNext && !last.groups?.sign && (isMarked || !/^\w$/.test(last[0])))
		return between.includes('\n') && !isMarked ? 'beside' : 'direct';
	const isNear = between.length <= 40 && !OTHER_WORDS.test(between);
	return isNext || (isNear && !between.includes('\n')) ? 'near' : undefined;
}

function isPhone({ text, digits, isInternational, from, to }: Written, line: string, label: Label) {
	if (label === 'fax' || isPlaceholder(digits)) return false;
	if (
		OTHER_BEFORE.test(line.slice(Math.max(0, from - 2), from)) ||
		OTHER_AFTER.test(line.slice(to, to + 5))
	)
		return false;
	if (isInternational) {
		if (!label && !/[^\d]/.test(text)) return false;
		if (digits.length < 10 && THOUSANDS.test(text) && label !== 'direct') return false;
		return digits.startsWith('1')
			? digits.length === 11
			: digits.length >= 8 && digits.length <= 14;
	}
	if (digits.length < 6 || digits.length > 13 || OTHER_FORMS.test(text)) return false;
	if (label === 'direct' || (label && (TYPICAL.test(text) || NORTH_AMERICAN.test(text))))
		return true;
	return label === 'beside' && digits.length >= 8 && text !== digits && !THOUSANDS.test(text);
}

const isPlaceholder = (digits: string) =>
	/^(\d)\1+$/.test(digits) || '1234567890'.startsWith(digits.replace(/^0/, ''));

/** A separator, which may be wider before the number of a subscriber. An extension in brackets doesn't belong to it. */
function isWithin(separator: string, digits: number): boolean {
	if (!/^[ ()./\p{Pd}]{1,4}$/u.test(separator) || /\.\.|\/.*\//.test(separator)) return false;
	if (separator.includes('(')) return digits <= 4;
	return digits <= 7 || !/\/| \p{Pd}|\p{Pd} /u.test(separator);
}

/** The number that begins with a group of digits, and how many groups it has. */
function numberAt(
	line: string,
	groups: Array<{ digits: string; from: number; to: number }>,
	at: number,
): [Written, number] {
	const [first] = groups.slice(at, at + 1);
	const [prefix] = /(?:\(?\+|\+\(|\()?$/.exec(
		line.slice(Math.max(0, first.from - 2), first.from),
	) ?? [''];
	let { digits, to } = first;
	let isInternational = prefix.includes('+');
	let count = 1;
	for (; at + count < groups.length; count++) {
		const next = groups[at + count];
		const separator = line.slice(to, next.from);
		const isWhole = isInternational
			? /^1\d{10}$/.test(digits)
			: NORTH_AMERICAN.test(line.slice(first.from, to));
		if (isWhole || !isWithin(separator, digits.length) || digits.length > 14) break;
		const isTrunk = separator.endsWith('(') && next.digits.startsWith('0') && !/^39$/.test(digits);
		const isAbroad = isInternational || /^00[1-9]/.test(digits);
		digits += isAbroad && isTrunk ? next.digits.slice(1) : next.digits;
		to = next.to;
	}
	if (!isInternational && /^00[1-9]\d{8}/.test(digits)) {
		isInternational = true;
		digits = digits.slice(2);
	}
	const from = first.from - prefix.length;
	return [{ text: line.slice(from, to), digits, isInternational, from, to }, count];
}

/** The number in the URL of a link that calls it; undefined for a number that nobody can call. */
export function phoneOf(url: string): string | undefined {
	const target = url.replace(/^(?:tel|callto):\/{0,2}/i, '');
	const [number] = /^[\s\d+()./\p{Pd}]+/u.exec(target) ?? [''];
	if (!/^(?:ext|x|[;?,#]|$)/i.test(target.slice(number.length))) return undefined;
	const isInternational = /^\s*\(?(?:\+|00[1-9])/.test(number);
	const digits = number
		.replace(isInternational ? /\(0\)/ : '', '')
		.replace(/\D/g, '')
		.replace(isInternational ? /^00/ : '', '');
	if (digits.length < 5 || digits.length > 15 || isPlaceholder(digits)) return undefined;
	return (isInternational ? '+' : '') + digits;
}

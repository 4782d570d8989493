import type { Contact } from './profiles';

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
	`(?<![\\p{L}\\p{N}'’])(?:(?:tel|phone|telefon)\\.? ?(?:[/&+]|und|and) ?(?:tele)?fax|(?<fax>${FAX})|${PHONE})(?![\\p{L}\\p{N}])|[☎✆📞📱]`,
	'giu',
);

/** The text before or after numbers of another kind. */
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
	count: number;
}

/**
 * The telephone numbers in a line, as digits: numbers with a country code, and numbers after a word for telephone. If
 * the country code is known, `+` comes first. Yields undefined wherever the work may rest.
 * @param before the text before the line, which may contain the label
 */
export function* phonesIn(line: string, before: string): Generator<Contact | undefined> {
	const groups = [...line.matchAll(/\d+/g)];
	let end: number | undefined;
	for (let at = 0; at < groups.length; ) {
		yield;
		const number = numberAt(line, groups, at);
		at += number.count;
		if (isNoPhone(number, line)) continue;
		const { from, to, digits, isInternational } = number;
		const isNext = end !== undefined && BETWEEN.test(line.slice(end, from).slice(0, 9));
		const start = line.slice(Math.max(0, from - MAX_LABEL), from);
		if (!isPhone(number, isNext ? 'direct' : labelIn((before + start).slice(-MAX_LABEL)))) continue;
		end = to;
		yield { type: 'phone', value: (isInternational ? '+' : '') + digits };
	}
}

const BETWEEN = /^ ?(?:[,;/|\p{Pd}]|or|oder|und|and|ou|y|e) ?$/u;

/** Next to the number, in the text before it, with a few words in between, or a sign. */
type Label = 'fax' | 'direct' | 'beside' | 'near' | undefined;

/** The last label in a text before a number. A word next to a sign counts more than the sign. */
export function labelIn(context: string): Label {
	const parts = context.split(PHONE_SIGN).reverse();
	for (const part of parts) {
		const word = [...part.matchAll(LABELS)].at(-1);
		if (!word) continue;
		const label = labelOf(part.slice(word.index + word[0].length), word);
		if (part === parts[0] || label === 'fax' || label === 'direct') return label;
		break;
	}
	return parts.length > 1 ? labelOf(parts[0]) : undefined;
}

function labelOf(between: string, word?: RegExpMatchArray): Label {
	if (/\d{3}/.test(between)) return undefined;
	const isNext = !/[\p{L}\d]/u.test(between.replace(/\([^()]*\)/g, ''));
	if (word?.groups?.fax) return isNext ? 'fax' : undefined;
	const isMarked = /[.:]/.test(between);
	if (isNext && word && (isMarked || !/^\w$/.test(word[0])))
		return between.includes('\n') && !isMarked ? 'beside' : 'direct';
	const isNear = between.length <= 40 && !OTHER_WORDS.test(between) && !between.includes('\n');
	return isNext || isNear ? 'near' : undefined;
}

/** Whatever comes before it, it isn't a telephone number. */
const isNoPhone = ({ text, digits, isInternational, from, to }: Written, line: string): boolean =>
	isPlaceholder(digits) ||
	OTHER_BEFORE.test(line.slice(Math.max(0, from - 2), from)) ||
	OTHER_AFTER.test(line.slice(to, to + 5)) ||
	(isInternational
		? !/^(?:1\d{10}|[^1]\d{7,13})$/.test(digits)
		: !/^\d{6,13}$/.test(digits) || OTHER_FORMS.test(text));

function isPhone({ text, digits, isInternational }: Written, label: Label): boolean {
	if (label === 'fax' || label === 'direct') return label === 'direct';
	if (isInternational)
		return (
			(label !== undefined || /\D/.test(text)) && !(digits.length < 10 && THOUSANDS.test(text))
		);
	if (label && (TYPICAL.test(text) || NORTH_AMERICAN.test(text))) return true;
	return label === 'beside' && digits.length >= 8 && text !== digits && !THOUSANDS.test(text);
}

const isPlaceholder = (digits: string) =>
	/^(\d)\1+$/.test(digits) || '1234567890'.startsWith(digits.replace(/^0/, ''));

/** A separator, which may be wider before the number of a subscriber. An extension in brackets doesn't belong to it. */
function joins(separator: string, digits: number): boolean {
	if (!/^[ ()./\p{Pd}]{1,4}$/u.test(separator) || /\.\.|\/.*\//.test(separator)) return false;
	if (separator.includes('(')) return digits <= 4;
	return digits <= 7 || !/\/| \p{Pd}|\p{Pd} /u.test(separator);
}

function numberAt(line: string, groups: RegExpMatchArray[], at: number): Written {
	const { 0: first, index: start = 0 } = groups[at];
	const [prefix] = /(?:\(?\+|\+\(|\()?$/.exec(line.slice(Math.max(0, start - 2), start)) ?? [''];
	let isInternational = prefix.includes('+');
	let [digits, to, count] = [first, start + first.length, 1];
	for (; at + count < groups.length; count++) {
		const { 0: next, index = 0 } = groups[at + count];
		const separator = line.slice(to, index);
		const isWhole = isInternational
			? /^1\d{10}$/.test(digits)
			: NORTH_AMERICAN.test(line.slice(start, to));
		if (isWhole || !joins(separator, digits.length) || digits.length > 14) break;
		const isAbroad = isInternational || /^00[1-9]/.test(digits);
		const isTrunk = isAbroad && separator.endsWith('(') && !/^39$/.test(digits);
		digits += isTrunk ? next.replace(/^0/, '') : next;
		to = index + next.length;
	}
	if (!isInternational && /^00[1-9]\d{8}/.test(digits)) {
		isInternational = true;
		digits = digits.slice(2);
	}
	const from = start - prefix.length;
	return { text: line.slice(from, to), digits, isInternational, from, to, count };
}

/** The number in the URL of a link that calls it; undefined for a number that can't be called. */
export function phoneOf(url: string): string | undefined {
	const target = url.replace(/^(?:tel|callto):\/{0,2}/i, '');
	const [number] = /^[\s\d+()./\p{Pd}]+/u.exec(target) ?? [''];
	if (!/^(?:ext|x|[;?,#]|$)/i.test(target.slice(number.length))) return undefined;
	const full = number.replace(/^\s*\(?(?:\+|00(?=[1-9]))/, '+');
	const value = full.replace(full.startsWith('+') ? '(0)' : '', '').replace(/(?!^\+)\D/g, '');
	return /^\+?\d{5,15}$/.test(value) && !isPlaceholder(value.replace('+', '')) ? value : undefined;
}

import { DATE, datesOf } from '../results/dates';
import { isCurrency } from '../results/numbers';
import { PHONE_SIGN, phonesIn } from '../results/phones';
import { sampleOf } from '../html/page';

/** The kind of values, which names a column without another name. */
export type Kind = 'Text' | 'Link' | 'Image' | 'Price' | 'Date' | 'Number' | 'Email' | 'Phone';

/** How many values show a column's kind, and what share of them must agree. Most products may be sold out. */
const [SAMPLE, SHARE, OF_PRICES] = [12, 0.5, 1 / 8];

const MAX_KIND = 40;

const isPrice = (text: string) =>
	/\d/.test(text) &&
	(/\p{Sc}/u.test(text) || (text.match(/\p{L}+/gu) ?? []).some(isSign)) &&
	(text.match(/\p{L}/gu) ?? []).length <= 12;

/** Names have an R, such as 'Mat R4'. */
const isSign = (word: string, _: number, { length }: string[]) =>
	isCurrency(word) && (word.toLowerCase() !== 'r' || length === 1);

function kindOfText(text: string): Kind {
	if (text.length > MAX_KIND) return 'Text';
	if (/^[^\s@]+@[^\s@]+$/.test(text)) return 'Email';
	if (isPrice(text)) return 'Price';
	if (/\d/.test(text) && (DATE.test(text) || datesOf([text], {})[0] !== null)) return 'Date';
	// Digits alone may be a number, a date or a code.
	const isPhone = /^\+|^[\d()][\d\s()./-]*[\s()/-]/.test(text) && !/[\p{L},%]/u.test(text);
	if (isPhone && [...phonesIn(text, PHONE_SIGN)].some(Boolean)) return 'Phone';
	return /^[\d.,%\s]+$|^[\d,%\s()]+$/.test(text) ? 'Number' : 'Text';
}

/** The kind of most values. */
export function kindOf(attribute: string, values: string[]): Kind {
	if (attribute.endsWith('src')) return 'Image';
	const isLink = attribute === 'href';
	const kinds = sampleOf(values, SAMPLE).map((value) => {
		if (!isLink) return kindOfText(value);
		return /^mailto:/i.test(value) ? 'Email' : /^tel:/i.test(value) ? 'Phone' : 'Link';
	});
	const isIn = (share: number) => (kind: Kind) =>
		kinds.filter((one) => one === kind).length >= kinds.length * share;
	const isShort = values.every(({ length }) => length < MAX_KIND);
	if (isShort && isIn(OF_PRICES)('Price')) return 'Price';
	return kinds.find(isIn(SHARE)) ?? (isLink ? 'Link' : 'Text');
}

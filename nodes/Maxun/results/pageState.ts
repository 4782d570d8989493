import type { IDataObject } from 'n8n-workflow';
import { firstLine } from '../http/text';
import { isEmpty, isObject, isText } from '../http/values';
import { CONTENT, REFUSAL, USUAL, USUAL_CJK } from './refusalWords';

const NOT_CONTENT = ['error', 'metadata', 'scrapedAt', 'searchResult', 'title', 'url', 'wordCount'];

/** Why a page could not be read; undefined if it was, even if it is empty. */
export function unreadReason(row: IDataObject): string | undefined {
	const { error, metadata } = row;
	const hasContent = Object.entries(row).some(
		([name, value]) => !NOT_CONTENT.includes(name) && !isEmpty(value),
	);
	if (isText(error) && !hasContent) return firstLine(error);
	const status = isObject(metadata) ? Number(metadata.statusCode) : 0;
	if (status >= 400 && status < 600) return `HTTP ${status}`;
	// A search result has only a description.
	const hasText = TEXTS.some((name) => !isEmpty(row[name]));
	const sentence = hasText || !hasContent ? refusalIn(row) : undefined;
	return sentence && `The page says: ${sentence}`;
}

const TEXTS = ['markdown', 'text', 'html'];

/** Maximum number of characters of a page that is only a refusal, without and with markup. */
const [LONGEST, LONGEST_HTML] = [1_500, 60_000];

/**
 * The sentence with which a page refuses to show its content. Nearly all words of such a page are usual for refusals,
 * because articles, help pages and status pages have such sentences, too.
 */
function refusalIn(row: IDataObject): string | undefined {
	const text = TEXTS.map((name) => row[name]).find(isText);
	if ((text?.length ?? 0) > LONGEST_HTML) return undefined;
	const metadata = isObject(row.metadata) ? row.metadata : {};
	const sentences = sentencesIn(`${String(row.title ?? metadata.title ?? '')}\n${text ?? ''}`);
	const page = sentences.join('\n');
	if (page.length > LONGEST || CONTENT.test(page)) return undefined;
	const statuses = page.match(/(?<![\d.,])(?:4[0-2]\d|451|5[0-2]\d)(?![\d.,])/g) ?? [];
	if (new Set(statuses).size > 1) return undefined;
	const refusal = sentences.slice(0, 4).find((sentence) => REFUSAL.test(sentence));
	// The title may contain the name of the site.
	const own = sentences.slice(1).join('\n') || page;
	return refusal !== undefined && unusualShare(own) <= MOST_UNUSUAL ? refusal : undefined;
}

function unusualShare(page: string): number {
	const text = page.toLowerCase().replace(NAMES, ' ');
	const words = text.replace(USUAL_CJK, '').match(WORD) ?? [];
	const unusual = USUAL.map((usual) => words.filter((word) => !usual.test(word)).join('').length);
	return Math.min(...unusual) / Math.max(1, text.match(WORD)?.join('').length ?? 0);
}
const MOST_UNUSUAL = 0.12;

function sentencesIn(text: string): string[] {
	const plain = text
		.replace(/<(script|style|noscript(?=>\s*<img))\b[^]*?<\/\1>|<!--[^]*?-->/gi, ' ')
		.replace(/<(?:br|\/?(?:p|h\d|div|li|title|center|td|tr|hr))\b[^>]*>/gi, '\n')
		.replace(/<[^>]*>/g, ' ')
		// The names of fields in JSON.
		.replace(/"\w+"\s*:/g, '\n')
		.replace(/&nbsp;/g, ' ')
		.replace(/&amp;/g, '&')
		.replace(/&(?:#39|#x27|rsquo);|[’‘`]/g, "'")
		.replace(/&quot;|[“”„"{}[\]]/g, (mark) => (mark === '[' || mark === ']' ? mark : ' '))
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/^[\s#>*|=_-]+|[*_]{2,}/gm, '');
	const parts = plain.split(/[\n|]+|(?<=[.!?。！？…])\s+|(?<=[。！？])|(?<!\d)\s[–—-]\s|,\s*$/m);
	return parts
		.map((part) => part.replace(/\s+/g, ' ').trim())
		.filter((part) => /[\p{L}\d]/u.test(part));
}

const NAMES = /\S*[\w-]\.\p{L}\S*|\S*[\d/\\@]\S*/gu;
const WORD = /[\p{L}\p{M}'’]+/gu;

import type { IDataObject } from 'n8n-workflow';
import { decoded, piecesOf } from '../html/pieces';
import { firstLine } from '../http/text';
import { isEmpty, isObject, isText } from '../http/values';
import { PHRASES, USUAL_PARTS, USUAL_WORDS, type RefusalKind } from './refusalWords';

export interface Refusal {
	kind: RefusalKind;
	reason: string;
}

/** The advice that follows the reason. */
export const ADVICE: Record<RefusalKind, string> = {
	age: 'Use a robot that first confirms the age',
	blocked: 'The website does not let Maxun in. Try again later, or get the data elsewhere',
	browser: "The website does not support Maxun's browser. Get the data elsewhere",
	challenge: 'The website only lets humans in. Try again later, or get the data elsewhere',
	consent: 'Use a robot that first accepts or rejects cookies',
	failed: 'Check that the page opens in a browser',
	'log-in': 'Use a robot that first logs in',
	'not found': 'Check the URL',
	queue: 'Try again when fewer people visit the website',
	'rate limit': 'Start fewer runs at the same time, or try again later',
	region: 'The website does not show this page in the region of the Maxun server',
	'server error': 'Try again later',
};

export const NOT_CONTENT = 'error metadata scrapedAt searchResult title url wordCount'.split(' ');
export const TEXTS = ['markdown', 'text', 'html'];

/** Why a page could not be read; undefined if it was, even if it is empty. */
export function refusalOf(row: IDataObject): Refusal | undefined {
	const { error, metadata } = row;
	const hasContent = Object.entries(row).some(
		([name, value]) => !NOT_CONTENT.includes(name) && !isEmpty(value),
	);
	if (isText(error) && !hasContent) return { kind: 'failed', reason: firstLine(error) };
	// A search result has only a description.
	const hasText = TEXTS.some((name) => !isEmpty(row[name]));
	const said = hasText || !hasContent ? refusalIn(row) : undefined;
	const status = isObject(metadata) ? Number(metadata.statusCode) : 0;
	if (status >= 400) return { kind: said?.kind ?? ofStatus(status), reason: `HTTP ${status}` };
	return said && { kind: said.kind, reason: `The page says: ${said.text}` };
}

function ofStatus(status: number): RefusalKind {
	if (status === 401) return 'log-in';
	if (status === 404 || status === 410) return 'not found';
	if (status === 429) return 'rate limit';
	if (status === 451) return 'region';
	// LinkedIn blocks with 999.
	return status < 500 || status > 599 ? 'blocked' : 'server error';
}

/** Maximum number of characters of a page that is only a refusal: its sentences, with links, and with markup. */
const [LONGEST, LONGEST_TEXT, LONGEST_MARKDOWN, LONGEST_HTML] = [1_500, 4_000, 10_000, 200_000];

/** Maximum share of other words, and the same for phrases that articles also have. */
const [MOST_OTHERS, MOST_IF_WEAK] = [0.3, 0.12];
/** A page that only asks for consent has fewer sentences. */
const MOST_SENTENCES = 20;

const anyOf = (phrases: string[]) => `(?:${phrases.join('|').replaceAll('~', '\\D{0,50}')})`;
/** Doesn't apply to languages that don't separate words. */
const WORD_START = '(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])';

const patterns = PHRASES.map(([kind, phrases]) => {
	const lines = phrases.trim().split('\n');
	const whole = lines.flatMap((line) => (line.startsWith('=') ? line.slice(1) : []));
	const inner = lines.filter((line) => !line.startsWith('='));
	return {
		kind,
		whole: new RegExp(`^${anyOf(whole)}$`, 'u'),
		inner: new RegExp(WORD_START + anyOf(inner), 'u'),
	};
});

interface Said {
	kind: RefusalKind;
	text: string;
	isWeak: boolean;
}

/** The sentence with which a page refuses to show its content, and says little else. */
function refusalIn(row: IDataObject): Said | undefined {
	const html = TEXTS.map((name) => row[name]).find(isText) ?? '';
	if (html.length > (html.includes('<') ? LONGEST_HTML : LONGEST_MARKDOWN)) return undefined;
	const text = withoutMarkup(html);
	if (text.length > LONGEST_TEXT) return undefined;
	const title = sentencesIn(headOf(row, html));
	const body = sentencesIn(text);
	const page = body.length > 0 ? body : title;
	const prose = page.filter((sentence) => !isLabel(sentence)).join(' ');
	return prose.length > LONGEST || namesStatuses(page) ? undefined : refusalOn(page, title);
}

/** A list of statuses explains them. */
const namesStatuses = (page: string[]) =>
	new Set(page.join('\n').match(/(?<![\d.,])(?:4[0-2]\d|451|5[0-2]\d)(?![\d.,])/g)).size > 1;

function refusalOn(page: string[], title: string[]): Said | undefined {
	const first = [...title.slice(0, 3), ...page.slice(0, 8)];
	const found = first.flatMap((sentence) => saidIn(sentence) ?? []);
	// Many pages begin with a banner.
	const isBanner = found.every(({ kind }) => kind === 'consent');
	if (isBanner && (found.length < 2 || page.length > MOST_SENTENCES)) return undefined;
	const strong = found.find(({ isWeak }) => !isWeak);
	const hasStatus =
		first.some((sentence) => CODES.test(sentence)) ||
		found.some((said) => /(?<!\d)[45]\d\d(?!\d)/.test(said.text));
	const isSure = strong && (hasStatus || (found.length > 1 && !isBanner));
	if (!isSure && page.some((sentence) => CONTENT.test(sentence))) return undefined;

	const names = title.filter((part) => !found.some((said) => said.text === part));
	const others = shareOfOthers(page, new Set(names.flatMap(wordsIn)));
	if (strong) return others <= MOST_OTHERS ? strong : undefined;
	const fits = hasStatus || names.length < title.length || names.every(isUsualTitle);
	return fits && others <= MOST_IF_WEAK ? found[0] : undefined;
}

function headOf({ title, metadata }: IDataObject, html: string): string {
	const own = title ?? (isObject(metadata) ? metadata.title : undefined);
	return String(own ?? /<title[^<>]*>([^<]*)/i.exec(html)?.[1] ?? '').slice(0, 300);
}

function saidIn(text: string): Said | undefined {
	if (/[?？]$|「/.test(text)) return undefined;
	const core = coreOf(text);
	const strong = patterns.find(({ inner }) => inner.test(core));
	if (strong && lengthOfOthers(withoutPhrases(core)) <= MOST_OTHERS * core.length)
		return { kind: strong.kind, text, isWeak: false };
	const weak = core ? patterns.find(({ whole }) => whole.test(core)) : undefined;
	return weak && { kind: weak.kind, text, isWeak: true };
}

const isLabel = (sentence: string) =>
	sentence.length < 60 && sentence.split(' ').length <= 4 && !/[.!?]$/.test(sentence);

/** The share of the text apart from phrases, usual words and the site's name. Links count half. */
function shareOfOthers(sentences: string[], names: Set<string>): number {
	let [others, all] = [0, 0];
	for (const sentence of sentences) {
		const words = wordsIn(sentence);
		const rest = withoutPhrases(words.join(' ')).split(' ');
		const length = lengthOfOthers(rest.filter((word) => !names.has(word)).join(' '));
		others += isLabel(sentence) ? length / 2 : length;
		all += words.join(' ').length;
	}
	return others / Math.max(1, all);
}

function withoutPhrases(core: string): string {
	if (patterns.some(({ whole }) => whole.test(core))) return '';
	return patterns.reduce((rest, { inner }) => rest.replace(inner, ' '), core);
}

/** What only content has: a question, a price, a quantity, or the author's words. */
const CONTENT = new RegExp(
	[
		String.raw`^(?:how (?:to|do|can)|why (?:do|does|was|is|are)|what (?:is|are|does)|wie |warum (?!wurde ich|ist das)|was ist)`,
		String.raw`^(?:comment |pourquoi (?!cet?)|por qué |cómo |qué es|perché |come |jak |czym? |как |почему |что такое)`,
		String.raw`where do|「|found: \d|[$€£¥₹]\s?\d|\d\s?(?:[$€£¥₹%]|kg|km|ml|pages?\b)`,
		String.raw`(?<!\p{L})my (?!personal|account)|\b(?:I get|I see|solved|will be unavailable)\b`,
	].join('|'),
	'iu',
);

const ERROR =
	'error|fehler|erreur|errore|erro|fout|fel|feil|fejl|chyba|hata|błąd|virhe|hiba|eroare|ошибка';
const CODES = new RegExp(`^\\W*(?:http )?(?:(?:${ERROR}) )?[45]\\d\\d\\W*$`, 'iu');
const FILLER = new RegExp(`^(?:http|${ERROR}|sorry|oops|ups|uh|oh|[45]\\d\\d)$`, 'u');
const CODED = /[\p{L}\d-]\.\p{L}{2}|[/\\@]|\p{L}\d|\d\p{L}/u;

const wordsIn = (sentence: string): string[] =>
	sentence
		.slice(0, 500)
		.toLowerCase()
		.replace(/&/g, ' and ')
		.split(' ')
		.filter((word) => !CODED.test(word))
		.flatMap((word) => word.match(/[\p{L}\p{M}']+|\d+/gu) ?? [])
		.slice(0, 60);

/** The words between `Sorry, error 404` and `Error code 1020`. */
function coreOf(sentence: string): string {
	const words = wordsIn(sentence);
	const start = words.findIndex((word) => !FILLER.test(word));
	return words
		.slice(start < 0 ? words.length : start)
		.join(' ')
		.replace(/(?: error)?(?: code)? \d{3,4}$/, '');
}

const usual = new Set(USUAL_WORDS.trim().split(/\s+/));
const usualParts = new RegExp(USUAL_PARTS.trim().split(/\s+/).join('|'), 'gu');

function isUsual(word: string): boolean {
	if (usual.has(word)) return true;
	for (let end = 3; end <= Math.min(word.length, 24); end += 1)
		if (usual.has(`${word.slice(0, end)}-`)) return true;
	return false;
}

const isUsualTitle = (title: string) =>
	!/\d/.test(title) && wordsIn(title).every((word) => isUsual(word) || FILLER.test(word));

const lengthOfOthers = (core: string): number =>
	core
		.split(' ')
		.map((word) => word.replace(/^\p{L}{1,4}'(?=\p{L}{3})|'s$/gu, ''))
		.filter(
			(word) =>
				!/^(?:[\p{Script=Latin}\p{Script=Cyrillic}']{0,3}|\d+)$/u.test(word) && !isUsual(word),
		)
		.map((word) => word.replace(usualParts, ''))
		.join('').length;

const sentencesIn = (text: string): string[] =>
	text
		.replace(/"\w+"\s?:/g, '\n')
		.replace(/["“”„{}*_`#>]/g, ' ')
		.split(/[\n|•·»]|(?<=[.!?…])\s|(?<=[。！？])|(?<!\d)\s[–—-]\s/)
		.map((part) => part.replace(/\s+/g, ' ').trim())
		.filter((part) => /[\p{L}\d]/u.test(part));

const LINES = /^(?:br|p|h\d|div|li|title|center|td|tr|hr|button|a|label|section)$/;

function withoutMarkup(html: string, isInner = false): string {
	const texts = Array.from(piecesOf(html), (piece) => {
		const { text = '', tag = '', raw = '' } = piece ?? {};
		const isText = raw !== '' && !isInner && !/^(?:script|style)$/.test(tag);
		const inner = isText ? withoutMarkup(raw, true) : '';
		return decoded(text) + (LINES.test(tag) ? '\n' : tag && ' ') + inner;
	});
	return texts
		.join('')
		.replace(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
		.replace(/[’‘`´]/g, "'")
		.replace(/[^\S\n]+/g, ' ')
		.replace(/ ?\n[ \n]*/g, '\n');
}

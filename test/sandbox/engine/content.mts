import { type CheerioAPI, load } from 'cheerio';
import { tables } from '@joplin/turndown-plugin-gfm';
import TurndownService from 'turndown';

const turndown = new TurndownService({
	headingStyle: 'atx',
	codeBlockStyle: 'fenced',
	bulletListMarker: '-',
});
turndown.use(tables);
const INVISIBLE = 'script, style, noscript, template, svg, head';
const BLOCKS =
	'address, article, aside, blockquote, br, dd, div, dl, dt, figure, footer, form, h1, h2, h3, h4, h5, h6, header, hr, li, main, nav, ol, p, pre, section, table, tr, ul';
const SUMMARY_SENTENCES = 3;

/** The page's content as Markdown, with absolute links. */
export function toMarkdown(html: string, url: string): string {
	const $ = load(html);
	$(INVISIBLE).remove();
	absolutize($, url);
	return turndown.turndown($('body').html() ?? '').trim();
}

/** The visible text, one line per block. */
export function toText(html: string): string {
	const $ = load(html);
	$(INVISIBLE).remove();
	$(BLOCKS).before('\n').after('\n');
	$('td, th').after(' ');
	return $('body')
		.text()
		.split('\n')
		.map((line) => line.replace(/\s+/g, ' ').trim())
		.filter((line) => line !== '')
		.join('\n');
}

/** The unique absolute URLs of all http(s) links, in page order. */
export function toLinks(html: string, url: string): string[] {
	const $ = load(html);
	const base = $('base[href]').attr('href');
	const links = $('a[href]')
		.toArray()
		.map((anchor) => resolve($(anchor).attr('href') ?? '', base ? resolve(base, url) : url))
		.filter((link) => /^https?:/.test(link));
	return [...new Set(links)];
}

/** The first sentences of the page's paragraphs. */
export function toSummary(html: string): string {
	const $ = load(html);
	const paragraphs = $('p')
		.toArray()
		.map((paragraph) => $(paragraph).text().replace(/\s+/g, ' ').trim())
		.filter((text) => /[.!?]$/.test(text));
	const text = paragraphs.length > 0 ? paragraphs.join(' ') : toText(html).replace(/\n/g, ' ');
	return sentences(text).slice(0, SUMMARY_SENTENCES).join(' ');
}

/** The page's title, description and language. */
export function toMetadata(html: string): { title: string; description: string; language: string } {
	const $ = load(html);
	return {
		title: $('title').first().text().trim(),
		description: $('meta[name="description"]').attr('content') ?? '',
		language: $('html').attr('lang') ?? '',
	};
}

/**
 * Answers each question with the line of the page that shares the most words with it.
 * @returns one line per question: the question, then its answer
 */
export function answerQuestions(questions: string, html: string): string {
	const candidates = toText(html)
		.split('\n')
		.flatMap((line) => sentences(line));
	return questions
		.split(/\n|(?<=\?)\s+/)
		.map((question) => question.trim())
		.filter((question) => question !== '')
		.map((question) => `${question} ${bestMatch(question, candidates) ?? 'Not found on the page.'}`)
		.join('\n');
}

/** The keywords of a text: numbers and words of at least four letters. */
export function keywords(text: string): string[] {
	return text.toLowerCase().match(/\p{L}{4,}|\d+/gu) ?? [];
}

/** The absolute URL, or an empty string for an invalid one. */
export function resolve(href: string, base: string): string {
	return URL.canParse(href, base) ? new URL(href, base).href : '';
}

function bestMatch(question: string, candidates: string[]): string | undefined {
	const wanted = new Set(keywords(question));
	const score = (text: string) => keywords(text).filter((word) => wanted.has(word)).length;
	const ranked = candidates
		.map((text) => ({ text, score: score(text) }))
		.filter((candidate) => candidate.score > 0)
		.sort((a, b) => b.score - a.score);
	return ranked[0]?.text;
}

function sentences(text: string): string[] {
	const segments = new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text);
	return [...segments].map(({ segment }) => segment.trim()).filter((sentence) => sentence !== '');
}

function absolutize($: CheerioAPI, url: string): void {
	for (const [selector, name] of [
		['a[href]', 'href'],
		['img[src]', 'src'],
	] as const) {
		$(selector).each((_, element) => {
			$(element).attr(name, resolve($(element).attr(name) ?? '', url));
		});
	}
}

import { type CheerioAPI, load } from 'cheerio';
import type { Format, RunData } from '../model.mts';

const INVISIBLE = 'script, style, head';
const BLOCKS = 'br, div, footer, form, h1, h2, h3, header, li, main, nav, p, table, tr, ul';

export type PageContent = Partial<
	Pick<RunData, 'markdown' | 'html' | 'text' | 'summary' | 'links'>
>;

export function captureFormats(html: string, url: string, formats: readonly Format[]): PageContent {
	const content: PageContent = {};
	if (formats.includes('markdown')) content.markdown = toMarkdown(html, url);
	if (formats.includes('html')) content.html = html;
	if (formats.includes('text')) content.text = toText(html);
	if (formats.includes('summary')) content.summary = load(html)('p').first().text();
	if (formats.includes('links')) content.links = toLinks(html, url);
	return content;
}

/** Headings, lists and absolute links as Markdown, and everything else as text. */
function toMarkdown(html: string, url: string): string {
	const $ = load(html);
	$('a[href]').each((_, { attribs }) => {
		attribs.href = resolve(attribs.href ?? '', url);
	});
	$('a[href]').text((index, text) => `[${text}](${$('a[href]').eq(index).attr('href')})`);
	$('h1').prepend('# ');
	$('h2').prepend('## ');
	$('li').prepend('- ');
	return linesOf($).join('\n\n');
}

export const toText = (html: string): string => linesOf(load(html)).join('\n');

function linesOf($: CheerioAPI): string[] {
	$(INVISIBLE).remove();
	$(BLOCKS).before('\n').after('\n');
	$('td, th').after(' ');
	const lines = $('body').text().split('\n');
	return lines.map((line) => line.replace(/\s+/g, ' ').trim()).filter(Boolean);
}

export function toLinks(html: string, url: string): string[] {
	const $ = load(html);
	const links = $('a[href]')
		.toArray()
		.map(({ attribs }) => resolve(attribs.href ?? '', url));
	return [...new Set(links)].filter((link) => link.startsWith('http'));
}

export function toMetadata(html: string): { title: string; description: string; language: string } {
	const $ = load(html);
	return {
		title: $('title').first().text().trim(),
		description: $('meta[name="description"]').attr('content') ?? '',
		language: $('html').attr('lang') ?? '',
	};
}

/** A question, and the line on the page that shares the most words with it. */
export function answerQuestion(question: string, html: string): string {
	const wanted = keywords(question);
	const lines = toText(html).split('\n');
	const [best] = lines.sort((a, b) => countWords(wanted, b) - countWords(wanted, a));
	return `${question} ${best}`;
}

/** A text's keywords: numbers, and words of at least four letters. */
export const keywords = (text: string): string[] =>
	text.toLowerCase().match(/\p{L}{4,}|\d+/gu) ?? [];

export const countWords = (wanted: string[], text: string): number =>
	keywords(text).filter((word) => wanted.includes(word)).length;

export const resolve = (href: string, base: string): string =>
	URL.canParse(href, base) ? new URL(href, base).href : '';

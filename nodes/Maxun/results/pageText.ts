import type { IDataObject } from 'n8n-workflow';
import { isText } from '../http/values';
import { isOfPages, type Part } from './captured';

export const TEXT_FORMS = ['markdown', 'text', 'summary', 'html', 'snippet', 'description'];

/** A page's fields that aren't content, or that change with each run. */
const NOT_CONTENT = ['metadata', 'scrapedAt', 'searchResult', 'url', 'wordCount'];

export function textOf(row: IDataObject, kind: Part['kind']): string {
	const form = TEXT_FORMS.map((name) => row[name]).find(isText);
	if (form !== undefined && isPage(row, kind)) return form.trim();
	return Object.entries(row)
		.filter(([name]) => !isOfPages({ kind }) || !NOT_CONTENT.includes(name))
		.filter(([, value]) => value !== null && value !== undefined)
		.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join('\n');
}

/** Users may name a captured column `text` or `url`. */
export const isPage = (row: IDataObject, kind: Part['kind']): boolean =>
	isOfPages({ kind }) && [row.markdown, row.html, row.text, row.url].some(isText);

export function titleOf(row: IDataObject): string | undefined {
	if (isText(row.title)) return row.title;
	return isText(row.markdown) ? /^#\s+(.+)$/m.exec(row.markdown)?.[1].trim() : undefined;
}

/** In one line, without characters that nobody sees. */
export const looksLike = (text: string): string =>
	text
		.normalize('NFC')
		.replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g, '')
		.replace(/\s+/g, ' ')
		.trim();

/** The same for a page whose URL is written in several ways. */
export function addressOf(url: string): string {
	const parsed = URL.canParse(url) ? new URL(url) : undefined;
	return parsed ? `${parsed.origin}${parsed.pathname.replace(/\/$/, '')}${parsed.search}` : url;
}

import type { IDataObject } from 'n8n-workflow';
import { cut } from '../http/text';
import { isText } from '../http/values';
import { isOfPages, type Part } from './captured';

export const TEXT_FORMS = ['markdown', 'text', 'summary', 'html', 'snippet', 'description'];

/** A page's fields that aren't content, or that change with each run. */
const ABOUT_PAGE = ['metadata', 'scrapedAt', 'searchResult', 'url', 'wordCount'];

export function textOf(row: IDataObject, kind: Part['kind']): string {
	const form = TEXT_FORMS.map((name) => row[name]).find(isText);
	if (form !== undefined && isPage(row, kind)) return form.trim();
	return Object.entries(row)
		.filter(([name]) => !isOfPages({ kind }) || !ABOUT_PAGE.includes(name))
		.filter(([, value]) => value !== null && value !== undefined)
		.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join('\n');
}

/** Users may name a captured column `text` or `url`. */
export const isPage = (row: IDataObject, kind: Part['kind']): boolean =>
	isOfPages({ kind }) && [row.markdown, row.html, row.text, row.url].some(isText);

export function titleOf(row: IDataObject): string | undefined {
	if (isText(row.title)) return row.title;
	return isText(row.markdown) ? /^#[ \t]+(\S.*)$/m.exec(cut(row.markdown, 10_000))?.[1] : undefined;
}

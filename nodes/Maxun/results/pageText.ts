import type { IDataObject } from 'n8n-workflow';
import type { Part } from './rows';

/** A page's text formats, best first. */
export const TEXT_FORMS = ['markdown', 'text', 'summary', 'html', 'snippet', 'description'];

/** A page's fields that aren't content, or that change with each run. */
const NOT_CONTENT = ['metadata', 'scrapedAt', 'searchResult', 'url', 'wordCount'];

/** A row's content as text: a page's best format, or one line per field. */
export function textOf(row: IDataObject, kind: Part['kind']): string {
	const form = TEXT_FORMS.map((name) => row[name]).find(isText);
	if (form !== undefined && isPage(row, kind)) return form.trim();
	const isCaptured = CAPTURED.includes(kind);
	return Object.entries(row)
		.filter(([name]) => isCaptured || !NOT_CONTENT.includes(name))
		.filter(([, value]) => value !== null && value !== undefined)
		.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join('\n');
}

/** Kinds of rows whose fields have names that the user has chosen, even `text` or `url`. */
const CAPTURED: Array<Part['kind']> = ['fields', 'rows'];

/** Whether a row of this kind is a page or a search result. */
export const isPage = (row: IDataObject, kind: Part['kind']): boolean =>
	!CAPTURED.includes(kind) && [row.markdown, row.html, row.text, row.url].some(isText);

/** A page's URL; undefined if the row doesn't contain it. */
export const urlOf = (row: IDataObject): string | undefined =>
	isText(row.url) ? row.url : undefined;

/** A page's title, or the first heading in its Markdown. */
export function titleOf(row: IDataObject): string | undefined {
	if (isText(row.title)) return row.title;
	return isText(row.markdown) ? /^#\s+(.+)$/m.exec(row.markdown)?.[1].trim() : undefined;
}

/** Whether a value is a text that isn't empty. */
export const isText = (value: unknown): value is string =>
	typeof value === 'string' && value !== '';

import type { IDataObject } from 'n8n-workflow';

/** Forms of a page, the best one to read first. */
const TEXT_FORMS = ['markdown', 'text', 'summary', 'html', 'snippet', 'description'];

/** Fields that aren't content, or change with each run. */
const NOT_CONTENT = ['metadata', 'scrapedAt', 'searchResult', 'url', 'wordCount'];

/** The content of a row as text: the best form of a page, or one line per field. */
export function textOf(row: IDataObject): string {
	const form = TEXT_FORMS.map((name) => row[name]).find(isText);
	if (form !== undefined && isPage(row)) return form.trim();
	return Object.entries(row)
		.filter(([name, value]) => !NOT_CONTENT.includes(name) && value !== null && value !== undefined)
		.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
		.join('\n');
}

/** Whether a row is a page or a search result. A captured row has other fields. */
export const isPage = (row: IDataObject): boolean =>
	isText(row.markdown) || isText(row.html) || isText(row.text) || isText(row.url);

/** The URL of a page; undefined if the row doesn't contain it. */
export const urlOf = (row: IDataObject): string | undefined =>
	isText(row.url) ? row.url : undefined;

/** The title of a page, or the first heading of its Markdown. */
export function titleOf(row: IDataObject): string | undefined {
	if (isText(row.title)) return row.title;
	return isText(row.markdown) ? /^#\s+(.+)$/m.exec(row.markdown)?.[1].trim() : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

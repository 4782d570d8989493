import type { Format, RunData } from '../model.mts';
import { toLinks, toMarkdown, toSummary, toText } from './content.mts';

/** The content of one page in text formats. */
export type PageContent = Partial<
	Pick<RunData, 'markdown' | 'html' | 'text' | 'summary' | 'links'>
>;

/** Renders a page in the requested formats, except screenshots. */
export function captureFormats(html: string, url: string, formats: readonly Format[]): PageContent {
	const content: PageContent = {};
	if (formats.includes('markdown')) content.markdown = toMarkdown(html, url);
	if (formats.includes('html')) content.html = html;
	if (formats.includes('text')) content.text = toText(html);
	if (formats.includes('summary')) content.summary = toSummary(html);
	if (formats.includes('links')) content.links = toLinks(html, url);
	return content;
}

/** Whether a format needs a browser. */
export function isScreenshot(format: Format): boolean {
	return format === 'screenshot-visible' || format === 'screenshot-fullpage';
}

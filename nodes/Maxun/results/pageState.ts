import type { IDataObject } from 'n8n-workflow';
import { isEmpty } from '../http/values';

/** The fields of a page that aren't its content. */
const NOT_CONTENT = ['error', 'metadata', 'scrapedAt', 'searchResult', 'title', 'url', 'wordCount'];

/** Why a page could not be read; undefined if it was. */
export function unreadReason(row: IDataObject): string | undefined {
	const { error } = row;
	const hasContent = Object.entries(row).some(
		([name, value]) => !NOT_CONTENT.includes(name) && !isEmpty(value),
	);
	return typeof error === 'string' && error !== '' && !hasContent ? error : undefined;
}

import { MaxunFault } from '../http/fault';

/** A page without data, which the user chose to skip. */
export class SkippedPage extends Error {
	/** @param url of the page. @param reason why it has no data */
	constructor(
		readonly url: string,
		readonly reason: string,
	) {
		super(`The page ${url} was skipped: ${reason}`);
	}
}

/** The error for a URL that isn't one. */
export const invalidUrl = (url: string) =>
	new MaxunFault(
		`'${url}' is not a valid URL`,
		'Enter URLs that start with http:// or https://, one per line. To leave out such URLs, set On Failure to Skip the Page',
	);

/** How many skipped pages the hint names. */
const MOST_NAMES = 20;

/** The hint that names skipped pages. @param skipped one text for each page, with the reason */
export function skippedHint(skipped: string[]): string {
	const names = skipped.slice(0, MOST_NAMES).join(', ');
	const rest = skipped.length - MOST_NAMES;
	const pages = skipped.length === 1 ? 'page was' : 'pages were';
	return `${skipped.length} ${pages} skipped: ${names}${rest > 0 ? `, and ${rest} more` : ''}`;
}

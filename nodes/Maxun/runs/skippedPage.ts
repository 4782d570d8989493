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

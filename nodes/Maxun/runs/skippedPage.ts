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

/** The statuses with which Maxun refuses a page. Any other refusal concerns all pages. */
const REFUSED = [400, 422];

/** Whether a fault concerns only the page. */
export const isRefusedPage = ({ isOwn, status = 0 }: MaxunFault) =>
	isOwn && REFUSED.includes(status);

/** The error for a URL that isn't one. */
export const invalidUrl = (url: string) =>
	new MaxunFault(
		`'${url}' is not a valid URL`,
		"Enter URLs that start with http:// or https://, one per line. To leave out such URLs, set 'On Failure' to 'Skip the Page'",
	);

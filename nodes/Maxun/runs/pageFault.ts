import { MaxunFault } from '../http/fault';
import type { WaitSettings } from './types';

/** Why one page has no data. Others may have some. */
export class PageFault extends MaxunFault {
	/** @param short the reason next to the page's URL */
	constructor(
		message: string,
		description: string,
		readonly short: string,
		details: ConstructorParameters<typeof MaxunFault>[2] = {},
	) {
		super(message, description, details);
	}
}

/** The statuses with which Maxun refuses a page. Any other refusal concerns all pages. */
const REFUSED = [400, 422];

/** The page that is skipped because of an error, with the reason; undefined if the user wants the error, or if it concerns all pages. */
export function skippedPage(settings: WaitSettings, error: unknown): string | undefined {
	if (settings.onFailure !== 'skip' || !(error instanceof MaxunFault)) return undefined;
	const isRefused = error.isOwn && REFUSED.includes(error.status ?? 0);
	const reason = error instanceof PageFault ? error.short : isRefused && error.message;
	return reason ? `${settings.page} (${reason})` : undefined;
}

/** The error for a URL that isn't one. */
export const invalidUrl = (url: string) =>
	new PageFault(
		`'${url}' is not a valid URL`,
		"Enter URLs that start with http:// or https://, one per line. To leave out such URLs, set 'On Failure' to 'Skip the Page'",
		'not a valid URL',
	);

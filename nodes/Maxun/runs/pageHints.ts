/** How many pages a hint lists. */
const MOST_NAMES = 20;

/** The hint that names skipped pages. @param skipped one text for each page, with the reason */
export const skippedHint = (skipped: string[]) =>
	`${skipped.length} ${skipped.length === 1 ? 'page was' : 'pages were'} skipped: ${listed(skipped)}`;

/** The hint that names pages whose runs succeeded without data. @param urls of the pages */
export const noDataHint = (urls: string[]) =>
	urls.length === 1
		? `1 page returned no data: ${listed(urls)}. Maxun may not be able to open it`
		: `${urls.length} pages returned no data: ${listed(urls)}. Maxun may not be able to open them`;

function listed(pages: string[]): string {
	const rest = pages.length - MOST_NAMES;
	return pages.slice(0, MOST_NAMES).join(', ') + (rest > 0 ? `, and ${rest} more` : '');
}

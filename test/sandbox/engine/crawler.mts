import type { CrawlConfig } from '../model.mts';
import { toLinks } from './content.mts';
import { type Fetcher, type Page, PageError } from './fetcher.mts';

/** Follows a site's links, breadth first. */
export async function* crawl(
	fetcher: Fetcher,
	start: string,
	config: CrawlConfig,
	signal: AbortSignal,
): AsyncGenerator<{ page: Page; depth: number }> {
	const { limit, maxDepth, followLinks } = config;
	const found = [{ url: start, depth: 0 }];
	const known = new Set([start]);
	let pages = 0;
	for (const { url, depth } of found) {
		const page = await fetcher.page(url, signal).catch((error: unknown) => {
			if (depth === 0 || !(error instanceof PageError)) throw error;
		});
		if (page === undefined) continue;
		yield { page, depth };
		if (++pages >= limit) return;
		if (!followLinks || depth === maxDepth) continue;
		for (const link of toLinks(page.body, page.url)) {
			if (known.has(link) || !admits(config, start, link)) continue;
			known.add(link);
			found.push({ url: link, depth: depth + 1 });
		}
	}
}

/** Whether a crawl visits a page: it must be on the same host and fit the patterns. `*` matches any characters. */
function admits({ includePaths, excludePaths }: CrawlConfig, start: string, url: string): boolean {
	const { host, pathname } = new URL(url);
	const matches = (pattern: string) =>
		new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(pathname);
	const isIncluded = includePaths.length === 0 || includePaths.some(matches);
	return host === new URL(start).host && isIncluded && !excludePaths.some(matches);
}

import { load } from 'cheerio';
import type { SearchConfig } from '../model.mts';
import { keywords, toMetadata, toText } from './content.mts';
import { crawl, type CrawlRules } from './crawler.mts';
import type { Fetcher, Page } from './fetcher.mts';

const DAY_MS = 86_400_000;
const RANGE_DAYS = { day: 1, week: 7, month: 31, year: 366 } as const;
const INDEX_RULES: CrawlRules = {
	mode: 'domain',
	limit: 200,
	maxDepth: 5,
	includePaths: [],
	excludePaths: [],
	useSitemap: true,
	followLinks: true,
	respectRobots: true,
};

/** A search result. */
export interface Hit {
	title: string;
	snippet: string;
	page: Page;
}

/**
 * Fetches a site's pages and counts the query's words in them. Words in the title count three times.
 * A time range excludes pages without a publication date.
 */
export async function searchSite(
	fetcher: Fetcher,
	site: string,
	config: Pick<SearchConfig, 'query' | 'limit' | 'filters'>,
	signal: AbortSignal,
): Promise<Hit[]> {
	const words = keywords(config.query);
	const hits: Array<Hit & { score: number }> = [];
	for await (const { page } of crawl(fetcher, site, INDEX_RULES, signal)) {
		if (!isWithin(page, config.filters.timeRange)) continue;
		const { title } = toMetadata(page.body);
		const text = mainText(page.body);
		const score = 3 * count(words, title) + count(words, text);
		if (score > 0) hits.push({ title, page, score, snippet: snippet(words, text) });
	}
	return hits.sort((a, b) => b.score - a.score).slice(0, config.limit);
}

function isWithin(page: Page, range: SearchConfig['filters']['timeRange']): boolean {
	if (range === null) return true;
	const stated = load(page.body)('meta[property="article:published_time"]').attr('content');
	const published = Date.parse(stated ?? page.lastModified ?? '');
	return Date.now() - published <= RANGE_DAYS[range] * DAY_MS;
}

/** The text of the page's main element. */
function mainText(html: string): string {
	const main = load(html)('main').html();
	return toText(main ?? html);
}

function count(words: string[], text: string): number {
	const found = keywords(text);
	return words.reduce((sum, word) => sum + found.filter((other) => other === word).length, 0);
}

function snippet(words: string[], text: string): string {
	const lines = text.split('\n');
	const best = [...lines].sort((a, b) => count(words, b) - count(words, a))[0] ?? '';
	return best.length > 200 ? `${best.slice(0, 199)}…` : best;
}

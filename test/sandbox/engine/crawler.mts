import { load } from 'cheerio';
import robotsParser from 'robots-parser';
import type { CrawlConfig } from '../model.mts';
import { toLinks } from './content.mts';
import { type Fetcher, type Page, PageError } from './fetcher.mts';

const BATCH = 4;
const ROBOT_NAME = 'MaxunSandbox';
const MOST_SITEMAPS = 10;

/** What a crawl visits. */
export type CrawlRules = Omit<CrawlConfig, 'outputFormats'>;

/** A crawled page and its distance from the start page. */
export interface CrawledPage {
	page: Page;
	depth: number;
}

/**
 * Crawls a site breadth first and yields each page as it finds it.
 * Skips unreadable pages after the first.
 * @throws PageError if the start page is unreadable or robots.txt blocks it
 */
export async function* crawl(
	fetcher: Fetcher,
	start: string,
	rules: CrawlRules,
	signal: AbortSignal,
): AsyncGenerator<CrawledPage> {
	const exclusions = await readExclusions(fetcher, start, signal);
	const allows = (url: string) =>
		!rules.respectRobots || (exclusions.isAllowed(url, ROBOT_NAME) ?? true);
	if (!allows(start)) {
		throw new PageError(`The robots exclusion file of the site forbids ${start}`);
	}
	const known = new Set([withoutHash(start)]);
	const queue: Array<{ url: string; depth: number }> = [];
	const add = (addresses: string[], depth: number) => {
		for (const url of addresses.map(withoutHash)) {
			if (known.has(url)) continue;
			known.add(url);
			if (depth <= rules.maxDepth && admits(rules, start, url) && allows(url)) {
				queue.push({ url, depth });
			}
		}
	};
	const first = await fetcher.page(start, signal);
	yield { page: first, depth: 0 };
	let left = rules.limit - 1;
	if (rules.followLinks) add(toLinks(first.body, first.url), 1);
	if (rules.useSitemap) add(await readSitemaps(fetcher, start, exclusions, signal), 1);
	while (left > 0 && queue.length > 0) {
		const batch = queue.splice(0, Math.min(BATCH, left));
		const pages = await Promise.all(
			batch.map(async ({ url, depth }) => ({ depth, page: await tryPage(fetcher, url, signal) })),
		);
		for (const { page, depth } of pages) {
			if (page === undefined) continue;
			yield { page, depth };
			left -= 1;
			if (rules.followLinks) add(toLinks(page.body, page.url), depth + 1);
		}
	}
}

type Exclusions = ReturnType<typeof robotsParser>;

/** The robots.txt file of a site. */
async function readExclusions(
	fetcher: Fetcher,
	start: string,
	signal: AbortSignal,
): Promise<Exclusions> {
	const file = new URL('/robots.txt', start).href;
	const page = await tryPage(fetcher, file, signal, 'text/plain');
	return robotsParser(file, page?.body ?? '');
}

/** Whether the mode and the patterns let a crawl from `start` visit `url`. */
function admits(rules: CrawlRules, start: string, url: string): boolean {
	const { mode, includePaths, excludePaths } = rules;
	return (
		belongsTo(url, start, mode) &&
		(includePaths.length === 0 || includePaths.some((pattern) => matches(url, pattern))) &&
		!excludePaths.some((pattern) => matches(url, pattern))
	);
}

function belongsTo(url: string, start: string, mode: CrawlConfig['mode']): boolean {
	const from = new URL(start);
	const to = new URL(url);
	if (mode === 'subdomain') {
		return to.port === from.port && `.${to.hostname}`.endsWith(`.${from.hostname}`);
	}
	if (to.host !== from.host) return false;
	const prefix = from.pathname.replace(/\/$/, '');
	return mode === 'domain' || to.pathname === prefix || to.pathname.startsWith(`${prefix}/`);
}

/** Whether a URL or its path matches a pattern. `*` matches any characters. */
function matches(url: string, pattern: string): boolean {
	const { pathname, search } = new URL(url);
	const expression = pattern
		.split('*')
		.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
		.join('.*');
	const test = new RegExp(`^${expression}$`);
	return /^https?:/.test(pattern)
		? test.test(url)
		: test.test(pathname) || test.test(pathname + search);
}

/** The pages in the sitemaps of a site: those that robots.txt lists, or the default one. */
async function readSitemaps(
	fetcher: Fetcher,
	start: string,
	exclusions: Exclusions,
	signal: AbortSignal,
): Promise<string[]> {
	const waiting = exclusions.getSitemaps();
	if (waiting.length === 0) waiting.push(new URL('/sitemap.xml', start).href);
	const urls: string[] = [];
	for (let read = 0; read < MOST_SITEMAPS; read++) {
		const address = waiting.shift();
		if (address === undefined) break;
		const page = await tryPage(fetcher, address, signal, 'xml');
		if (page === undefined) continue;
		const $ = load(page.body, { xml: true });
		const locations = (parent: string) =>
			$(`${parent} > loc`)
				.toArray()
				.map((element) => $(element).text().trim())
				.filter((url) => URL.canParse(url));
		waiting.push(...locations('sitemap'));
		urls.push(...locations('url'));
	}
	return urls;
}

async function tryPage(
	fetcher: Fetcher,
	url: string,
	signal: AbortSignal,
	type = 'html',
): Promise<Page | undefined> {
	try {
		const page = await fetcher.page(url, signal);
		return page.contentType.includes(type) ? page : undefined;
	} catch (error) {
		if (error instanceof PageError) return undefined;
		throw error;
	}
}

function withoutHash(address: string): string {
	const url = new URL(address);
	url.hash = '';
	return url.href;
}

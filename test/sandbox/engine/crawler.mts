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
	const exclusions = await Exclusions.of(fetcher, start, signal);
	if (rules.respectRobots && !exclusions.allows(start)) {
		throw new PageError(`The robots exclusion file of the site forbids ${start}`);
	}
	const frontier = new Frontier(start, rules, exclusions);
	const first = await fetcher.page(start, signal);
	yield { page: first, depth: 0 };
	let left = rules.limit - 1;
	if (rules.followLinks) frontier.addLinks(first, 1);
	if (rules.useSitemap) {
		for (const url of await readSitemaps(fetcher, exclusions.sitemaps, signal))
			frontier.add(url, 1);
	}
	for (let batch = frontier.take(left); batch.length > 0; batch = frontier.take(left)) {
		const pages = await Promise.all(
			batch.map(async ({ url, depth }) => ({ depth, page: await tryPage(fetcher, url, signal) })),
		);
		for (const { page, depth } of pages) {
			if (page === undefined) continue;
			yield { page, depth };
			left -= 1;
			if (rules.followLinks) frontier.addLinks(page, depth + 1);
		}
	}
}

/** The URLs to visit, without duplicates. */
class Frontier {
	private readonly known: Set<string>;
	private queue: Array<{ url: string; depth: number }> = [];

	constructor(
		private readonly start: string,
		private readonly rules: CrawlRules,
		private readonly exclusions: Exclusions,
	) {
		this.known = new Set([withoutHash(start)]);
	}

	addLinks(page: Page, depth: number): void {
		for (const link of toLinks(page.body, page.url)) this.add(link, depth);
	}

	add(address: string, depth: number): void {
		const url = withoutHash(address);
		if (this.known.has(url)) return;
		this.known.add(url);
		if (depth <= this.rules.maxDepth && this.admits(url)) this.queue.push({ url, depth });
	}

	/** The next URLs within the limit, nearest to the start page first. */
	take(left: number): Array<{ url: string; depth: number }> {
		this.queue.sort((a, b) => a.depth - b.depth);
		return this.queue.splice(0, Math.max(0, Math.min(BATCH, left)));
	}

	private admits(url: string): boolean {
		const { mode, includePaths, excludePaths, respectRobots } = this.rules;
		return (
			belongsTo(url, this.start, mode) &&
			(includePaths.length === 0 || includePaths.some((pattern) => matches(url, pattern))) &&
			!excludePaths.some((pattern) => matches(url, pattern)) &&
			(!respectRobots || this.exclusions.allows(url))
		);
	}
}

/** The robots.txt file of a site. */
class Exclusions {
	private constructor(
		private readonly origin: string,
		private readonly parser: ReturnType<typeof robotsParser>,
	) {}

	static async of(fetcher: Fetcher, start: string, signal: AbortSignal): Promise<Exclusions> {
		const { origin } = new URL(start);
		const file = `${origin}/robots.txt`;
		const page = await tryPage(fetcher, file, signal, 'text/plain');
		return new Exclusions(origin, robotsParser(file, page?.body ?? ''));
	}

	/** Whether robots may visit a URL. Other origins are always allowed. */
	allows(url: string): boolean {
		return this.parser.isAllowed(url, ROBOT_NAME) ?? true;
	}

	/** The listed sitemaps, or the default one. */
	get sitemaps(): string[] {
		const named = this.parser.getSitemaps();
		return named.length > 0 ? named : [`${this.origin}/sitemap.xml`];
	}
}

/** Whether the mode lets a crawl from `start` visit `url`. */
export function belongsTo(url: string, start: string, mode: CrawlConfig['mode']): boolean {
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
export function matches(url: string, pattern: string): boolean {
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

async function readSitemaps(
	fetcher: Fetcher,
	sitemaps: string[],
	signal: AbortSignal,
): Promise<string[]> {
	const waiting = [...sitemaps];
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

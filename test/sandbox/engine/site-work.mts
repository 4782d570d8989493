import { captureFormats } from './capture.mts';
import { toMetadata, toText } from './content.mts';
import { crawl } from './crawler.mts';
import type { Page } from './fetcher.mts';
import type { Format } from '../model.mts';
import { searchSite } from './search.mts';
import { type Job, takeScreenshots, targetUrl } from './work.mts';

/** Crawls the robot's site. Stores each page at once, so a stopped crawl still has data. */
export async function crawlSite(job: Job): Promise<void> {
	const { world, robot, run, harvest, signal } = job;
	if (robot.crawlConfig === null) throw new Error('The robot has no crawl configuration');
	const formats = run.formats ?? robot.crawlConfig.outputFormats;
	for await (const { page, depth } of crawl(
		world.fetcher,
		targetUrl(job),
		robot.crawlConfig,
		signal,
	)) {
		harvest.data.crawlData.push({
			...captureFormats(page.body, page.url, formats),
			metadata: { ...metadataOf(page), depth },
			scrapedAt: new Date().toISOString(),
			wordCount: toText(page.body).split(/\s+/).length,
		});
		await takeScreenshots(job, page.url, formats, harvest.data.crawlData.length);
	}
}

/** Searches the demo site. In `scrape` mode, also captures each result. */
export async function searchPages(job: Job): Promise<void> {
	const { world, robot, run, harvest, signal } = job;
	const config = robot.searchConfig;
	if (config === null) throw new Error('The robot has no search configuration');
	const hits = await searchSite(world.fetcher, `${world.origin}/site/`, config, signal);
	const formats = run.formats ?? config.outputFormats;
	const results: unknown[] = [];
	for (const { title, snippet, page } of hits) {
		const found = { title, url: page.url, snippet };
		results.push(config.mode === 'scrape' ? { ...found, ...scraped(page, formats) } : found);
		if (config.mode === 'scrape') await takeScreenshots(job, page.url, formats, results.length);
	}
	harvest.data.searchData = { query: config.query, mode: config.mode, results };
}

function scraped(page: Page, formats: Format[]): Record<string, unknown> {
	return { ...captureFormats(page.body, page.url, formats), metadata: metadataOf(page) };
}

function metadataOf(page: Page): Record<string, unknown> {
	return { url: page.url, sourceURL: page.url, statusCode: page.status, ...toMetadata(page.body) };
}

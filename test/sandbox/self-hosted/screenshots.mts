import { PLACEHOLDER } from '../engine/work.mts';
import type { Run } from '../model.mts';
import type { World } from '../world.mts';

const FILE = /\/files\/(?<runId>[\da-f-]{36})-(?<page>\d+)-(?<format>[\w-]+)\.png$/;

const INLINE = { data: PLACEHOLDER.toString('base64'), mimeType: 'image/png' };

/** The screenshots by name: URLs, or data if the file store is down. */
export function screenshotsByName(world: World, run: Run): Record<string, unknown> {
	const urls = run.screenshots.filter((entry) => typeof entry === 'string');
	return Object.fromEntries(
		urls.map((url) => {
			const isInline = world.settings.selfHostedFileStoreDown && FILE.test(url);
			return [nameOf(world, run, url), isInline ? INLINE : url];
		}),
	);
}

export function listedScreenshots(world: World, run: Run): unknown[] {
	if (run.screenshots.some((entry) => typeof entry !== 'string')) return run.screenshots;
	return Object.values(screenshotsByName(world, run));
}

/** Crawled pages are numbered. Other screenshots have their format's name. */
function nameOf(world: World, run: Run, url: string): string {
	const { page, format } = FILE.exec(url)?.groups ?? {};
	if (page === undefined || format === undefined) return url;
	const robot = world.robotOf(run);
	return robot?.type === 'scrape' || robot?.type === 'extract' ? format : `crawl-${page}-${format}`;
}

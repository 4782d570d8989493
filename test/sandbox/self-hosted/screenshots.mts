import type { Run } from '../model.mts';
import type { World } from '../world.mts';

interface Inline {
	data: string;
	mimeType: string;
	name?: string;
}

const FILE = /\/files\/(?<runId>[\da-f-]{36})-(?<page>\d+)-(?<format>[\w-]+)\.png$/;

/** The screenshots by name: URLs, or data if the file store is down. */
export async function screenshotsByName(
	world: World,
	run: Run,
): Promise<Record<string, string | Inline>> {
	const shown: Record<string, string | Inline> = {};
	for (const url of run.screenshots) {
		if (typeof url !== 'string') continue;
		const name = nameOf(world, run, url);
		const isStored = !world.settings.selfHostedFileStoreDown;
		shown[name] = (isStored ? undefined : await inline(world, url)) ?? url;
	}
	return shown;
}

export async function listedScreenshots(world: World, run: Run): Promise<unknown[]> {
	if (run.screenshots.some((entry) => typeof entry !== 'string')) return run.screenshots;
	return Object.values(await screenshotsByName(world, run));
}

async function inline(world: World, url: string): Promise<Inline | undefined> {
	const content = await world.files.get(url.split('/').pop() ?? '');
	if (content === undefined) return undefined;
	return { data: Buffer.from(content).toString('base64'), mimeType: 'image/png' };
}

/** Crawled pages are numbered. Other screenshots have their format's name. */
function nameOf(world: World, run: Run, url: string): string {
	const { page, format } = FILE.exec(url)?.groups ?? {};
	if (page === undefined || format === undefined) return url;
	const robot = world.robotOf(run);
	return robot?.type === 'scrape' || robot?.type === 'extract' ? format : `crawl-${page}-${format}`;
}

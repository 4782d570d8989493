import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { newRobot } from '../factory.mts';
import {
	crawlConfigSchema,
	FORMATS,
	type Format,
	type Robot,
	searchConfigSchema,
} from '../model.mts';
import type { World } from '../world.mts';
import { sdkRefusal } from './refusals.mts';
import { type Add, type Call, Reply } from './route.mts';
import { namesakeOf, nameTaken } from './lookup.mts';
import { recordRobot } from './sdk-record.mts';
import { setMeta } from './sdk-update.mts';
import { sdkRobotView } from './sdk-views.mts';
import { visit } from './sdk-workflow.mts';
import { pageUrl } from './urls.mts';

const record = z.record(z.unknown());

export function sdkCreateRoutes(add: Add, world: World): void {
	add(
		['POST', '/sdk/robots', 'Failed to create robot', { status: 201 }],
		async (call) => await createRobot(world, call),
	);
	add(['POST', '/sdk/crawl', 'Failed to create crawl robot', { status: 201 }], (call) =>
		createCrawl(world, call),
	);
	add(['POST', '/sdk/search', 'Failed to create search robot', { status: 201 }], (call) =>
		createSearch(world, call),
	);
}

async function createRobot(world: World, call: Call): Promise<unknown> {
	const body = record.safeParse(call.body).data ?? {};
	const sent = record.safeParse(body.meta).data;
	if (sent === undefined || !body.workflow) {
		throw sdkRefusal(400, 'Invalid workflow structure. Expected { meta, workflow }');
	}
	const { robotType = 'extract', type = robotType, name, url, formats, ...meta } = sent;
	if (typeof name !== 'string' || name === '') {
		throw sdkRefusal(400, 'Robot name is required in meta.name');
	}
	const robot =
		type === 'scrape'
			? newRobot(call.caller, { type, name, url: readScrapeUrl(url) })
			: await recordRobot(world, call, { type, name, workflow: body.workflow });
	setMeta(robot, meta);
	robot.formats = readFormats(formats, type === 'scrape' ? ['markdown'] : []);
	return addUnique(world, call, robot, 'Robot created successfully');
}

function readScrapeUrl(url: unknown): string {
	if (!url) throw sdkRefusal(400, 'URL is required for scrape robots');
	return readUrl(url);
}

function createCrawl(world: World, call: Call): unknown {
	const { url: sentUrl, crawlConfig: sent, formats, name } = record.safeParse(call.body).data ?? {};
	if (!sentUrl || !sent) throw sdkRefusal(400, 'URL and crawl configuration are required');
	const url = readUrl(sentUrl);
	if (typeof sent !== 'object') throw sdkRefusal(400, 'crawlConfig must be an object');
	const outputFormats = readFormats(formats, ['markdown']);
	const robot = newRobot(call.caller, {
		type: 'crawl',
		name: nameOr(name, `Crawl Robot - ${new URL(url).hostname}`),
		url,
		formats: outputFormats,
	});
	robot.crawlConfig = crawlConfigSchema.parse({ ...sent, outputFormats });
	const steps = [{ action: 'crawl', args: [sent], name: 'Crawl' }];
	robot.stored.workflow = [{ where: { url }, what: steps }, visit(url)];
	return addUnique(world, call, robot, 'Crawl robot created successfully');
}

/** Creates a search robot, even if another robot has the name. */
function createSearch(world: World, call: Call): unknown {
	const { searchConfig: config, formats, name } = record.safeParse(call.body).data ?? {};
	if (!config) throw sdkRefusal(400, 'Search configuration is required');
	const sent = record.safeParse(config).data ?? {};
	const { query, mode, outputFormats } = sent;
	if (!query) throw sdkRefusal(400, 'searchConfig must include a query');
	if (mode && mode !== 'discover' && mode !== 'scrape') {
		throw sdkRefusal(400, "searchConfig.mode must be either 'discover' or 'scrape'");
	}
	const wanted = readFormats(formats, mode === 'discover' ? [] : ['markdown']);
	const wantsPages = Array.isArray(outputFormats) && outputFormats.length > 0;
	const searchConfig = searchConfigSchema.parse({
		...sent,
		query: String(query),
		mode: wantsPages || mode === 'scrape' ? 'scrape' : 'discover',
		outputFormats: wanted,
	});
	const robot = newRobot(call.caller, {
		type: 'search',
		name: nameOr(name, `Search Robot - ${searchConfig.query}`),
		formats: wanted,
		searchConfig,
	});
	const args = [{ ...sent, provider: 'duckduckgo', ...(wantsPages && { mode: 'scrape' }) }];
	robot.stored.workflow = [
		{ where: { url: 'about:blank' }, what: [{ action: 'search', args, name: 'Search' }] },
	];
	return {
		data: sdkRobotView(world, world.add(robot)),
		message: 'Search robot created successfully',
	};
}

function addUnique(world: World, call: Call, robot: Robot, message: string): unknown {
	const namesake = namesakeOf(world, call, robot.name);
	if (namesake === undefined) return { data: sdkRobotView(world, world.add(robot)), message };
	if (!isSame(namesake, robot)) throw nameTaken(robot.name);
	const data = sdkRobotView(world, namesake);
	return new Reply(200, { data, message: 'Existing robot returned', existing: true });
}

/** Whether two robots are the same to a real server: type, page and further settings. */
function isSame(a: Robot, b: Robot): boolean {
	const core = ({ type, url, crawlConfig, formats }: Robot) => ({
		type,
		url,
		crawlConfig,
		formats: type === 'extract' ? [] : [...formats].sort(),
	});
	return isDeepStrictEqual(core(a), core(b));
}

const nameOr = (name: unknown, other: string) =>
	typeof name === 'string' && name !== '' ? name : other;

function readUrl(value: unknown): string {
	const url = pageUrl(value);
	if (url === undefined) throw sdkRefusal(400, 'Invalid URL format');
	return url;
}

function readFormats(value: unknown, fallback: Format[]): Format[] {
	const sent: unknown[] = Array.isArray(value) ? value : [];
	const valid = FORMATS.filter((format) => sent.includes(format));
	const invalid = sent.filter((format) => !FORMATS.some((known) => known === format));
	if (invalid.length > 0) throw sdkRefusal(400, `Invalid formats: ${invalid.join(', ')}`);
	return valid.length > 0 ? valid : fallback;
}

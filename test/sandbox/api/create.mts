import { z } from 'zod';
import type { Caller } from '../auth.mts';
import { newRobot } from '../factory.mts';
import { crawlConfigSchema, type Monitoring, type Robot, searchConfigSchema } from '../model.mts';
import { robotView } from '../views.mts';
import type { World } from '../world.mts';
import { crawlConfigBody, newSearchConfigBody } from './configs.mts';
import { formats, monitoringFields, name, pageUrl } from './fields.mts';
import { demandFreeName, demandRoom } from './lookup.mts';
import { mergeMonitoring } from './monitoring.mts';
import type { Add } from './route.mts';

const scrapeBody = z
	.object({
		url: pageUrl,
		name: name.optional(),
		formats: formats.default(['markdown']),
		smartQueries: z.string().min(1).optional(),
		...monitoringFields,
	})
	.strict();

const crawlBody = z
	.object({
		url: pageUrl,
		name: name.optional(),
		crawlConfig: crawlConfigBody,
		...monitoringFields,
	})
	.strict();

const searchBody = z.object({ name: name.optional(), searchConfig: newSearchConfigBody }).strict();

export function createRoutes(add: Add, world: World): void {
	add(['POST', '/robots/scrape', { status: 201, body: scrapeBody }], ({ caller, body }) => {
		const { url, formats: wanted, smartQueries = null, ...rest } = body;
		const named = rest.name ?? `Scrape Robot - ${new URL(url).hostname}`;
		const robot = newRobot(caller, { type: 'scrape', name: named, url, smartQueries });
		robot.formats = wanted;
		return addRobot(world, caller, robot, rest);
	});
	add(
		['POST', '/robots/crawl', { status: 201, body: crawlBody }],
		({ caller, body: { url, crawlConfig, ...rest } }) => {
			const named = rest.name ?? `Crawl Robot - ${new URL(url).hostname}`;
			const robot = newRobot(caller, { type: 'crawl', name: named, url });
			robot.crawlConfig = crawlConfigSchema.parse(crawlConfig);
			robot.formats = robot.crawlConfig.outputFormats;
			return addRobot(world, caller, robot, rest);
		},
	);
	add(['POST', '/robots/search', { status: 201, body: searchBody }], ({ caller, body }) => {
		const searchConfig = searchConfigSchema.parse(body.searchConfig);
		const named = body.name ?? `Search Robot - ${searchConfig.query}`;
		const robot = newRobot(caller, { type: 'search', name: named, searchConfig });
		robot.formats = searchConfig.outputFormats;
		return addRobot(world, caller, robot);
	});
}

export function addRobot(
	world: World,
	caller: Caller,
	robot: Robot,
	monitoring: Partial<Monitoring> = {},
): Record<string, unknown> {
	mergeMonitoring(robot, monitoring);
	demandFreeName(world, caller, robot.name);
	demandRoom(world, caller, robot.type === 'agent' ? 'agents' : 'robots');
	return robotView(world.add(robot));
}

import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { conflict } from '../errors.mts';
import { newRobot } from '../factory.mts';
import { isFinished, type Robot, ROBOT_TYPES } from '../model.mts';
import { robotView } from '../views.mts';
import type { World } from '../world.mts';
import {
	formats,
	monitoringFields,
	name,
	newestFirst,
	page,
	pageUrl,
	paging,
	robotFilters,
} from './fields.mts';
import { deleted, demandFreeName, demandRoom, findRobot, robotsOf } from './lookup.mts';
import { mergeMonitoring } from './monitoring.mts';
import { addRoute, NO_BODY, NO_QUERY } from './route.mts';
import { demandBrowser, removeRuns } from './runs.mts';

const listQuery = z
	.object({ ...paging, ...robotFilters, type: z.enum(ROBOT_TYPES).optional() })
	.strict();

const scrapeBody = z
	.object({
		url: pageUrl,
		name: name.optional(),
		formats: formats.default(['markdown']),
		smartQueries: z.string().min(1).optional(),
		...monitoringFields,
	})
	.strict();

/** Listing, reading, creating and deleting robots. */
export function robotRoutes(app: FastifyInstance, world: World): void {
	readRoutes(app, world);
	addRoute(app, {
		method: 'POST',
		path: '/robots/scrape',
		needs: 'write',
		query: NO_QUERY,
		body: scrapeBody,
		status: 201,
		handle: ({ caller, body }) => {
			demandBrowser(world, body.formats);
			const { url, smartQueries = null, ...rest } = body;
			const robot = newRobot(caller, {
				type: 'scrape',
				name: body.name ?? `Scrape Robot - ${new URL(url).hostname}`,
				url,
				formats: rest.formats,
				smartQueries,
			});
			mergeMonitoring(robot, rest);
			demandFreeName(world, caller, robot.name);
			demandRoom(world, caller, 'robots');
			return addRobot(world, robot);
		},
	});
	addRoute(app, {
		method: 'DELETE',
		path: '/robots/:id',
		needs: 'delete',
		query: NO_QUERY,
		body: NO_BODY,
		handle: async (call) => await removeRobot(world, findRobot(world, call, 'robots')),
	});
}

function readRoutes(app: FastifyInstance, world: World): void {
	addRoute(app, {
		method: 'GET',
		path: '/robots',
		needs: 'read',
		query: listQuery,
		body: NO_BODY,
		handle: ({ caller, query }) => {
			const wanted = robotsOf(world, caller).filter(
				(robot) =>
					(query.type === undefined || robot.type === query.type) &&
					(query.q === undefined || robot.name.toLowerCase().includes(query.q.toLowerCase())) &&
					(query.scheduled === undefined || (robot.schedule !== null) === query.scheduled),
			);
			return page(newestFirst(wanted), query).map(robotView);
		},
	});
	addRoute(app, {
		method: 'GET',
		path: '/robots/:id',
		needs: 'read',
		query: NO_QUERY,
		body: NO_BODY,
		handle: (call) => robotView(findRobot(world, call, 'robots')),
	});
}

/** Keeps a new robot. @returns the robot as the API shows it */
export function addRobot(world: World, robot: Robot): Record<string, unknown> {
	world.state.robots.push(robot);
	world.store.touch();
	return robotView(robot);
}

/** Deletes a robot with its runs. @throws ApiError 409 while runs of it are queued or running */
export async function removeRobot(world: World, robot: Robot): Promise<unknown> {
	const { state, store, files } = world;
	const unfinished = state.runs.filter((run) => run.robotId === robot.id && !isFinished(run));
	if (unfinished.length > 0) {
		throw conflict(`The robot has ${unfinished.length} queued or running runs; cancel them first`);
	}
	state.robots = state.robots.filter((other) => other !== robot);
	store.touch();
	await removeRuns(world, ({ robotId }) => robotId === robot.id);
	if (robot.document !== null) await files.remove(robot.document.stored);
	return deleted(world, robot.id);
}

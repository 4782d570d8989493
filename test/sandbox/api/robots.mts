import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Caller } from '../auth.mts';
import { badRequest, conflict } from '../errors.mts';
import { creationTime } from '../factory.mts';
import {
	isFinished,
	monitoringSchema,
	type Robot,
	ROBOT_TYPES,
	type RobotType,
} from '../model.mts';
import { atUrl, entryAtUrl } from '../self-hosted/sdk-workflow.mts';
import { robotView } from '../views.mts';
import type { World } from '../world.mts';
import { crawlConfigBody, searchConfigBody } from './configs.mts';
import { addRobot } from './create.mts';
import { formats, name, newestFirst, page, pageUrl, paging, robotFilters } from './fields.mts';
import { deleted, demandFreeName, findRobot, KINDS, robotsOf, touchRobot } from './lookup.mts';
import type { Add } from './route.mts';

const listQuery = z
	.object({ ...paging, ...robotFilters, type: z.enum(ROBOT_TYPES).optional() })
	.strict();

const updateBody = z
	.object({
		name,
		url: pageUrl,
		formats,
		smartQueries: z.string().min(1).nullable(),
		crawlConfig: crawlConfigBody,
		searchConfig: searchConfigBody,
	})
	.partial()
	.strict();
type Update = z.infer<typeof updateBody>;

/** Each robot type's editable fields, besides the name. */
const CHANGEABLE: Record<RobotType, ReadonlyArray<keyof Update>> = {
	extract: ['url', 'formats'],
	agent: [],
	scrape: ['url', 'formats', 'smartQueries'],
	crawl: ['url', 'crawlConfig'],
	search: ['searchConfig'],
	'doc-extract': [],
	'doc-parse': [],
};

const duplicateBody = z.object({ url: pageUrl, name: name.optional() }).strict();

export function robotRoutes(add: Add, world: World): void {
	add(['GET', '/robots', { query: listQuery }], ({ caller, query }) => {
		const wanted = robotsOf(world, caller).filter(
			(robot) =>
				(query.type === undefined || robot.type === query.type) &&
				(query.q === undefined || robot.name.toLowerCase().includes(query.q.toLowerCase())) &&
				(query.scheduled === undefined || (robot.schedule !== null) === query.scheduled),
		);
		return page(newestFirst(wanted), query).map(robotView);
	});
	add(['PATCH', '/robots/:id', { body: updateBody }], (call) => {
		const robot = findRobot(world, call, 'robots');
		update(world, call.caller, robot, call.body);
		return robotView(robot);
	});
	add(['POST', '/robots/:id/duplicate', { body: duplicateBody, status: 201 }], (call) => {
		const robot = findRobot(world, call, 'robots');
		return addRobot(world, call.caller, copyOf(robot, call.caller, call.body));
	});
	for (const kind of KINDS) {
		add(['GET', `/${kind}/:id`], (call) => robotView(findRobot(world, call, kind)));
		add(['DELETE', `/${kind}/:id`], (call) => removeRobot(world, findRobot(world, call, kind)));
	}
}

function update(world: World, caller: Caller, robot: Robot, changes: Update): void {
	const fields = updateBody.keyof().options.filter((field) => changes[field] !== undefined);
	if (fields.length === 0) throw badRequest('The body names nothing to change');
	const misfit = fields.find(
		(field) => field !== 'name' && !CHANGEABLE[robot.type].includes(field),
	);
	if (misfit !== undefined) {
		throw badRequest(`"${misfit}" does not apply to robots of type ${robot.type}`);
	}
	const { crawlConfig, searchConfig, ...plain } = changes;
	if (plain.name !== undefined) demandFreeName(world, caller, plain.name, robot);
	const wanted = crawlConfig?.outputFormats ?? searchConfig?.outputFormats ?? plain.formats;
	if (wanted !== undefined) robot.formats = wanted;
	Object.assign(robot, plain);
	if (plain.url !== undefined) robot.stored.workflow &&= atUrl(robot.stored.workflow, plain.url);
	if (robot.crawlConfig) Object.assign(robot.crawlConfig, crawlConfig);
	if (robot.searchConfig) {
		const filters = { ...robot.searchConfig.filters, ...searchConfig?.filters };
		Object.assign(robot.searchConfig, searchConfig, { filters });
	}
	touchRobot(world, robot);
}

function copyOf(robot: Robot, caller: Caller, body: z.infer<typeof duplicateBody>): Robot {
	if (robot.url === null) {
		throw badRequest(`Robots of type ${robot.type} have no URL and cannot be duplicated`);
	}
	const { pathname, hostname } = new URL(body.url);
	const lastPart = pathname.split('/').filter(Boolean).at(-1) ?? hostname;
	const now = creationTime();
	return {
		...structuredClone(robot),
		id: randomUUID(),
		accountId: caller.account.id,
		name: body.name ?? `${robot.name} (${lastPart})`,
		url: body.url,
		stored: {
			...structuredClone(robot.stored),
			workflow: robot.stored.workflow && entryAtUrl(robot.stored.workflow, body.url),
		},
		schedule: null,
		webhooks: [],
		monitoring: monitoringSchema.parse({}),
		createdAt: now,
		updatedAt: now,
	};
}

function removeRobot(world: World, robot: Robot): unknown {
	const unfinished = world.state.runs.filter((run) => run.robotId === robot.id && !isFinished(run));
	if (unfinished.length > 0) {
		throw conflict(`The robot has ${unfinished.length} queued or running runs; cancel them first`);
	}
	eraseRobot(world, robot);
	return deleted(world, robot.id);
}

export function eraseRobot({ state, store, scheduler, runner }: World, robot: Robot): void {
	state.robots = state.robots.filter((other) => other !== robot);
	store.touch();
	scheduler.wake();
	for (const run of state.runs) if (run.robotId === robot.id) runner.forget(run);
	state.runs = state.runs.filter(({ robotId }) => robotId !== robot.id);
	runner.pump();
}

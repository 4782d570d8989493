import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { KEYS } from './accounts.mts';
import { ApiError, badRequest, notFound, parse } from './errors.mts';
import { newRobot, newRun, type Owner } from './factory.mts';
import { faultSchema } from './faults.mts';
import {
	FORMATS,
	isFinished,
	type Robot,
	ROBOT_TYPES,
	type Run,
	RUN_STATUSES,
	runSchema,
} from './model.mts';
import { settingsPatch } from './settings.mts';
import { robotView, runView } from './views.mts';
import type { World } from './world.mts';

const robotBody = z
	.object({
		teamId: z.string().optional(),
		type: z.enum(ROBOT_TYPES),
		name: z.string(),
		url: z.string().url().nullable().default(null),
		formats: z.array(z.enum(FORMATS)).default([]),
		prompt: z.string().nullable().default(null),
		params: z.record(z.union([z.string(), z.number(), z.boolean()])).default({}),
		fields: z.record(z.string()).optional(),
		list: z
			.object({ name: z.string(), row: z.string(), fields: z.record(z.string()) })
			.strict()
			.optional(),
	})
	.strict();

export type RobotFields = z.input<typeof robotBody>;

const bulkRobotsBody = z
	.object({
		count: z.number().int().min(1).max(10_000),
		type: z.enum(ROBOT_TYPES).default('scrape'),
	})
	.strict();

const runsBody = z
	.object({
		robotId: z.string(),
		count: z.number().int().min(1).max(100_000).default(1),
		status: z.enum(RUN_STATUSES).default('success'),
		run: z.record(z.unknown()).default({}),
	})
	.strict();

/** The control API for tests, under `/_sandbox`: dashboard actions and faults. */
export function registerControl(root: FastifyInstance, world: World): void {
	settingRoutes(root, world);
	robotRoutes(root, world);
	runRoutes(root, world);
	root.get('/_sandbox/deliveries', () => world.state.deliveryLog);
	root.get('/_sandbox/state', () => world.state);
}

function settingRoutes(root: FastifyInstance, world: World): void {
	root.patch('/_sandbox/settings', (request) => {
		const changes = parse(settingsPatch, request.body);
		Object.assign(world.settings, changes);
		if ('rateLimitPerMinute' in changes || 'rateWindowSeconds' in changes) world.rates.reset();
		world.runner.pump();
		return world.settings;
	});
	root.get('/_sandbox/requests', () => world.requests.list());
	root.delete('/_sandbox/requests', () => {
		world.requests.clear();
		return { success: true };
	});
	root.post('/_sandbox/faults', (request) => {
		world.faults.add(parse(faultSchema, request.body));
		return { success: true };
	});
	root.delete('/_sandbox/faults', () => {
		world.faults.clear();
		return { success: true };
	});
}

function robotRoutes(root: FastifyInstance, world: World): void {
	root.post('/_sandbox/robots', (request) => {
		const { teamId, fields, list, ...rest } = parse(robotBody, request.body);
		const recipe = fields || list ? { fields: fields ?? null, list: list ?? null } : null;
		const robot = newRobot(ownerOf(world, teamId), { ...rest, recipe });
		world.state.robots.push(robot);
		world.store.touch();
		return { success: true, data: robotView(robot) };
	});
	root.post('/_sandbox/robots/bulk', (request) => {
		const { count, type } = parse(bulkRobotsBody, request.body);
		const robots = Array.from({ length: count }, (_, index) =>
			newRobot(ownerOf(world), {
				type,
				name: `Bulk ${type} ${world.state.robots.length + index + 1}`,
				url: `${world.origin}/site/products`,
			}),
		);
		world.state.robots.push(...robots);
		world.store.touch();
		return { success: true, data: robots.map(({ id }) => id) };
	});
}

function runRoutes(root: FastifyInstance, world: World): void {
	root.post('/_sandbox/runs', (request) => {
		const { robotId, count, status, run: fields } = parse(runsBody, request.body);
		const robot = world.state.robots.find(({ id }) => id === robotId);
		if (robot === undefined) throw notFound('Robot');
		const runs = Array.from({ length: count }, (_, index) => {
			const run = pastRun(robot, status, count - index);
			setFields(run, fields);
			return run;
		});
		world.state.runs.push(...runs);
		world.store.touch();
		return { success: true, data: runs.map(({ id }) => id) };
	});
	root.patch<{ Params: { id: string } }>('/_sandbox/runs/:id', (request) => {
		const run = findRun(world, request.params.id);
		const wasFinished = isFinished(run);
		setFields(run, parse(z.record(z.unknown()), request.body));
		if (!wasFinished && isFinished(run)) {
			world.runner.forget(run);
			run.finishedAt ??= new Date().toISOString();
			world.runner.pump();
		}
		world.store.touch();
		return { success: true, data: runView(run) };
	});
	root.post<{ Params: { id: string } }>('/_sandbox/runs/:id/finish', (request) => {
		const run = findRun(world, request.params.id);
		world.runner.hurry(run);
		return { success: true, data: runView(run) };
	});
	root.post<{ Params: { id: string } }>('/_sandbox/runs/:id/abort', (request) => {
		const run = findRun(world, request.params.id);
		world.runner.cancel(run);
		return { success: true, data: runView(run) };
	});
}

/** A run that ended about `age` minutes ago. */
function pastRun(robot: Robot, status: Run['status'], age: number): Run {
	const startedAt = new Date(Date.now() - (age + 1) * 60_000).toISOString();
	return newRun(robot, {
		status,
		createdAt: startedAt,
		startedAt,
		finishedAt: new Date(Date.parse(startedAt) + 5000).toISOString(),
		error: status === 'failed' ? 'The page could not be opened' : null,
	});
}

/** Sets a run's fields. Fields that the model doesn't accept become overrides. */
function setFields(run: Run, fields: Record<string, unknown>): void {
	for (const [name, value] of Object.entries(fields)) {
		const merged = runSchema.safeParse({ ...run, [name]: value });
		if (merged.success && name in runSchema.shape) {
			delete run.overrides[name];
			Object.assign(run, { [name]: value });
			if (name === 'startedAt' && run.startedAt !== null) run.createdAt = run.startedAt;
		} else {
			run.overrides[name] = value;
		}
	}
}

function findRun(world: World, id: string): Run {
	const run = world.state.runs.find((candidate) => candidate.id === id);
	if (run === undefined) throw notFound('Run');
	return run;
}

function ownerOf(world: World, teamId?: string): Owner {
	const account = world.state.accounts.find(({ key }) => key === KEYS.owner);
	if (account === undefined) throw new ApiError(500, 'The account is missing');
	if (teamId === undefined) return { account, team: null, scope: `user:${account.id}` };
	const team = world.state.teams.find(({ id }) => id === teamId);
	if (team === undefined) throw badRequest(`There is no team ${teamId}`);
	return { account, team, scope: `team:${team.id}` };
}

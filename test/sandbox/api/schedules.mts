import type { FastifyInstance } from 'fastify';
import { IANAZone } from 'luxon';
import { z } from 'zod';
import { conflict, notFound } from '../errors.mts';
import { SCHEDULE_UNITS, WEEKDAYS } from '../model.mts';
import { completeSchedule } from '../scheduler.mts';
import { robotView } from '../views.mts';
import type { World } from '../world.mts';
import { deleted, findRobot, type Kind, KINDS, robotsOf, touchRobot } from './lookup.mts';
import { addRoute, NO_BODY, NO_QUERY } from './route.mts';

/** The largest interval per unit that fits a cron expression. */
export const MOST_UNITS: Record<(typeof SCHEDULE_UNITS)[number], number> = {
	MINUTES: 59,
	HOURS: 23,
	DAYS: 31,
	WEEKS: 1,
	MONTHS: 12,
};

const scheduleBody = z
	.object({
		runEvery: z.number().int().min(1),
		runEveryUnit: z.enum(SCHEDULE_UNITS),
		timezone: z
			.string()
			.refine(
				(zone) => IANAZone.isValidZone(zone),
				'must be an IANA time zone, e.g. Europe/Berlin',
			),
		atTimeStart: z
			.string()
			.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as HH:MM')
			.default('00:00'),
		startFrom: z.enum(WEEKDAYS).default('SUNDAY'),
		dayOfMonth: z.number().int().min(1).max(31).default(1),
	})
	.strict()
	.superRefine(({ runEvery, runEveryUnit }, context) => {
		if (runEvery <= MOST_UNITS[runEveryUnit]) return;
		const message = `must be at most ${MOST_UNITS[runEveryUnit]} for ${runEveryUnit}`;
		context.addIssue({ code: 'custom', path: ['runEvery'], message });
	});

/** Routes to set, read, remove and list schedules. */
export function scheduleRoutes(app: FastifyInstance, world: World): void {
	for (const kind of KINDS) robotScheduleRoutes(app, world, kind);
	addRoute(app, {
		method: 'GET',
		path: '/schedules',
		needs: 'read',
		query: NO_QUERY,
		body: NO_BODY,
		handle: ({ caller }) =>
			robotsOf(world, caller)
				.flatMap((robot) => (robot.schedule === null ? [] : [{ robot, schedule: robot.schedule }]))
				.sort((a, b) => Date.parse(a.schedule.nextRunAt) - Date.parse(b.schedule.nextRunAt))
				.map(({ robot }) => robotView(robot)),
	});
}

function robotScheduleRoutes(app: FastifyInstance, world: World, kind: Kind): void {
	const shared = { path: `/${kind}/:id/schedule`, query: NO_QUERY } as const;
	addRoute(app, {
		...shared,
		method: 'GET',
		needs: 'read',
		body: NO_BODY,
		handle: (call) => findRobot(world, call, kind).schedule,
	});
	addRoute(app, {
		...shared,
		method: 'PUT',
		needs: 'write',
		body: scheduleBody,
		handle: (call) => {
			const robot = findRobot(world, call, kind);
			if (robot.status !== 'ready') throw conflict(`The agent is ${robot.status}, not ready`);
			robot.schedule = completeSchedule(call.body);
			touchRobot(world, robot);
			world.scheduler.wake();
			return robot.schedule;
		},
	});
	addRoute(app, {
		...shared,
		method: 'DELETE',
		needs: 'delete',
		body: NO_BODY,
		handle: (call) => {
			const robot = findRobot(world, call, kind);
			if (robot.schedule === null) throw notFound('Schedule');
			robot.schedule = null;
			touchRobot(world, robot);
			world.scheduler.wake();
			return deleted(world, robot.id);
		},
	});
}

import { z } from 'zod';
import { conflict, notFound } from '../errors.mts';
import { demandRegular, scheduleFields } from '../schedule-fields.mts';
import { completeSchedule } from '../scheduler.mts';
import { robotView } from '../views.mts';
import type { World } from '../world.mts';
import { deleted, findRobot, type Kind, KINDS, robotsOf, touchRobot } from './lookup.mts';
import type { Add } from './route.mts';

const scheduleBody = z
	.object({
		runEvery: scheduleFields.runEvery,
		runEveryUnit: scheduleFields.runEveryUnit,
		timezone: scheduleFields.timezone,
		atTimeStart: scheduleFields.atTimeStart.default('00:00'),
		startFrom: scheduleFields.startFrom.default('SUNDAY'),
		dayOfMonth: z.number().int().min(1).max(31).default(1),
	})
	.strict()
	.superRefine(demandRegular);

export function scheduleRoutes(add: Add, world: World): void {
	for (const kind of KINDS) robotScheduleRoutes(add, world, kind);
	add(['GET', '/schedules'], ({ caller }) =>
		robotsOf(world, caller)
			.flatMap((robot) => (robot.schedule === null ? [] : [{ robot, schedule: robot.schedule }]))
			.sort((a, b) => Date.parse(a.schedule.nextRunAt) - Date.parse(b.schedule.nextRunAt))
			.map(({ robot }) => robotView(robot)),
	);
}

function robotScheduleRoutes(add: Add, world: World, kind: Kind): void {
	const path = `/${kind}/:id/schedule`;
	add(['GET', path], (call) => findRobot(world, call, kind).schedule);
	add(['PUT', path, { body: scheduleBody }], (call) => {
		const robot = findRobot(world, call, kind);
		if (robot.status !== 'ready') throw conflict(`The agent is ${robot.status}, not ready`);
		robot.schedule = completeSchedule(call.body);
		touchRobot(world, robot);
		world.scheduler.wake();
		return robot.schedule;
	});
	add(['DELETE', path], (call) => {
		const robot = findRobot(world, call, kind);
		if (robot.schedule === null) throw notFound('Schedule');
		robot.schedule = null;
		touchRobot(world, robot);
		world.scheduler.wake();
		return deleted(world, robot.id);
	});
}

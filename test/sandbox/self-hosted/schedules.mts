import { z } from 'zod';
import { touchRobot } from '../api/lookup.mts';
import type { Robot, Schedule } from '../model.mts';
import { completeSchedule } from '../scheduler.mts';
import type { World } from '../world.mts';
import { read } from './refusals.mts';
import { findRobot } from './lookup.mts';
import type { Add } from './route.mts';
import { dayText, demandRegular, scheduleFields } from '../schedule-fields.mts';

const scheduleBody = z
	.object({ ...scheduleFields, dayOfMonth: dayText.default('1') })
	.strict()
	.superRefine(demandRegular);

const PATH = '/robots/:id/schedule';
const DOCUMENTED = { form: 'documented' } as const;

/** The documented endpoints for schedules. A real server doesn't have them. */
export function scheduleRoutes(add: Add, world: World): void {
	add(['POST', PATH, 'Failed to schedule robot', DOCUMENTED], (call) => {
		const robot = findRobot(world, call);
		const schedule = completeSchedule(read(scheduleBody, call.body ?? {}));
		setSchedule(world, robot, schedule);
		return { statusCode: 200, messageCode: 'success', schedule: scheduleView(schedule) };
	});
	add(['GET', PATH, 'Failed to retrieve the schedule', DOCUMENTED], (call) => {
		const { schedule } = findRobot(world, call);
		const shown = schedule === null ? null : scheduleView(schedule);
		return { statusCode: 200, messageCode: 'success', schedule: shown };
	});
	add(['DELETE', PATH, 'Failed to delete the schedule', DOCUMENTED], (call) => {
		setSchedule(world, findRobot(world, call), null);
		return { statusCode: 200, messageCode: 'success', message: 'The schedule was deleted.' };
	});
}

export function setSchedule(world: World, robot: Robot, schedule: Schedule | null): void {
	robot.schedule = schedule;
	touchRobot(world, robot);
	world.scheduler.wake();
}

function scheduleView(schedule: Schedule): Record<string, unknown> {
	const { dayOfMonth, cronExpression, nextRunAt, ...rule } = schedule;
	return {
		...rule,
		atTimeEnd: rule.atTimeEnd ?? '23:59',
		...(rule.runEveryUnit === 'MONTHS' && { dayOfMonth: String(dayOfMonth) }),
		cronExpression,
		nextRunAt,
	};
}

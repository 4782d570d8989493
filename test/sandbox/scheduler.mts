import { CronExpressionParser } from 'cron-parser';
import { creatorOf } from './auth.mts';
import { ApiError } from './errors.mts';
import { type Robot, type Schedule, WEEKDAYS } from './model.mts';
import type { World } from './world.mts';

const LONGEST_WAIT_MS = 3_600_000;

export type ScheduleRule = Omit<Schedule, 'cronExpression' | 'nextRunAt'>;

export function completeSchedule(rule: ScheduleRule, from = new Date()): Schedule {
	const cronExpression = cronOf(rule);
	return { ...rule, cronExpression, nextRunAt: nextRun(cronExpression, rule.timezone, from) };
}

export function cronOf(rule: ScheduleRule): string {
	const { runEvery, runEveryUnit, startFrom, dayOfMonth } = rule;
	const [hour = 0, minute = 0] = rule.atTimeStart.split(':').map(Number);
	const every = runEvery === 1 ? '*' : `*/${runEvery}`;
	const byUnit = {
		MINUTES: `${every} * * * *`,
		HOURS: `${minute} ${every} * * *`,
		DAYS: `${minute} ${hour} ${every} * *`,
		WEEKS: `${minute} ${hour} * * ${WEEKDAYS.indexOf(startFrom)}`,
		MONTHS: `${minute} ${hour} ${dayOfMonth} ${every} *`,
	};
	return byUnit[runEveryUnit];
}

export class Scheduler {
	private timer: NodeJS.Timeout | undefined;

	constructor(private readonly world: World) {}

	/** Starts due runs and waits for the next run. Call this after every change to a schedule. */
	wake(): void {
		clearTimeout(this.timer);
		const now = Date.now();
		for (const robot of this.world.state.robots) {
			const due = robot.schedule !== null && Date.parse(robot.schedule.nextRunAt) <= now;
			if (due) this.runDue(robot);
		}
		const times = this.world.state.robots.flatMap(({ schedule }) =>
			schedule === null ? [] : [Date.parse(schedule.nextRunAt)],
		);
		const next = Math.min(...times);
		if (next === Infinity) return;
		const wait = Math.min(LONGEST_WAIT_MS, Math.max(0, next - now));
		this.timer = setTimeout(() => this.wake(), wait);
	}

	close(): void {
		clearTimeout(this.timer);
	}

	/** Starts one run for all missed runs. Skips a run that can't start, for example without credits. */
	private runDue(robot: Robot): void {
		const { state, runner, store } = this.world;
		const payer = creatorOf(robot, state);
		try {
			if (payer !== undefined) runner.start(robot, { source: 'schedule', payer });
		} catch (error) {
			if (!(error instanceof ApiError)) throw error;
			console.error(`The scheduled run of "${robot.name}" did not start: ${error.message}`);
		}
		if (robot.schedule !== null) robot.schedule = completeSchedule(robot.schedule);
		store.touch();
	}
}

function nextRun(cron: string, timezone: string, from: Date): string {
	const expression = CronExpressionParser.parse(cron, { tz: timezone, currentDate: from });
	return expression.next().toDate().toISOString();
}

import { randomUUID } from 'node:crypto';
import type { Caller } from './auth.mts';
import { type Robot, robotSchema, type RobotType, type Run, runSchema } from './model.mts';

export type Owner = Pick<Caller, 'scope' | 'team' | 'account'>;

let lastCreation = 0;

/** The current time. Each robot has its own time, so that a list has only one order. */
export function creationTime(): string {
	lastCreation = Math.max(Date.now(), lastCreation + 1);
	return new Date(lastCreation).toISOString();
}

export function newRobot(
	owner: Owner,
	fields: Partial<Robot> & { name: string; type: RobotType },
): Robot {
	const createdAt = creationTime();
	return robotSchema.parse({
		id: randomUUID(),
		scope: owner.scope,
		accountId: owner.account.id,
		teamId: owner.team?.id ?? null,
		createdAt,
		updatedAt: createdAt,
		...fields,
	});
}

export const newRun = (robot: Robot, fields: Partial<Run>): Run =>
	runSchema.parse({
		id: randomUUID(),
		robotId: robot.id,
		robotName: robot.name,
		scope: robot.scope,
		createdAt: new Date().toISOString(),
		...fields,
	});

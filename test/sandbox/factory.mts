import { randomUUID } from 'node:crypto';
import type { Caller } from './auth.mts';
import { emptyData, NO_MONITORING, type Robot, type RobotType, type Run } from './model.mts';

export type Owner = Pick<Caller, 'scope' | 'team' | 'account'>;

let lastCreation = 0;

/** The current time. No two robots have the same time, so that a list has only one order. */
export function creationTime(): string {
	lastCreation = Math.max(Date.now(), lastCreation + 1);
	return new Date(lastCreation).toISOString();
}

export function newRobot(
	owner: Owner,
	fields: Partial<Robot> & { name: string; type: RobotType },
): Robot {
	const createdAt = creationTime();
	return {
		id: randomUUID(),
		scope: owner.scope,
		accountId: owner.account.id,
		teamId: owner.team?.id ?? null,
		status: 'ready',
		error: null,
		url: null,
		description: null,
		smartQueries: null,
		formats: [],
		createdAt,
		updatedAt: createdAt,
		schedule: null,
		monitoring: { ...NO_MONITORING },
		webhooks: [],
		params: {},
		recipe: null,
		prompt: null,
		deepExtraction: false,
		extractionSchema: null,
		crawlConfig: null,
		searchConfig: null,
		document: null,
		stored: { meta: {}, row: {}, workflow: null },
		...fields,
	};
}

export function newRun(robot: Robot, fields: Partial<Run>): Run {
	return {
		id: randomUUID(),
		robotId: robot.id,
		robotName: robot.name,
		scope: robot.scope,
		status: 'queued',
		source: 'api',
		createdAt: new Date().toISOString(),
		startedAt: null,
		finishedAt: null,
		isPartial: false,
		hasChanges: false,
		changedFormats: [],
		error: null,
		data: emptyData(),
		screenshots: [],
		formats: null,
		params: {},
		prompt: null,
		previousRunId: null,
		overrides: {},
		...fields,
	};
}

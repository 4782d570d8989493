import { expect } from 'vitest';
import { newRobot, newScheduled } from '../../helpers/fixtures.mts';
import { deleting, one, operationCase, reading, requesting } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';

export const scheduleCases = [
	operationCase(['schedule', 'upsert'], async (given, scope) => {
		const robotId = await newRobot(given, scope);
		const schedule = {
			runEvery: 2,
			runEveryUnit: 'MONTHS',
			timezone: 'America/New_York',
			atTimeStart: '09:30',
			dayOfMonth: 15,
		};
		const request = { method: 'PUT', path: `/robots/${robotId}/schedule`, body: schedule };
		return requesting({ robotId: locator(robotId), ...schedule }, request, {
			robotId,
			...schedule,
			cronExpression: expect.any(String),
			nextRunAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
		});
	}),
	operationCase(['schedule', 'get'], async (given, scope) => {
		const robotId = await newScheduled(given, scope);
		return {
			parameters: { robotId: locator(robotId) },
			requests: [{ method: 'GET', path: `/robots/${robotId}/schedule` }],
			check: async (items) => {
				const { data } = await given.client(scope).get(`/robots/${robotId}/schedule`);
				expect(one(items)).toEqual({ robotId, ...data });
			},
		};
	}),
	operationCase(['schedule', 'delete'], async (given, scope) => {
		const id = await newScheduled(given, scope);
		return deleting(given, scope, `/robots/${id}/schedule`, { id, robotId: locator(id) });
	}),
	operationCase(['schedule', 'getAll', 'robot'], async (given, scope) => {
		await newScheduled(given, scope);
		return reading(given, scope, '/schedules', { returnAll: true, output: 'raw' });
	}),
];

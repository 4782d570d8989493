import { expect } from 'vitest';
import { newRobot } from '../support/fixtures.mts';
import { one, type OperationCase } from '../support/operations.mts';
import { locator } from '../support/parameters.mts';

export const robotCases: OperationCase[] = [
	{
		resource: 'robot',
		operation: 'get',
		gives: 'robot',
		prepare: async (given, scope) => {
			const robotId = await newRobot(given, scope);
			return {
				parameters: { robotId: locator(robotId) },
				requests: [{ method: 'GET', path: `/robots/${robotId}` }],
				check: async (items) => {
					const { body } = await given.ask(`/robots/${robotId}`, scope);
					expect(one(items)).toEqual(body.data);
				},
			};
		},
	},
	{
		resource: 'robot',
		operation: 'getAll',
		gives: 'robot',
		prepare: async (given, scope) => {
			await newRobot(given, scope);
			await newRobot(given, scope);
			return {
				parameters: { returnAll: false, limit: 2 },
				requests: [{ method: 'GET', path: '/robots', query: { limit: '2', offset: '0' } }],
				check: async (items) => {
					const { body } = await given.ask('/robots?limit=2', scope);
					expect(items).toEqual(body.data);
				},
			};
		},
	},
	{
		resource: 'robot',
		operation: 'delete',
		prepare: async (given, scope) => {
			const robotId = await newRobot(given, scope);
			return {
				parameters: { robotId: locator(robotId) },
				requests: [{ method: 'DELETE', path: `/robots/${robotId}` }],
				check: async (items) => {
					expect(one(items)).toEqual({ id: robotId, deleted: true });
					expect((await given.ask(`/robots/${robotId}`, scope)).status).toBe(404);
				},
			};
		},
	},
];

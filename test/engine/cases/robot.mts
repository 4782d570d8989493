import { expect } from 'vitest';
import { newRobot, newRun } from '../../helpers/fixtures.mts';
import { one, operationCase, type OperationCase } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';

export const robotCases: OperationCase[] = [
	operationCase(['robot', 'get', 'robot'], async (given, scope) => {
		const robotId = await newRobot(given, scope);
		return {
			parameters: { robotId: locator(robotId), output: 'raw' },
			requests: [{ method: 'GET', path: `/robots/${robotId}` }],
			check: async (items) => {
				const { body } = await given.client(scope).get(`/robots/${robotId}`);
				expect(one(items)).toEqual(body.data);
			},
		};
	}),
	operationCase(['robot', 'getAll', 'robot'], async (given, scope) => {
		await newRobot(given, scope);
		await newRobot(given, scope);
		return {
			parameters: { returnAll: false, limit: 2, output: 'raw' },
			requests: [{ method: 'GET', path: '/robots', query: { limit: '2', offset: '0' } }],
			check: async (items) => {
				const { body } = await given.client(scope).get('/robots?limit=2');
				expect(items).toEqual(body.data);
			},
		};
	}),
	operationCase(['robot', 'getStatistics'], async (given, scope) => {
		const { robotId, runId } = await newRun(given, scope);
		const query = { since: expect.any(String), limit: '100', offset: '0' };
		return {
			parameters: { robotId: locator(robotId), period: 'month' },
			requests: [
				{ method: 'GET', path: `/robots/${robotId}/runs`, query },
				{ method: 'GET', path: `/runs/${runId}` },
			],
			check: (items) => {
				expect(one(items)).toMatchObject({ robotId, runs: 1, lastSuccessRunId: runId });
			},
		};
	}),
	operationCase(['robot', 'delete'], async (given, scope) => {
		const robotId = await newRobot(given, scope);
		return {
			parameters: { robotId: locator(robotId) },
			requests: [{ method: 'DELETE', path: `/robots/${robotId}` }],
			check: async (items) => {
				expect(one(items)).toEqual({ id: robotId, deleted: true });
				expect((await given.client(scope).get(`/robots/${robotId}`)).status).toBe(404);
			},
		};
	}),
];

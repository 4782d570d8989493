import { expect } from 'vitest';
import { newRobot, newRun } from '../../helpers/fixtures.mts';
import { deleting, one, operationCase, reading } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';

export const robotCases = [
	operationCase(['robot', 'get', 'robot'], async (given, scope) => {
		const robotId = await newRobot(given, scope);
		const parameters = { robotId: locator(robotId), output: 'raw' };
		return reading(given, scope, `/robots/${robotId}`, parameters);
	}),
	operationCase(['robot', 'getAll', 'robot'], async (given, scope) => {
		await newRobot(given, scope);
		await newRobot(given, scope);
		const parameters = { returnAll: false, limit: 2, output: 'raw' };
		return reading(given, scope, '/robots?limit=2&offset=0', parameters);
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
		const id = await newRobot(given, scope);
		return deleting(given, scope, `/robots/${id}`, { id, robotId: locator(id) });
	}),
];

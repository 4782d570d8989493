import { expect } from 'vitest';
import { newChangedRun, newRobot } from '../../helpers/fixtures.mts';
import { one, operationCase } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';

export const monitoringCases = [
	operationCase(['monitoring', 'get'], async (given, scope) => {
		const robotId = await newRobot(given, scope);
		return {
			parameters: { robotId: locator(robotId) },
			requests: [{ method: 'GET', path: `/robots/${robotId}/monitoring` }],
			check: (items) =>
				expect(one(items)).toEqual({
					robotId,
					compareRuns: false,
					monitoringPrompt: null,
					alertsEnabled: false,
					alertEmail: null,
				}),
		};
	}),
	operationCase(['monitoring', 'update'], async (given, scope) => {
		const robotId = await newRobot(given, scope);
		const settings = {
			compareRuns: true,
			monitoringPrompt: 'Only prices matter',
			alertsEnabled: true,
			alertEmail: 'nathan@example.com',
		};
		return {
			parameters: { robotId: locator(robotId), updateFields: settings },
			requests: [{ method: 'PUT', path: `/robots/${robotId}/monitoring`, body: settings }],
			check: (items) => expect(one(items)).toEqual({ robotId, ...settings }),
		};
	}),
	operationCase(['monitoring', 'getDiff'], async (given, scope) => {
		const { runId, previousRunId } = await newChangedRun(given, scope);
		return {
			parameters: { runId: locator(runId), format: 'markdown' },
			requests: [{ method: 'GET', path: `/runs/${runId}/diff`, query: { format: 'markdown' } }],
			check: (items) =>
				expect(one(items)).toMatchObject({
					runId,
					previousRunId,
					hasChanges: true,
					changedFormats: ['text', 'markdown'],
					diffs: [{ format: 'markdown' }],
				}),
		};
	}),
];

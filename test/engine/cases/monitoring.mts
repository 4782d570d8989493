import { newChangedRun, newRobot } from '../../helpers/fixtures.mts';
import { operationCase, requesting } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';

export const MONITORING = {
	compareRuns: true,
	monitoringPrompt: 'Only prices matter',
	alertsEnabled: true,
	alertEmail: 'nathan@example.com',
};

export const monitoringCases = [
	operationCase(['monitoring', 'get'], async (given, scope) => {
		const robotId = await newRobot(given, scope);
		const request = { method: 'GET', path: `/robots/${robotId}/monitoring` };
		return requesting({ robotId: locator(robotId) }, request, {
			robotId,
			compareRuns: false,
			monitoringPrompt: null,
			alertsEnabled: false,
			alertEmail: null,
		});
	}),
	operationCase(['monitoring', 'update'], async (given, scope) => {
		const robotId = await newRobot(given, scope);
		const parameters = { robotId: locator(robotId), updateFields: MONITORING };
		const request = { method: 'PUT', path: `/robots/${robotId}/monitoring`, body: MONITORING };
		return requesting(parameters, request, { robotId, ...MONITORING });
	}),
	operationCase(['monitoring', 'getDiff'], async (given, scope) => {
		const { runId, previousRunId } = await newChangedRun(given, scope);
		const query = { format: 'markdown' };
		const request = { method: 'GET', path: `/runs/${runId}/diff`, query };
		return requesting({ runId: locator(runId), ...query }, request, {
			runId,
			previousRunId,
			hasChanges: true,
			changedFormats: ['text', 'markdown'],
			diffs: [query],
		});
	}),
];

import { newChangedRun, newRobot } from '../../helpers/fixtures.mts';
import { operationCase, requesting } from '../support/operations.mts';
import { locator } from '../../helpers/parameters.mts';

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
		const settings = {
			compareRuns: true,
			monitoringPrompt: 'Only prices matter',
			alertsEnabled: true,
			alertEmail: 'nathan@example.com',
		};
		const parameters = { robotId: locator(robotId), updateFields: settings };
		const request = { method: 'PUT', path: `/robots/${robotId}/monitoring`, body: settings };
		return requesting(parameters, request, { robotId, ...settings });
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

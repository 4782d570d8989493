import { newRobot } from '../../helpers/fixtures.mts';
import { deleting, operationCase, reading } from '../support/operations.mts';
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
	operationCase(['robot', 'delete'], async (given, scope) => {
		const id = await newRobot(given, scope);
		return deleting(given, scope, `/robots/${id}`, { id, robotId: locator(id) });
	}),
];

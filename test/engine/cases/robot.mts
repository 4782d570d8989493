import { newRobot } from '../../helpers/fixtures.mts';
import { locator } from '../../helpers/parameters.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';
import { deleting, operationCase, reading, type Scope } from '../support/operations.mts';

/** What robots and agents have in common. */
export function entryCases(
	resource: 'robot' | 'agent',
	create: (given: TestSandbox, scope: Scope) => Promise<string>,
) {
	const on = (id: string) => ({ [`${resource}Id`]: locator(id) });
	const path = `/${resource}s`;
	return [
		operationCase([resource, 'get', 'robot'], async (given, scope) => {
			const id = await create(given, scope);
			return reading(given, scope, `${path}/${id}`, { ...on(id), output: 'raw' });
		}),
		operationCase([resource, 'getAll', 'robot'], async (given, scope) => {
			await create(given, scope);
			await create(given, scope);
			const parameters = { returnAll: false, limit: 2, output: 'raw' };
			return reading(given, scope, `${path}?limit=2&offset=0`, parameters);
		}),
		operationCase([resource, 'delete'], async (given, scope) => {
			const id = await create(given, scope);
			return deleting(given, scope, `${path}/${id}`, { id, ...on(id) });
		}),
	];
}

export const robotCases = entryCases('robot', newRobot);

import type { INodeParameters } from 'n8n-workflow';
import { execute } from '../../helpers/engine/index.mts';
import { maxun } from '../../helpers/parameters.mts';
import type { TestSandbox } from '../../helpers/sandbox.mts';

/** Runs single operations and returns the items. */
export const operationsOn = (sandbox: TestSandbox) => ({
	async run(resource: string, operation: string, parameters: INodeParameters = {}) {
		const { items, error, hints } = await execute({
			parameters: maxun(resource, operation, parameters),
			credentials: sandbox.credentials(),
		});
		return { json: items[0]?.map(({ json }) => json) ?? [], error, hints };
	},
});

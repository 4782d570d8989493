import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { execute } from '../harness/index.mts';
import { unique } from './fixtures.mts';
import { maxun } from './parameters.mts';
import type { World } from './sandbox.mts';

/** Runs single operations, and makes robots for them, where only the items count. */
export const operationsOn = (world: World) => ({
	async run(resource: string, operation: string, parameters: INodeParameters = {}) {
		const { items, error } = await execute({
			parameters: maxun(resource, operation, parameters),
			credentials: world.credentials(),
		});
		return { json: items[0]?.map(({ json }) => json) ?? [], error };
	},

	async newRobot(fields: IDataObject = {}): Promise<string> {
		const url = `${world.sandbox.siteUrl}/products`;
		return await world.control.robot({ type: 'scrape', name: unique('Details'), url, ...fields });
	},
});

import { updateDisplayOptions } from 'n8n-workflow';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Operation } from './operation';

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

/**
 * The operation table as the node's fields: the resources, an operation list for each, and each operation's own
 * fields, shown for it alone.
 *
 * @param resources name and value of each resource of the table
 * @param initialResource the one a new node starts with, at its first operation of the table
 */
export function propertiesOf(
	table: Operation[],
	resources: INodePropertyOptions[],
	initialResource: string,
): INodeProperties[] {
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: [...resources].sort(byName),
		default: initialResource,
	};
	const lists = resources.map((entry): INodeProperties => {
		const own = table.filter((operation) => operation.resource === entry.value);
		const initialOperation = own[0].value;
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [entry.value] } },
			options: own
				.map(({ name, value, action, description }) => ({ name, value, action, description }))
				.sort(byName),
			default: initialOperation,
		};
	});
	const fields = table.flatMap((operation) =>
		updateDisplayOptions(
			{ show: { resource: [operation.resource], operation: [operation.value] } },
			operation.properties,
		),
	);
	return [resource, ...lists, ...fields];
}

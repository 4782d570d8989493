import { updateDisplayOptions } from 'n8n-workflow';
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { DIALECTS, type Dialect } from '../api/service';
import type { Operation } from './operation';

const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name);

/**
 * The operation table as the node's fields: the server, the resources, an operation list for each, and each
 * operation's own fields, shown for it alone. What only one kind of server has is shown for that alone.
 *
 * @param server the field that chooses the kind of server
 * @param resources name and value of each resource of the table
 * @param initialResource the one a new node starts with, at its first operation of the table
 */
export function propertiesOf(
	table: Operation[],
	server: INodeProperties,
	resources: INodePropertyOptions[],
	initialResource: string,
): INodeProperties[] {
	const ofResource = ({ value }: INodePropertyOptions) =>
		table.filter(({ resource }) => resource === value);
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map((entry) => offeredOn(dialectsOf(ofResource(entry)), entry)).sort(byName),
		default: initialResource,
	};
	const lists = resources.map((entry): INodeProperties => {
		const own = ofResource(entry);
		const initialOperation = own[0].value;
		return {
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [entry.value] } },
			options: own
				.map(({ dialects, name, value, action, description }) =>
					offeredOn(dialects, { name, value, action, description }),
				)
				.sort(byName),
			default: initialOperation,
		};
	});
	return [server, resource, ...lists, ...table.flatMap(fieldsOf)];
}

const dialectsOf = (operations: Operation[]) =>
	DIALECTS.filter((dialect) => operations.some(({ dialects }) => dialects.includes(dialect)));

/** The entry of a list; hidden where the chosen server does not have it. */
const offeredOn = (dialects: Dialect[], entry: INodePropertyOptions): INodePropertyOptions =>
	dialects.length === DIALECTS.length
		? entry
		: { ...entry, displayOptions: { show: { server: dialects } } };

/** The fields of an operation, shown for it alone; one that is for one kind of server stays so. */
const fieldsOf = ({ resource, value, dialects, properties }: Operation) =>
	properties.flatMap((property) =>
		updateDisplayOptions(
			{
				show: {
					server: property.displayOptions?.show?.server ?? dialects,
					resource: [resource],
					operation: [value],
				},
			},
			[property],
		),
	);

import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { SERVER_KINDS, type ServerKind } from '../servers';
import type { Operation, Resource } from './operation';
import { generalOptions } from './options';

/** Hides what a kind of server doesn't support. The first resource is the default. */
export function propertiesOf(resources: Resource[], server: INodeProperties): INodeProperties[] {
	const initialResource = resources[0]?.value;
	const resource: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ operations, ...entry }) => offeredOn(serversOf(operations), entry)),
		default: initialResource,
	};
	const lists = resources.map(operationField);
	return [server, resource, ...lists, ...resources.flatMap(shownFields), ...generalOptions];
}

function operationField({ value: resource, operations }: Resource): INodeProperties {
	const [{ value: initialOperation }] = operations;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: operations.map(({ servers, name, value, action, description, builderHint }) =>
			offeredOn(servers, {
				name,
				value,
				action,
				description,
				...(builderHint !== undefined && { builderHint: { propertyHint: builderHint } }),
			}),
		),
		default: initialOperation,
	};
}

const serversOf = (operations: Operation[]) =>
	SERVER_KINDS.filter((kind) => operations.some(({ servers }) => servers.includes(kind)));

const offeredOn = (servers: ServerKind[], entry: INodePropertyOptions): INodePropertyOptions =>
	servers.length === SERVER_KINDS.length
		? entry
		: { ...entry, displayOptions: { show: { server: servers } } };

/** Fixed conditions come first, as in `shownIf`. */
const shownFields = ({ value: resource, operations }: Resource): INodeProperties[] =>
	operations.flatMap(({ value, servers, properties }) =>
		properties.map((property) => {
			const { show } = property.displayOptions ?? {};
			const shown = { resource: [resource], operation: [value], server: servers, ...show };
			return { ...property, displayOptions: { ...property.displayOptions, show: shown } };
		}),
	);

/** The text below the node's name on the canvas, such as `Run and Wait: Shop products`. */
export function subtitleOf(resources: Resource[]): string {
	const operations = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value, name }) => [`${resource}:${value}`, name]),
	);
	const names = JSON.stringify(
		Object.fromEntries([...operations, ...resources.map(({ value, name }) => [value, name])]),
	);
	// `toJSON` also returns the names of selected entries. `$parameter` alone returns only their IDs.
	return `={{ ((names, { resource, operation, robotId, agentId, url, query }) =>
		names[resource + ":" + operation] + ": " +
		((robotId ?? agentId)?.cachedResultName || url?.split("/")[2] || query || names[resource])
	)(${names}, $parameter.toJSON()) }}`;
}

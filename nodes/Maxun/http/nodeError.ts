import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Failure, INode, INodeProperties } from 'n8n-workflow';
import { ZodError } from 'zod';
import { MaxunFault } from './fault';

export type NodeFailure = NodeApiError | NodeOperationError;

export const isNodeFailure = (error: unknown): error is NodeFailure =>
	error instanceof NodeApiError || error instanceof NodeOperationError;

/**
 * n8n's error for any fault: what happened in `message`, how to fix it in `description`.
 *
 * @param itemIndex undefined if there are no items
 * @param properties the operation's fields, whose names appear in messages about parameters
 */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
	properties: INodeProperties[] = [],
): NodeFailure {
	if (isNodeFailure(error)) {
		error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (error instanceof MaxunFault) {
		const { message, description, status } = error;
		const httpCode = status === undefined ? undefined : String(status);
		const nodeError = new NodeApiError(
			node,
			{ message },
			{ message, description, httpCode, itemIndex, failure: failureOf(error) },
		);
		// n8n replaces a message that contains an error code, even in a name: "SupERMarket".
		nodeError.message = message;
		return nodeError;
	}
	if (error instanceof ZodError) {
		const place = itemIndex === undefined ? '' : ` for item ${itemIndex}`;
		return new NodeOperationError(node, messageOf(error, properties), {
			itemIndex,
			description: `Correct the value in this node. If it is an expression, check its result${place}`,
		});
	}
	return new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
}

/** Why a fault happened, in n8n's terms. n8n versions before 2.37 ignore it. */
const failureOf = ({ failure, temporary }: MaxunFault): Failure | undefined =>
	failure ?? (temporary ? { cause: 'temporarily-unavailable' } : undefined);

/** What is wrong with each field. */
function messageOf({ issues }: ZodError, properties: INodeProperties[]): string {
	const problems = new Map<string, string[]>();
	for (const { path, message } of issues) {
		const field = displayName(properties, path);
		problems.set(field, [...(problems.get(field) ?? []), message]);
	}
	return [...problems].map(([field, all]) => `'${field}' ${all.join('; ')}`).join('; ');
}

/** A parameter's name in the editor, given its path, such as `['options', 'formats', 0]`. */
function displayName(properties: INodeProperties[], path: Array<string | number>): string {
	const [name, ...rest] = path.filter((part) => typeof part === 'string');
	const property = properties.find((candidate) => candidate.name === name);
	if (!property) return path.join('.');
	for (const option of property.options ?? []) {
		if (option.name !== rest[0]) continue;
		if ('values' in option && rest.length > 1) return displayName(option.values, rest.slice(1));
		if ('type' in option) return displayName([option], rest);
	}
	return property.displayName;
}

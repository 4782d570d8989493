import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode, INodeProperties } from 'n8n-workflow';
import { z, ZodError } from 'zod';
import { MaxunFault } from './fault';

export type NodeFailure = NodeApiError | NodeOperationError;

export const isNodeFailure = (error: unknown): error is NodeFailure =>
	error instanceof NodeApiError || error instanceof NodeOperationError;

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
		const { description, status, temporary } = error;
		// n8n versions before 2.37 ignore it.
		const failure =
			error.failure ?? (temporary ? { cause: 'temporarily-unavailable' as const } : undefined);
		// n8n lists a failed execution as canceled, and can't retry it, if its message contains this word.
		const message = withNames(error.message, node).replaceAll('canceled', 'cancelled');
		const nodeError = new NodeApiError(
			node,
			{ message },
			{ message, description, httpCode: status?.toString(), itemIndex, failure },
		);
		// n8n replaces a message that contains an error code, even in a name: "SupERMarket".
		nodeError.message = message;
		return nodeError;
	}
	if (error instanceof ZodError) {
		const place = itemIndex === undefined ? '' : ` for item ${itemIndex}`;
		const description = isExpression(node, error)
			? `Check the result of the expression${place}`
			: 'Correct the value in this node';
		return new NodeOperationError(node, summary(error, properties), { itemIndex, description });
	}
	return new NodeOperationError(node, error instanceof Error ? error : String(error), {
		itemIndex,
	});
}

const withNames = (message: string, { parameters }: INode): string =>
	Object.values(parameters)
		.flatMap((value) => Selected.safeParse(value).data ?? [])
		.reduce(
			(text, { value, cachedResultName: name }) => text.replaceAll(`'${value}'`, `'${name}'`),
			message,
		);

const Selected = z.object({ value: z.string().min(1), cachedResultName: z.string().min(1) });

const isExpression = ({ parameters }: INode, { issues }: ZodError): boolean =>
	issues.some(({ path: [name = ''] }) => /"=/.test(JSON.stringify(parameters[name]) ?? ''));

function summary({ issues }: ZodError, properties: INodeProperties[]): string {
	const problems = new Map<string, string[]>();
	for (const { path, message } of issues) {
		const subject = inForm(properties, path);
		problems.set(subject, [...(problems.get(subject) ?? []), message]);
	}
	return [...problems].map(([subject, all]) => `${subject} ${all.join('; ')}`).join('; ');
}

type Keys = Array<string | number>;

/** In the editor's words: `['lists', 0, 'columns', 1, 'selector']` is `'Selector' of column 2 in list 1`. */
function inForm(properties: INodeProperties[], path: Keys, entries: string[] = []): string {
	const [name, ...rest] = path;
	const place = entries.length > 0 ? ` of ${entries.join(' in ')}` : '';
	const property = properties.find((candidate) => candidate.name === name);
	if (!property) return `'${path.join('.')}'${place}`;
	const named = `'${property.displayName}'${place}`;
	if (property.type === 'json' && rest.length > 0) return `${named}: '${pathInJson(rest)}'`;
	for (const option of property.options ?? []) {
		if ('values' in option && typeof rest[0] === 'number') {
			const inner = [`${option.displayName.toLowerCase()} ${rest[0] + 1}`, ...entries];
			return rest.length > 1 ? inForm(option.values, rest.slice(1), inner) : inner.join(' in ');
		}
		if ('type' in option && option.name === rest[0]) return inForm([option], rest, entries);
	}
	return named;
}

const pathInJson = (path: Keys) =>
	path
		.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
		.join('')
		.replace(/^\./, '');

import { NodeConnectionTypes } from 'n8n-workflow';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** How many entries of a list a model gets to see. */
const MAX_ENTRIES = 50;

/**
 * Whether the node works for an AI agent.
 *
 * Newer agents execute a tool like any other node, so that `isToolExecution` alone does not tell: such a node has an
 * output for tools.
 */
export const isTool = (context: IExecuteFunctions): boolean =>
	context.isToolExecution() ||
	context.getNodeOutputs().some(({ type }) => type === NodeConnectionTypes.AiTool);

/**
 * What a node gives when an AI model calls it as a tool, where everything it returns is read and paid for: long texts
 * and lists are cut and say so, and there are no files.
 *
 * @param maxText how many characters of a text are kept
 */
export function forModel(items: INodeExecutionData[], maxText: number): INodeExecutionData[] {
	const kept = items
		.slice(0, MAX_ENTRIES)
		.map(({ json, pairedItem }) => ({ json: shortenFields(json, maxText), pairedItem }));
	const rest = items.length - kept.length;
	return rest > 0
		? [...kept, { json: { cut: leftOut(rest) }, pairedItem: items[0].pairedItem }]
		: kept;
}

const shortenFields = (fields: object, maxText: number): IDataObject =>
	Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, shorten(value, maxText)]));

function shorten(value: unknown, maxText: number): IDataObject[string] {
	if (typeof value === 'string') {
		const note = `… [cut: ${maxText} of ${value.length} characters]`;
		return value.length > maxText ? value.slice(0, maxText) + note : value;
	}
	if (Array.isArray(value)) {
		const kept = value.slice(0, MAX_ENTRIES).map((entry) => shorten(entry, maxText));
		const rest = value.length - kept.length;
		return rest > 0 ? [...kept, leftOut(rest)] : kept;
	}
	if (typeof value === 'number' || typeof value === 'boolean' || value === null) return value;
	return typeof value === 'object' ? shortenFields(value, maxText) : undefined;
}

const leftOut = (count: number) => `[${count} more left out]`;

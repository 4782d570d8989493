import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** Maximum number of entries of a list that a model gets. */
const MAX_ENTRIES = 50;

/**
 * What the node returns to an AI model, for which every token costs. Cuts long texts and lists, adds a note to each,
 * and omits files.
 *
 * @param maxText maximum number of characters per text
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

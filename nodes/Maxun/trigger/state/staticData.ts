import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';
import { isObject } from '../../http/values';
import { isPollCursor } from '../../n8n/internals';
import type { TriggerNode } from '../triggerNode';

/** Where the state of a trigger is saved. */
export type StateStore = Pick<TriggerNode, 'node' | 'staticData' | 'workflowData'>;

/**
 * The saved state of a trigger, which is empty before the first publication. The workflow's data under the node's ID
 * comes first: the data of the node may belong to an earlier time or to another node with the same name.
 *
 * @returns also whether this is a poll cursor, which n8n stores or discards together with the execution
 */
export function readState({ node, staticData, workflowData }: StateStore): {
	saved: IDataObject;
	isCursor: boolean;
} {
	const data = staticData();
	if (isPollCursor(data) && 'ledger' in data) return { saved: data, isCursor: true };
	const byId = workflowData()[keyOf(node.id)];
	return { saved: isObject(byId) ? byId : data, isCursor: false };
}

/**
 * Saves the state of a trigger twice, unless n8n stores it together with the execution. n8n looks for the data of a node
 * under its name, and the workflow's data under the node's ID survives a new name.
 */
export function saveState(
	{ node, staticData, workflowData }: StateStore,
	values: IDataObject,
): void {
	const data = staticData();
	saveChanges(data, values);
	if (!isPollCursor(data)) saveChanges(workflowData(), { [keyOf(node.id)]: values });
}

const keyOf = (nodeId: string) => `maxun:${nodeId}`;

/** Writes only changed values to n8n's static data, because n8n saves the workflow after each write. */
function saveChanges(data: IDataObject, values: IDataObject): void {
	for (const [key, value] of Object.entries(values)) {
		if (JSON.stringify(data[key]) !== JSON.stringify(value)) data[key] = value;
	}
}

/** Saved values by name. n8n adds a hidden field to static data, which zod 4 would read, so this reads a copy. */
export const savedRecord = <S extends z.ZodTypeAny>(values: S) =>
	z
		.preprocess((saved) => (isObject(saved) ? { ...saved } : saved), z.record(z.string(), values))
		.catch({});

import type { IDataObject } from 'n8n-workflow';
import { pickFields } from '../http/values';

/** The most useful fields of a robot. */
const USEFUL_ROBOT_FIELDS = ['id', 'name', 'type', 'status', 'error', 'url', 'description'];

/** What an extract robot captures, and the steps before that. */
export const DEFINITION_FIELDS = ['fields', 'lists', 'steps'];

/** The fields of a robot that can be selected. */
export const ROBOT_FIELDS = [
	...USEFUL_ROBOT_FIELDS,
	...DEFINITION_FIELDS,
	'createdAt',
	'deepExtraction',
	'extractionSchema',
	'formats',
	'inputParameters',
	'monitoring',
	'prompt',
	'schedule',
	'smartQueries',
	'teamId',
	'updatedAt',
	'webhooks',
];

/**
 * A robot as an item: its most useful fields, the selected fields, or as the server sent it.
 *
 * @param more other useful fields
 */
export function robotOutput(
	robot: IDataObject,
	{ output, fields }: { output: 'simplified' | 'raw' | 'fields'; fields: string[] },
	more: string[] = [],
): IDataObject {
	if (output === 'raw') return robot;
	return pickFields(robot, output === 'fields' ? fields : [...USEFUL_ROBOT_FIELDS, ...more]);
}

import type { IDataObject } from 'n8n-workflow';
import { pickFields } from '../http/values';

const USEFUL_ROBOT_FIELDS = ['id', 'name', 'type', 'status', 'error', 'url', 'description'];

export const DEFINITION_FIELDS = ['fields', 'lists', 'steps'];

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

export function robotOutput(
	robot: IDataObject,
	{ output, fields }: { output: 'simplified' | 'raw' | 'fields'; fields: string[] },
	more: string[] = [],
): IDataObject {
	if (output === 'raw') return robot;
	return pickFields(robot, output === 'fields' ? fields : [...USEFUL_ROBOT_FIELDS, ...more]);
}

import type { IDataObject } from 'n8n-workflow';
import { pickFields } from '../http/values';

export const LISTED_ROBOT_FIELDS = 'id name type status error url description'.split(' ');

/** Of agents and scheduled robots. */
export const FIELDS_WITH_SCHEDULE = [...LISTED_ROBOT_FIELDS, 'prompt', 'schedule'];

export const USEFUL_ROBOT_FIELDS = [...LISTED_ROBOT_FIELDS, 'fields', 'lists', 'steps'];

export const ROBOT_FIELDS = [
	...USEFUL_ROBOT_FIELDS,
	...`createdAt deepExtraction extractionSchema formats inputParameters monitoring prompt schedule smartQueries teamId
		updatedAt webhooks`.split(/\s+/),
];

/** How to show an entry. @param useful the fields of simplified output */
export const entryOutput =
	({ output, fields = [] }: { output: string; fields?: string[] }, useful: string[]) =>
	(entry: IDataObject): IDataObject =>
		output === 'raw' ? entry : pickFields(entry, output === 'fields' ? fields : useful);

import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { tableFields, tableParameters } from './columns';
import { flag } from './parameters';
import { optionsOf, paceFields, paceParameters } from './runOptions';
import { waitFields, waitParameters } from './waiting';

const keepRobotField: INodeProperties = {
	displayName: 'Keep Robot',
	name: 'keepRobot',
	type: 'boolean',
	default: false,
	description:
		'Whether to keep the temporary robot in Maxun after the run. If turned off, the node deletes the robot. If its run times out, the node cancels the run first.',
};

/** The options of an operation that creates a robot for one run. @param table those for its rows */
export const temporaryOptionsField = (
	more: INodeProperties[] = [],
	table = tableFields(),
): INodeProperties => optionsOf([...waitFields, ...paceFields, keepRobotField, ...table, ...more]);

export const temporaryParameters = z.object({
	...waitParameters,
	...paceParameters,
	keepRobot: flag().default(false),
	...tableParameters,
});

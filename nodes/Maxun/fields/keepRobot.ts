import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { flag } from './parameters';
import { optionsOf, paceFields, paceParameters } from './runOptions';
import { waitFields, waitParameters } from './waiting';

const keepRobotField: INodeProperties = {
	displayName: 'Keep Robot',
	name: 'keepRobot',
	type: 'boolean',
	default: false,
	description:
		'Whether to keep the robot that this operation creates in Maxun. Otherwise, the node cancels the run on timeout and deletes the robot.',
};

/** The options of an operation that creates a robot for one run. */
export const temporaryOptionsField = (more: INodeProperties[] = []): INodeProperties =>
	optionsOf([...waitFields, ...paceFields, keepRobotField, ...more]);

export const temporaryParameters = z.object({
	...waitParameters,
	...paceParameters,
	keepRobot: flag().default(false),
});

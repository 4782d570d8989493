import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';
import { flag } from './parameters';
import { optionsOf } from './runOptions';
import { waitFields, waitParameters } from './waiting';

const keepRobotField: INodeProperties = {
	displayName: 'Keep Robot',
	name: 'keepRobot',
	type: 'boolean',
	default: false,
	description:
		'Whether to keep the robot that this operation creates in Maxun. Otherwise it is deleted after the run, or cancelled if the run does not finish in time.',
};

/** The options of an operation that creates a robot for one run. */
export const temporaryOptionsField = (more: INodeProperties[] = []): INodeProperties =>
	optionsOf([...waitFields, keepRobotField, ...more]);

export const temporaryParameters = z.object({
	...waitParameters,
	keepRobot: flag().default(false),
});

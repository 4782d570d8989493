import type { INodeProperties } from 'n8n-workflow';
import { flag } from '../core/parameters';

export const keepRobotField: INodeProperties = {
	displayName: 'Keep Robot',
	name: 'keepRobot',
	type: 'boolean',
	default: false,
	description:
		'Whether to leave the robot in Maxun that is made for this, instead of deleting it afterwards',
};

export const keepRobotParameter = flag().default(false);

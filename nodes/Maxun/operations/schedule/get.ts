import { z } from 'zod';
import { operation } from '../operation';
import { robotField } from '../../fields/locators';
import { locator } from '../../fields/parameters';

export const get = operation(
	{
		resource: 'schedule',
		value: 'get',
		name: 'Get',
		action: 'Get schedule',
		description: "Retrieve a robot's schedule. Returns no item if the robot has no schedule.",
		properties: [robotField],
	},
	z.object({ robotId: locator() }),
	{
		parallel: true,
		needs: ({ schedules }) => schedules.get,
		run: async (getSchedule, { robotId }) => {
			const schedule = await getSchedule(robotId);
			return schedule ? { robotId, ...schedule } : [];
		},
	},
);

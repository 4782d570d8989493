import { z } from 'zod';
import { operation } from '../operation';
import { robotField } from '../../fields/locators';
import { locator } from '../../fields/parameters';

export const remove = operation(
	{
		resource: 'schedule',
		value: 'delete',
		name: 'Delete',
		action: 'Delete schedule',
		description: 'Stop running a robot on a schedule',
		properties: [robotField],
	},
	z.object({ robotId: locator() }),
	{
		needs: ({ schedules }) => schedules.delete,
		run: async (remove, { robotId }) => {
			await remove(robotId);
			return { id: robotId, deleted: true };
		},
	},
);

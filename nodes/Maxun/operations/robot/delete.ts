import { z } from 'zod';
import { operation } from '../operation';
import { robotField } from '../../fields/locators';
import { locator } from '../../fields/parameters';

export const remove = operation(
	{
		resource: 'robot',
		value: 'delete',
		name: 'Delete',
		action: 'Delete robot',
		description: 'Delete a robot and all its runs permanently',
		properties: [robotField],
	},
	z.object({ robotId: locator() }),
	{
		needs: ({ robots }) => robots.delete,
		run: async (remove, { robotId }) => {
			await remove(robotId);
			return { id: robotId, deleted: true };
		},
	},
);

import { operation } from '../operation';
import { robotField } from '../../fields/locators';

export const remove = operation(
	{
		resource: 'robot',
		value: 'delete',
		name: 'Delete',
		action: 'Delete robot',
		description: 'Delete a robot and all its runs permanently',
		properties: [robotField],
	},
	{
		needs: ({ robots }) => robots.delete,
		run: async (remove, { robotId }) => {
			await remove(robotId);
			return { id: robotId, deleted: true };
		},
	},
);

import { z } from 'zod';
import { operation } from '../operation';
import { agentField } from '../../fields/locators';
import { locator } from '../../fields/parameters';

export const remove = operation(
	{
		resource: 'agent',
		value: 'delete',
		name: 'Delete',
		action: 'Delete agent',
		description: 'Delete an agent and all its runs permanently',
		properties: [agentField],
	},
	z.object({ agentId: locator() }),
	{
		needs: ({ agents }) => agents?.delete,
		run: async (remove, { agentId }) => {
			await remove(agentId);
			return { id: agentId, deleted: true };
		},
	},
);

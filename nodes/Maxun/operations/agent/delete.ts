import { z } from 'zod';
import { path } from '../../api/request';
import { operation } from '../../core/operation';
import { locator } from '../../core/parameters';
import { agentField } from '../../fields/locators';

export const remove = operation(
	{
		resource: 'agent',
		value: 'delete',
		name: 'Delete',
		action: 'Delete agent',
		description: 'Remove an agent and all its runs for good',
		properties: [agentField],
	},
	z.object({ agentId: locator() }),
	{
		request: { cloud: ({ agentId }) => ({ method: 'DELETE', path: path`/agents/${agentId}` }) },
		answer: z.unknown(),
		items: (_, { agentId }) => [{ id: agentId, deleted: true }],
	},
);

import { z } from 'zod';
import { operation } from '../operation';
import { agentField } from '../../fields/locators';
import { locator } from '../../fields/parameters';

export const get = operation(
	{
		resource: 'agent',
		value: 'get',
		name: 'Get',
		action: 'Get agent',
		description: 'Retrieve an agent with its status and prompt',
		properties: [agentField],
	},
	z.object({ agentId: locator() }),
	{
		parallel: true,
		needs: ({ agents }) => agents?.get,
		run: async (get, { agentId }) => await get(agentId),
	},
);
